public import FluxLog

/// Something of a log that the app does not have any more.
public struct Incompatibility: Sendable, Equatable {
  /// How bad it is.
  public enum Severity: Int, Sendable, Comparable, CaseIterable {
    /// Replay is not affected.
    case fine
    /// What the app still has can be replayed; the rest is not compared.
    case risky
    /// The log cannot be replayed.
    case impossible

    /// Says whether one is less bad than another.
    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// What the app lacks, or has anew.
  public enum Subject: Sendable, Equatable {
    /// It has no store that is called so.
    case missingStore(String)
    /// It has a store that the log does not know.
    case newStore(String)
    /// No store takes actions of that type; the first step that has one.
    case unknownAction(type: String, step: UInt64)
    /// The recorded state of a store does not fit its type any more.
    case unfitState(store: String, why: String)
  }

  /// What the app lacks, or has anew.
  public let subject: Subject

  /// Makes an incompatibility.
  public init(_ subject: Subject) {
    self.subject = subject
  }

  /// How bad it is.
  public var severity: Severity {
    switch subject {
    case .newStore: .fine
    case .missingStore: .risky
    case .unknownAction, .unfitState: .impossible
    }
  }
}

extension Incompatibility: CustomStringConvertible {
  /// What is missing, and what to do about it.
  public var description: String {
    switch subject {
    case .missingStore(let store):
      "the app has no store \"\(store)\", so its states are not compared; where it was renamed, "
        + "give the replayer an alias"
    case .newStore(let store):
      "the app has a store \"\(store)\" that the log does not know; it begins in its own state"
    case .unknownAction(let type, let step):
      "no store takes \"\(type)\", which step \(step) dispatches; where it was renamed, give the "
        + "replayer an alias"
    case .unfitState(let store, let why):
      "the recorded state of \"\(store)\" does not fit: \(why); give the replayer an upcaster"
    }
  }

  /// The name of what is missing.
  public var name: String {
    switch subject {
    case .missingStore(let name), .newStore(let name), .unknownAction(let name, _),
      .unfitState(let name, _):
      name
    }
  }

  /// The incompatibility as reports have it: `{"severity","name","message"}`.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("severity", "\(severity)")
      writer.member("name", name)
      writer.member("message", description)
      writer.endObject()
    })
  }
}

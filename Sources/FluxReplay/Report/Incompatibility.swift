public import FluxJSON
import FluxLog

/// A mismatch between the stores and actions of a log and those of the app.
public struct Incompatibility: Sendable, Equatable {
  /// The effect of an incompatibility on replay.
  public enum Severity: Int, Sendable, Comparable, CaseIterable {
    /// Replay works in full.
    case fine
    /// Replay works, and leaves something uncompared.
    case risky
    /// The log cannot be replayed.
    case impossible

    /// Returns `true` if `left` affects replay less than `right`.
    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The mismatches that a log and an app can have.
  public enum Subject: Sendable, Equatable {
    /// The app has no store of that name.
    case missingStore(String)
    /// The app has a store that the log does not have.
    case newStore(String)
    /// No store handles actions of that type; `step` is the first one with such an action.
    case unknownAction(type: String, step: UInt64)
    /// The app cannot decode the recorded state of a store.
    case unfitState(store: String, why: String)
  }

  /// The mismatch.
  public let subject: Subject

  /// Creates an incompatibility.
  public init(_ subject: Subject) {
    self.subject = subject
  }

  /// The effect on replay.
  public var severity: Severity {
    switch subject {
    case .newStore: .fine
    case .missingStore: .risky
    case .unknownAction, .unfitState: .impossible
    }
  }
}

extension Incompatibility: CustomStringConvertible {
  /// The mismatch, and the remedy.
  public var description: String {
    switch subject {
    case .missingStore(let store):
      "the app has no store \"\(store)\", so its states are not compared; if it was renamed, give "
        + "the replayer an alias"
    case .newStore(let store):
      "the app has a store \"\(store)\" that the log does not have; it begins in its initial state"
    case .unknownAction(let type, let step):
      "no store handles \"\(type)\", the action of step \(step); if it was renamed, give the "
        + "replayer an alias"
    case .unfitState(let store, let why):
      "the recorded state of \"\(store)\" does not fit the app: \(why); give the replayer an upcaster"
    }
  }

  /// The name of the store or the type of the action.
  public var name: String {
    switch subject {
    case .missingStore(let name), .newStore(let name), .unknownAction(let name, _),
      .unfitState(let name, _):
      name
    }
  }

  /// The incompatibility as JSON: `{"severity","name","message"}`.
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

public import FluxLog

/// The result of replaying a log and comparing the replay with the recording.
public struct ReplayReport: Sendable, Equatable {
  /// The overall result of a replay.
  public enum Verdict: String, Sendable, CaseIterable {
    /// Every compared step matches the recording.
    case passed
    /// At least one step diverges.
    case diverged
    /// The app lacks something that the log needs.
    case incompatible
    /// Lines of the log are damaged; the steps before them match the recording.
    case damaged
    /// No step was compared.
    case empty
  }

  /// The path of the log, as the caller gave it.
  public var log: String
  /// The path of the app's executable; nil if the app is in this process.
  public var app: String?
  /// The words that start the inspector in the lines that the text suggests, such as `swift run flux-inspect`.
  ///
  /// A program that prints the report sets it to the way it was called itself. The words are not quoted.
  public var inspector = "flux-inspect"
  /// The number of steps that were replayed and compared.
  public var steps = 0
  /// The differences between the replay and the recording, in the order of the steps.
  public var divergences: [Divergence] = []
  /// Stores and actions that the app has lost or gained since the recording.
  public var incompatibilities: [Incompatibility] = []
  /// Damaged lines of the log that the replay came across.
  public var damage: [Finding] = []
  /// The places that were not compared, because their values are redacted or were computed from redacted input.
  ///
  /// JSON Pointers from the model, with `*` for any member.
  public var redacted: [String] = []
  /// The first step whose outcome depends on a redacted value; a report of a running app's own verification has none.
  var undetermined: UndeterminedStep?
  /// The flags and other constants that differ between the recording and the app, sorted by name.
  public var circumstances: [CircumstanceDifference] = []
  /// Remarks, such as steps that could not be compared, and why.
  ///
  /// A note may have several lines.
  public var notes: [String] = []
  /// `false` if the log was not closed, or recording failed, so that its last steps may be missing.
  ///
  /// A note says so as well.
  /// It is `true` for a range of steps that ends before the log does.
  public package(set) var isClosed = true
  /// The failure that stopped the replay after a divergence; nil if there was none.
  ///
  /// A note reports it as well.
  public internal(set) var failure: ReplayFailure?

  /// Creates an empty report.
  public init(log: String) {
    self.log = log
  }

  /// Notes if the log lacks its proper end: its app ended without closing it, or not everything was written.
  package mutating func noteEnd(of log: LogFile) {
    isClosed = !log.isTorn && log.end?.isComplete == true
    guard !isClosed else { return }
    let note =
      if log.isTorn {
        "the log was not closed: its last line is cut off, and its last steps may be missing"
      } else if log.end != nil {
        "the log is incomplete: recording failed, or a repair closed it; steps may be missing"
      } else {
        "the log was not closed: its app ended without closing it, or is still recording; its last steps may be "
          + "missing"
      }
    // A host that verified the log may have said so.
    if !notes.contains(note) { notes.append(note) }
  }

  /// The overall result.
  ///
  /// A divergence outweighs every other finding, because damage only ends the comparison. A report without
  /// compared steps does not pass.
  public var verdict: Verdict {
    if !divergences.isEmpty { return .diverged }
    if let severity, severity > .fine { return .incompatible }
    guard damage.isEmpty else { return .damaged }
    return steps == 0 ? .empty : .passed
  }

  /// The highest severity of the incompatibilities; nil if there are none.
  public var severity: Incompatibility.Severity? { incompatibilities.map(\.severity).max() }
}

/// A step that was not compared, because its outcome depends on a redacted value, or may depend on one.
struct UndeterminedStep: Sendable, Equatable {
  let number: UInt64
  let action: String
  /// The place of the value: a pointer into the payload, or from the model.
  let place: String
}

extension ReplayReport: Encodable {
  private enum CodingKeys: CodingKey {
    case verdict, steps, divergences, severity, incompatibilities, damage, redacted, circumstances
    case notes
  }

  /// Encodes the report.
  ///
  /// `{"verdict","steps","divergences":[…]}`, and if there are any `"severity"`,
  /// `"incompatibilities":[{"severity","name","message"}]`, `"damage":[{"line","step"?,"byte",
  /// "message"}]`, `"redacted":[…]`,
  /// `"circumstances":[{"name","recorded"?,"today"?}]`, `"notes":[…]`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(verdict.rawValue, forKey: .verdict)
    try members.encode(steps, forKey: .steps)
    try members.encode(divergences, forKey: .divergences)
    try members.encodeIfPresent(severity.map { "\($0)" }, forKey: .severity)
    try members.encode(nonEmpty: incompatibilities, forKey: .incompatibilities)
    try members.encode(nonEmpty: damage.map(Damage.init), forKey: .damage)
    try members.encode(nonEmpty: redacted, forKey: .redacted)
    try members.encode(nonEmpty: circumstances, forKey: .circumstances)
    try members.encode(nonEmpty: notes, forKey: .notes)
  }

  private struct Damage: Encodable {
    let line: Int
    let step: UInt64?
    let byte: Int
    let message: String

    init(_ finding: Finding) {
      (line, step, byte) = (finding.line, finding.step, finding.byte)
      message = finding.problem.message
    }
  }
}

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
    /// The actions of an app without FluxCore stores do not include that type; `step` is the first one with such an action.
    case unlistedAction(type: String, step: UInt64)
    /// An action of that type was recorded by reflection, and no store decodes it; the reason names the first step.
    case reflectedAction(type: String, why: String)
    /// The app cannot decode the recorded state of a store.
    case unfitState(store: String, why: String)
  }

  /// The mismatch.
  public let subject: Subject

  package init(_ subject: Subject) { self.subject = subject }

  /// The effect on replay.
  public var severity: Severity {
    switch subject {
    case .newStore: .fine
    case .missingStore: .risky
    case .unknownAction, .unlistedAction, .reflectedAction, .unfitState: .impossible
    }
  }
}

extension Incompatibility: CustomStringConvertible {
  /// The mismatch, and the remedy.
  public var description: String {
    switch subject {
    case .missingStore(let store):
      "the app has no store \"\(store)\", so its states are not compared; if it was renamed, "
        + "add an alias to the app's Evolution; if it was removed, drop it there"
    case .newStore(let store):
      "the app has a store \"\(store)\" that the log does not have; it begins in the state that "
        + "the app gives it"
    case .unknownAction(let type, let step):
      "no store handles \"\(type)\", the action of step \(step); if it was renamed, "
        + "add an alias to the app's Evolution; if it was removed, drop it there"
    case .unlistedAction(let type, let step):
      "the app's actions do not include \"\(type)\", the action of step \(step); add its type to the `actions` of the "
        + "AppDefinition, or, if it was renamed, an alias to the app's Evolution"
    case .reflectedAction(_, let why): why
    case .unfitState(let store, let why):
      "the recorded state of \"\(store)\" does not fit the app: \(why); "
        + "add an upcaster to the app's Evolution"
    }
  }

  /// The name of the store or the type of the action.
  public var name: String {
    switch subject {
    case .missingStore(let name), .newStore(let name), .unknownAction(let name, _),
      .unlistedAction(let name, _), .reflectedAction(let name, _), .unfitState(let name, _):
      name
    }
  }
}

extension Incompatibility: Encodable {
  private enum CodingKeys: CodingKey { case severity, name, message }

  /// Encodes the incompatibility: `{"severity","name","message"}`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode("\(severity)", forKey: .severity)
    try members.encode(name, forKey: .name)
    try members.encode(description, forKey: .message)
  }
}

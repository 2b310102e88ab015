package import FluxJSON
import FluxLog

// A message with one member has no type: `{"session"}`, `{"states"}`, `{"actions"}` and `{"sources"}`.

/// `session/upcast`: `{"session","states":[{"store","state"}]}`.
package struct UpcastRequest: Equatable, Encodable {
  package var session: UInt64
  package var states: [RecordedState] = []

  package init(session: UInt64, states: [RecordedState]) {
    self.session = session
    self.states = states
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to upcast")
    session = try message.required("session", .integer)
    for state in try message.required("states", .array).elements {
      let state = try Message(state, called: "a state to upcast")
      states.append(
        RecordedState(
          store: try state.required("store", .string), state: try state.required("state", .any)))
    }
  }
}

/// `session/dispatch`: `{"session","actions":[…]}`.
package struct DispatchRequest: Equatable, Encodable {
  package var session: UInt64
  package var actions: [ReplayAction] = []

  package init(session: UInt64, actions: [ReplayAction]) {
    self.session = session
    self.actions = actions
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to dispatch")
    session = try message.required("session", .integer)
    for action in try message.required("actions", .array).elements {
      actions.append(try ReplayAction(action))
    }
  }
}

/// The answer to `session/dispatch`: `{"steps":[…]}`.
package struct DispatchAnswer: Equatable, Encodable {
  package var steps: [ReplayedStep] = []

  init() {}

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to dispatch")
    for step in try message.required("steps", .array).elements {
      steps.append(try ReplayedStep(step))
    }
  }
}

/// The notification `progress`: `{"request","step","of"?}`.
package struct Progress: Equatable, Encodable {
  private enum CodingKeys: String, CodingKey { case request, step, last = "of" }

  /// The id of the running request.
  package var request: JSON
  package var step: UInt64
  /// The last step of the request; nil if that is unknown.
  package var last: UInt64?

  package init(request: JSON, step: UInt64, last: UInt64? = nil) {
    self.request = request
    self.step = step
    self.last = last
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the progress")
    request = json["request"] ?? .null
    step = try message.required("step", .integer)
    last = try message.optional("of", .integer)
  }
}

/// `verify`: `{"log","from"?,"to"?,"ignore"?:[path],"tolerance"?,"messages"?,"initial"?,"now"?}`.
///
/// The host does not need the other settings: replaying twice takes two hosts, and the other side keeps the
/// time limit.
package struct VerifyRequest: Encodable {
  private enum CodingKeys: CodingKey {
    case log, from, to, ignore, tolerance, messages, initial, now
  }

  package var log: String
  package var options: Verification.Options

  package init(log: String, _ options: Verification.Options) {
    self.log = log
    self.options = options
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(log, forKey: .log)
    try members.encodeIfPresent(options.range?.lowerBound, forKey: .from)
    try members.encodeIfPresent(options.range?.upperBound, forKey: .to)
    try members.encode(nonEmpty: options.ignoring.map(\.text), forKey: .ignore)
    if options.tolerance != 0 { try members.encode(options.tolerance, forKey: .tolerance) }
    for (treatment, key) in [(options.messages, CodingKeys.messages), (options.initial, .initial)]
    where treatment != .compare {
      try members.encode(treatment.rawValue, forKey: key)
    }
    try members.encodeIfPresent(options.now?.description, forKey: .now)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let subject = "the request to verify"
    let message = try Message(json, called: subject)
    log = try message.required("log", .string)
    let from = try message.optional("from", .integer).map { Int(clamping: $0) } ?? 0
    let to = try message.optional("to", .integer).map { Int(clamping: $0) } ?? .max
    options = Verification.Options()
    // After each batch, the host reports progress and checks for cancellation.
    options.batchSize = 64
    options.range = json["from"] == nil && json["to"] == nil ? nil : from..<max(from, to)
    for path in try message.optional("ignore", .strings) ?? [] {
      do {
        options.ignoring.append(try IgnoredPath(path))
      } catch {
        throw MalformedMessage(
          subject: subject, member: "ignore", expected: "paths (\(error))",
          found: .init(stringLiteral: path))
      }
    }
    options.tolerance = try message.optional("tolerance", .seconds) ?? 0
    options.messages = try Self.treatment("messages", in: message)
    options.initial = try Self.treatment("initial", in: message)
    options.now = try message.optional("now", .instant)
  }
}

extension VerifyRequest {
  private static func treatment(
    _ name: String, in message: Message
  ) throws(MalformedMessage) -> Verification.Treatment {
    guard let text = try message.optional(name, .string) else { return .compare }
    guard let treatment = Verification.Treatment(rawValue: text) else {
      throw message.wrong(name, "compare or ignore")
    }
    return treatment
  }
}

/// The answer to `verify`: `{"verdict","steps","redacted"?,"circumstances"?,"notes"?,"newStores"?,"closed"?}`.
///
/// It has details only of a log that passed. Otherwise the verdict is enough: the other side then replays the
/// log itself and finds the differences.
package struct VerifyAnswer: Equatable, Encodable {
  private enum CodingKeys: CodingKey {
    case verdict, steps, redacted, circumstances, notes, newStores, closed
  }

  package var verdict: ReplayReport.Verdict
  package var steps: UInt64
  package var redacted: [String]
  package var circumstances: [CircumstanceDifference]
  package var notes: [String]
  package var newStores: [String]
  /// `false` if the log was not closed, as a note says.
  package var closed: Bool

  package init(_ report: ReplayReport) {
    verdict = report.verdict
    steps = UInt64(report.steps)
    redacted = report.redacted
    circumstances = report.circumstances
    notes = report.notes
    closed = report.isClosed
    newStores = report.incompatibilities.compactMap {
      guard case .newStore(let name) = $0.subject else { return nil }
      return name
    }
  }

  /// Returns the report of a log that passed.
  package func report(on log: String) -> ReplayReport {
    var report = ReplayReport(log: log)
    report.isClosed = closed
    report.steps = Int(clamping: steps)
    report.redacted = redacted
    report.circumstances = circumstances
    report.notes = notes
    report.incompatibilities = newStores.map { Incompatibility(.newStore($0)) }
    return report
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(verdict.rawValue, forKey: .verdict)
    try members.encode(steps, forKey: .steps)
    try members.encode(nonEmpty: redacted, forKey: .redacted)
    try members.encode(nonEmpty: circumstances, forKey: .circumstances)
    try members.encode(nonEmpty: notes, forKey: .notes)
    try members.encode(nonEmpty: newStores, forKey: .newStores)
    if !closed { try members.encode(false, forKey: .closed) }
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to verify")
    guard let verdict = ReplayReport.Verdict(rawValue: try message.required("verdict", .string))
    else {
      throw message.wrong(
        "verdict", ReplayReport.Verdict.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self.verdict = verdict
    steps = try message.required("steps", .integer)
    redacted = try message.optional("redacted", .strings) ?? []
    circumstances = []
    for circumstance in try message.optional("circumstances", .array)?.elements.map(\.self) ?? [] {
      circumstances.append(
        try CircumstanceDifference(Message(circumstance, called: "a circumstance")))
    }
    notes = try message.optional("notes", .strings) ?? []
    newStores = try message.optional("newStores", .strings) ?? []
    closed = try message.optional("closed", .bool) ?? true
  }
}

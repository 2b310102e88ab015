package import FluxJSON
package import FluxLog

// A message with one member has no type: `{"session"}`, `{"states"}`, `{"actions"}`, `{"steps"}`, `{"launches"}` and
// `{"place"}`.

/// `session/upcast`: `{"session","states":[{"store","state"}]}`.
package struct UpcastRequest: Equatable, Encodable {
  package var session: UInt64
  package var states: [RecordedState]

  package init(session: UInt64, states: [RecordedState]) {
    (self.session, self.states) = (session, states)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to upcast")
    session = try message.required("session", .integer)
    states = try message.list("states") { json throws(MalformedMessage) in
      let state = try Message(json, called: "a state to upcast")
      return RecordedState(
        store: try state.required("store", .string), state: try state.required("state", .any))
    }
  }
}

/// `session/dispatch`: `{"session","actions":[…]}`.
package struct DispatchRequest: Equatable, Encodable {
  package var session: UInt64
  package var actions: [ReplayAction]

  package init(session: UInt64, actions: [ReplayAction]) {
    (self.session, self.actions) = (session, actions)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to dispatch")
    session = try message.required("session", .integer)
    actions = try message.list("actions", ReplayAction.init(message:))
  }
}

/// The notification `progress`: `{"request","step","of"?}`.
package struct RequestProgress: Equatable, Encodable {
  private enum CodingKeys: String, CodingKey { case request, step, last = "of" }

  /// The id of the running request.
  package var request: JSON
  package var step: UInt64
  /// The last step of the request; nil if that is unknown.
  package var last: UInt64?

  package init(request: JSON, step: UInt64, last: UInt64? = nil) {
    (self.request, self.step, self.last) = (request, step, last)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the progress")
    request = json["request"] ?? .null
    step = try message.required("step", .integer)
    last = try message.optional("of", .integer)
  }
}

/// `verify`: `{"log","from"?,"to"?,"ignore"?:[path],"tolerance"?,"messages"?,"initial"?,"now"?}`; to a running app with
/// `{"through","bytes"?,"crc"?}`.
///
/// The host does not need the other settings: replaying twice takes two hosts, and the other side keeps the
/// time limit.
package struct VerifyRequest: Encodable {
  private enum CodingKeys: CodingKey {
    case log, through, bytes, crc, from, to, ignore, tolerance, messages, initial, now
  }

  /// The path of the log; in a running app, the id in its header.
  package var log: String
  /// The number of the last step, for a running app.
  package var through: UInt64?
  /// The lines that a running app's file must begin with; nil for any.
  package var prefix: LogPrefix?
  package var options: Verification.Options

  package init(log: String, _ options: Verification.Options) {
    self.log = log
    self.options = options
  }

  /// Makes the request to a running app that may have the same log; nil if the log has no id or no step.
  ///
  /// `check` is called several times a second while the file is read. An error ends that.
  package init?(
    of log: LogFile, _ options: Verification.Options, check: () throws -> Void
  ) throws {
    guard let id = log.header.log, let last = log.number(at: log.count - 1) else { return nil }
    self.init(log: id, options)
    (through, prefix) = (last, try log.prefix(check: check))
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(log, forKey: .log)
    try members.encodeIfPresent(through, forKey: .through)
    try members.encodeIfPresent(prefix?.byteCount, forKey: .bytes)
    try members.encodeIfPresent(prefix?.crc, forKey: .crc)
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
    through = try message.optional("through", .integer)
    if let bytes = try message.optional("bytes", .integer) {
      prefix = LogPrefix(byteCount: Int(clamping: bytes), crc: try message.checksum())
    }
    let from = try message.optional("from", .integer).map { Int(clamping: $0) } ?? 0
    let to = try message.optional("to", .integer).map { Int(clamping: $0) } ?? .max
    options = Verification.Options()
    // After each batch, the host reports progress and checks for cancellation.
    options.batchSize = BatchSize.awaitedSteps
    // If the log does not pass, the other side looks for the differences, and for their reasons.
    options.findsReasons = false
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
    options.tolerance = try message.optional("tolerance", .tolerance) ?? 0
    options.messages = try message.optional("messages", .choice) ?? .compare
    options.initial = try message.optional("initial", .choice) ?? .compare
    options.now = try message.optional("now", .instant)
  }
}

/// The answer to `verify`: `{"verdict","steps","redacted"?,"circumstances"?,"notes"?,"newStores"?,"closed"?}`.
///
/// There are details only if the log passed: the other side replays any other log itself to find the differences.
package struct VerifyAnswer: Encodable {
  private enum CodingKeys: CodingKey {
    case verdict, steps, redacted, circumstances, notes, newStores, closed
  }

  private let report: ReplayReport

  package init(_ report: ReplayReport) { self.report = report }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    let newStores = report.incompatibilities.compactMap { incompatibility in
      if case .newStore(let name) = incompatibility.subject { name } else { nil as String? }
    }
    try members.encode(report.verdict.rawValue, forKey: .verdict)
    try members.encode(report.steps, forKey: .steps)
    guard report.verdict == .passed else { return }
    try members.encode(nonEmpty: report.redacted, forKey: .redacted)
    try members.encode(nonEmpty: report.circumstances, forKey: .circumstances)
    try members.encode(nonEmpty: report.notes, forKey: .notes)
    try members.encode(nonEmpty: newStores, forKey: .newStores)
    if !report.isClosed { try members.encode(false, forKey: .closed) }
  }

  /// Reads an answer; returns the report on a log that passed, and nil for any other.
  package static func passingReport(
    _ json: JSON, on log: String
  ) throws(MalformedMessage) -> ReplayReport? {
    let message = try Message(json, called: "the answer to verify")
    let verdict: ReplayReport.Verdict = try message.required("verdict", .choice)
    var report = ReplayReport(log: log)
    report.steps = Int(clamping: try message.required("steps", .integer))
    report.redacted = try message.optional("redacted", .strings) ?? []
    report.circumstances = try message.list(
      "circumstances", isOptional: true, CircumstanceDifference.init)
    report.notes = try message.optional("notes", .strings) ?? []
    report.incompatibilities = (try message.optional("newStores", .strings) ?? []).map {
      Incompatibility(.newStore($0))
    }
    report.isClosed = try message.optional("closed", .bool) ?? true
    return verdict == .passed ? report : nil
  }
}

import FluxLog

/// What a log says of itself: `{"log","created","app","format","first","steps","stores","closed",
/// "torn","inflight":[{"n","type","committed"}],"gaps":[{"from","to","why"}],"warnings"}`.
struct InformationAnswer: Answer {
  let log: LogFile
  let inFlight: [InFlightAction]
  /// Why the actions in flight are not known; nil where they are.
  let inFlightFailure: String?

  init(_ log: LogFile) {
    self.log = log
    do throws(LogError) {
      inFlight = try log.inFlight()
      inFlightFailure = nil
    } catch {
      // What the log says of itself is known all the same.
      inFlight = []
      inFlightFailure = error.message
    }
  }

  func write(to json: inout JSONOutput) throws {
    let header = log.header
    json.writer.beginObject()
    json.writer.member("log", orNull: header.log)
    json.writer.member("created", orNull: header.created?.description)
    json.writer.name("app")
    if let app = header.app { json.writer.app(app) } else { json.writer.null() }
    json.writer.member("format", header.version.description)
    json.writer.name("first")
    json.writer.uint(header.first)
    json.writer.name("steps")
    json.writer.int(log.count)
    json.writer.name("stores")
    json.writer.strings(log.storeNames)
    json.writer.name("closed")
    json.writer.bool(log.end != nil)
    if log.end?.isContinued == true {
      json.writer.name("continued")
      json.writer.bool(true)
    }
    json.writer.name("torn")
    json.writer.bool(log.isTorn)
    json.writer.name("inflight")
    json.writer.beginArray()
    for action in inFlight { json.writer.inFlight(action) }
    json.writer.endArray()
    json.writer.name("gaps")
    json.writer.beginArray()
    for gap in log.gaps {
      json.writer.gap(gap.gap)
      try json.drain()
    }
    json.writer.endArray()
    json.writer.name("warnings")
    json.writer.beginArray()
    for warning in warnings {
      json.writer.string(warning.description)
      try json.drain()
    }
    if let unknownLines { json.writer.string(unknownLines) }
    if let inFlightFailure { json.writer.string(inFlightFailure) }
    json.writer.endArray()
    json.writer.endObject()
  }

  /// Everything that is more than a note.
  private var warnings: [Finding] { log.findings.filter { $0.problem.severity > .note } }
}

// MARK: Lines of other versions

extension InformationAnswer {
  /// How many lines were passed over; nil for none.
  private var unknownLines: String? {
    switch log.unknownLineCount {
    case 0: nil
    case 1: "1 line is of a kind that this version does not know, and is passed over"
    case let count:
      "\(count) lines are of kinds that this version does not know, and are passed over"
    }
  }
}

// MARK: Text

extension InformationAnswer {
  func write(to text: inout TextOutput) throws {
    let header = log.header
    try text.fact("file", log.path)
    try text.fact("log", header.log)
    try text.fact("created", header.created?.description)
    try text.fact(
      "app", header.app.map { app in app.name + (app.version.map { " \($0)" } ?? "") })
    try text.fact(
      "recorded on", header.platform.map { $0.os + ($0.swift.map { ", Swift \($0)" } ?? "") })
    try text.fact("format", header.version.description)
    try text.fact("steps", steps)
    try text.fact("stores", log.storeNames.joined(separator: ", "))
    if !header.redacted.isEmpty {
      try text.fact("redacted", header.redacted.joined(separator: ", "))
    }
    try text.fact("closed", closing)
    for action in inFlight { try text.fact("in flight", action.sentence) }
    try text.facts("gap", log.gaps.lazy.map(\.gap.sentence), more: "gaps")
    try text.facts(
      "warning", warnings.lazy.map(\.description), more: "warnings: 'check' lists them")
    try text.fact("warning", unknownLines)
    try text.fact("warning", inFlightFailure)
  }

  private var steps: String {
    guard log.count > 0, let last = log.number(at: log.count - 1) else { return "none" }
    return "\(log.count), \(log.header.first) to \(last)"
  }

  private var closing: String {
    let state =
      switch log.end {
      case nil: "no: the recorder crashed, or is still recording"
      case .some(let end) where end.isContinued: "yes: the recording goes on in the next segment"
      case .some(let end) where end.isComplete: "yes"
      case .some: "yes, but its last steps may be missing"
      }
    return log.isTorn ? state + "; the last line is torn and left out" : state
  }
}

extension InFlightAction {
  /// `step 9 todo/add, committed: its line was not written`.
  var sentence: String {
    let type = type ?? "of an unknown type"
    return isCommitted
      ? "step \(number) \(type), committed, but its line was not written"
      : "step \(number) \(type), begun, but not finished"
  }
}

extension TextOutput {
  /// So many facts of a kind are shown; all are in the JSON.
  private static var factLimit: Int { 10 }

  fileprivate mutating func fact(_ name: String, _ value: String?) throws {
    guard let value, !value.isEmpty else { return }
    write("\(name): ", .heading)
    try line(value)
  }

  fileprivate mutating func facts(
    _ name: String, _ values: some Collection<String>, more: String
  ) throws {
    for value in values.prefix(Self.factLimit) { try fact(name, value) }
    let rest = values.count - Self.factLimit
    if rest > 0 { try line("and \(rest) more \(more)", .dim) }
  }
}

// MARK: JSON

extension JSONWriter {
  fileprivate mutating func member(_ name: String, orNull value: String?) {
    self.name(name)
    if let value { string(value) } else { null() }
  }

  fileprivate mutating func app(_ app: LogHeader.App) {
    beginObject()
    member("name", app.name)
    member("version", app.version)
    endObject()
  }

  fileprivate mutating func inFlight(_ action: InFlightAction) {
    beginObject()
    member("n", action.number)
    member("type", action.type)
    name("committed")
    bool(action.isCommitted)
    endObject()
  }

  /// Writes `{"from","to","why"}`.
  mutating func gap(_ gap: LogGap) {
    beginObject()
    member("from", gap.from)
    member("to", gap.through)
    member("why", gap.why.description)
    endObject()
  }
}

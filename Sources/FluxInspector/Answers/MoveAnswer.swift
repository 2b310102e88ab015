import FluxLog

/// Why a move ended.
struct MoveStop: Sendable, Equatable {
  /// The word of the contract: `step`, `goto`, `breakpoint`, `watchpoint`, `until`, `start`, `end`,
  /// `none`.
  let reason: String
  /// The number of the stop point, where it was one.
  var number: Int?

  static let step = MoveStop(reason: "step")
  static let goto = MoveStop(reason: "goto")
  static let until = MoveStop(reason: "until")
  static let start = MoveStop(reason: "start")
  static let end = MoveStop(reason: "end")
  static let none = MoveStop(reason: "none")
}

/// The value of a display at the end of a move.
struct DisplayedValue: Sendable {
  let display: Display
  let nodes: [QueryNode]
  /// Why it cannot be shown here.
  let failure: String?
}

/// Where a move ended: the step, what it changed, and why the move ended there.
struct MoveAnswer: Answer {
  let number: UInt64?
  /// Nil before the first step.
  let step: LogStep?
  let changed: [String]
  let stop: MoveStop
  let displays: [DisplayedValue]
  /// The stop points that the move reached.
  var hits: [StopHit] = []

  /// Nothing was found to move to.
  var exitCode: Int32 { stop == .none ? 1 : 0 }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("step")
    json.writer.stepNumber(number)
    if let step {
      json.writer.name("t")
      json.writer.seconds(step.time)
      json.writer.name("action")
      json.writer.raw(step.action)
    }
    json.writer.name("changed")
    json.writer.strings(changed)
    json.writer.member("stopped", stop.reason)
    if let number = stop.number {
      json.writer.name("number")
      json.writer.int(number)
    }
    if let step, let rejection = step.rejection { json.writer.rejection(rejection) }
    if let finding = hits.lazy.compactMap(\.finding).first { finding.write(to: &json.writer) }
    if !displays.isEmpty {
      json.writer.name("displays")
      json.writer.beginArray()
      for display in displays { display.write(to: &json) }
      json.writer.endArray()
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for hit in hits { try hit.write(to: &text) }
    if let headline { try text.line(headline, .heading) }
    if let step {
      try text.step(step)
      try text.changes(of: step, changed)
    } else {
      text.write(number.map(String.init) ?? "-1", .number)
      try text.line(" start: the state before the first step")
    }
    for display in displays { try display.write(to: &text) }
  }

  private var headline: String? {
    switch stop.reason {
    case MoveStop.end.reason: step == nil ? nil : "the end of the log"
    case MoveStop.none.reason: "nothing found; still at"
    default: nil
    }
  }
}

extension DisplayedValue {
  func write(to json: inout JSONOutput) {
    json.writer.beginObject()
    json.writer.name("number")
    json.writer.int(display.number)
    json.writer.member("path", display.path.text)
    json.writer.name("nodes")
    json.writer.nodes(nodes)
    if let failure { json.writer.member("message", failure) }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    text.write("  \(display.number): ", .dim)
    text.write(display.path.text, .path)
    if let failure { return try text.line(" is not known: \(failure)", .dim) }
    if display.path.isSingular, let node = nodes.first {
      return try text.line(" = \(node.value.description)")
    }
    try text.line(nodes.isEmpty ? " is not there" : "", .dim)
    for node in nodes {
      text.write("     ")
      try text.node(node)
    }
  }
}

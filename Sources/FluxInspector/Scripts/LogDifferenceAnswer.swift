import FluxLog

/// What differs between two logs: `{"a","b","same","actions":[{"op":"add|remove|replace","a"?,"b"?,
/// "type","old"?,"new"?}],"state"?:{"a","b","type"?,"changes"},"unknown"?:[{"store","a","b"}]}`, steps
/// by number.
struct LogDifferenceAnswer: Answer {
  let left: Timeline
  let right: Timeline
  let actions: [ActionDifference]
  let state: StateDifference?
  /// What could not be compared.
  let halfKnown: [HalfKnownState]

  var exitCode: Int32 { isSame ? 0 : 1 }

  private var isSame: Bool { actions.isEmpty && state == nil && halfKnown.isEmpty }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.member("a", left.log.path)
    json.writer.member("b", right.log.path)
    json.writer.name("same")
    json.writer.bool(isSame)
    json.writer.name("actions")
    json.writer.beginArray()
    for action in actions {
      try write(action, to: &json.writer)
      try json.drain()
    }
    json.writer.endArray()
    if let state {
      json.writer.name("state")
      try write(state, to: &json.writer)
    }
    if !halfKnown.isEmpty {
      json.writer.name("unknown")
      json.writer.beginArray()
      for found in halfKnown { write(found, to: &json.writer) }
      json.writer.endArray()
    }
    json.writer.endObject()
  }

  private func write(_ action: ActionDifference, to writer: inout JSONWriter) throws {
    writer.beginObject()
    switch action {
    case .removed(let position):
      try write("remove", left.log.step(at: position), nil, to: &writer)
    case .added(let position):
      try write("add", nil, right.log.step(at: position), to: &writer)
    case .changed(let old, let new):
      try write("replace", left.log.step(at: old), right.log.step(at: new), to: &writer)
    }
    writer.endObject()
  }

  private func write(
    _ kind: String, _ old: LogStep?, _ new: LogStep?, to writer: inout JSONWriter
  ) {
    writer.member("op", kind)
    writer.member("a", old?.number)
    writer.member("b", new?.number)
    writer.member("type", (old ?? new)?.type ?? "")
    writer.member("old", old?.payload)
    writer.member("new", new?.payload)
  }

  private func write(_ found: HalfKnownState, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("store", found.store.text)
    writer.name("a")
    writer.stepNumber(left.stepNumber(at: found.left))
    writer.name("b")
    writer.stepNumber(right.stepNumber(at: found.right))
    writer.endObject()
  }

  private func write(_ state: StateDifference, to writer: inout JSONWriter) throws {
    writer.beginObject()
    writer.name("a")
    writer.stepNumber(left.stepNumber(at: state.left))
    writer.name("b")
    writer.stepNumber(right.stepNumber(at: state.right))
    if let type = try left.log.type(at: state.left) { writer.member("type", type) }
    writer.name("changes")
    writer.beginArray()
    for change in state.changes { writer.change(change) }
    writer.endArray()
    writer.endObject()
  }
}

// MARK: Text

extension LogDifferenceAnswer {
  func write(to text: inout TextOutput) throws {
    guard !isSame else { return try text.line("the same actions led to the same states") }
    try text.line("--- \(left.log.path)", .removed)
    try text.line("+++ \(right.log.path)", .added)
    for action in actions { try write(action, to: &text) }
    if let state { try write(state, to: &text) }
    for found in halfKnown {
      try text.line(
        """
        the state of \(found.store.text) is known in one of the logs alone: from step \
        \(number(left, found.left)) and step \(number(right, found.right)) on
        """)
    }
  }

  private func write(_ state: StateDifference, to text: inout TextOutput) throws {
    if let type = try left.log.type(at: state.left) {
      text.write("the same action led to another state: ", .heading)
      try text.line(
        "\(type), step \(number(left, state.left)) and step \(number(right, state.right))")
    } else {
      try text.line("the initial states differ", .heading)
    }
    if state.changes.isEmpty { try text.line("only one of the two was rejected") }
    for change in state.changes { try text.change(change) }
  }

  private func write(_ action: ActionDifference, to text: inout TextOutput) throws {
    switch action {
    case .removed(let position):
      text.write("- ", .removed)
      try text.step(try left.log.step(at: position))
    case .added(let position):
      text.write("+ ", .added)
      try text.step(try right.log.step(at: position))
    case .changed(let old, let new):
      text.write("~ ", .number)
      let step = try right.log.step(at: new)
      text.write("\(number(left, old)) and \(number(right, new)) ", .number)
      text.write(step.type, .action)
      text.write(": ")
      text.write(payload(try left.log.step(at: old)), .removed)
      text.write(" -> ", .dim)
      try text.line(payload(step), .added)
    }
  }

  private func payload(_ step: LogStep) -> String {
    step.payload?.description.shortened ?? "no payload"
  }

  private func number(_ timeline: Timeline, _ position: Int) -> String {
    timeline.stepNumber(at: position).map(String.init) ?? "-1"
  }
}

extension Timeline {
  /// The number of the step at a position; nil before a step 0.
  fileprivate func stepNumber(at position: Int) -> UInt64? {
    position == Timeline.start && log.header.first == 0 ? nil : number(at: position)
  }
}

import FluxJSON
import FluxLog

extension ExportFormat {
  static let redux = ExportFormat(
    name: "redux",
    help: """
      redux: the lifted state of Redux DevTools, with the action and the whole states of each step. Other facts \
      about a step are in the action's meta. The file is as long as all these states together. It follows the \
      published description of that form; importing it has not been tried.
      """
  ) { try $0.writeLiftedState(to: &$1) }
}

/// The form is that of `liftedState` in @redux-devtools/instrument: `actionsById` has an action for each step,
/// `computedStates` the state after each. Actions are numbered from 1; 0 is `@@INIT`, with the state before
/// the first step.
extension ExportedSteps {
  fileprivate func writeLiftedState(to sink: inout ByteSink) throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("monitorState")
    writer.beginObject()
    writer.endObject()
    try writeActionsByNumber(with: &writer, to: &sink)
    try writeOrder(with: &writer, to: &sink)
    try writeStates(with: &writer, to: &sink)
    writer.name("isLocked")
    writer.bool(false)
    writer.name("isPaused")
    writer.bool(false)
    writer.endObject()
    try sink.take(&writer)
  }

  private func writeActionsByNumber(
    with writer: inout JSONWriter, to sink: inout ByteSink
  ) throws {
    writer.name("actionsById")
    writer.beginObject()
    writer.performed(0, at: created) { $0.initialAction() }
    try forEach { position, step in
      let number = position - positions.lowerBound + 1
      writer.performed(number, at: instant(of: step)) { $0.standardAction(of: step) }
      try sink.take(&writer)
    }
    writer.endObject()
  }

  /// Writes the numbers of all actions, and the one that is shown.
  func writeOrder(with writer: inout JSONWriter, to sink: inout ByteSink) throws {
    writer.name("nextActionId")
    writer.int(positions.count + 1)
    writer.name("stagedActionIds")
    writer.beginArray()
    for number in 0...positions.count {
      writer.int(number)
      if number % Self.numbersAtOnce == 0 { try sink.take(&writer) }
    }
    writer.endArray()
    writer.name("skippedActionIds")
    writer.beginArray()
    writer.endArray()
    writer.name("currentStateIndex")
    writer.int(min(max(here - positions.lowerBound + 1, 0), positions.count))
  }

  /// The count of numbers that are held at once: about 32 KB, half a piece of output.
  private static let numbersAtOnce = 4096

  private func writeStates(with writer: inout JSONWriter, to sink: inout ByteSink) throws {
    writer.name("computedStates")
    writer.beginArray()
    let start = positions.lowerBound - 1
    writer.computed(
      try timeline.model(at: start), unwritten: try timeline.unwrittenStores(at: start))
    try forEach { position, _ in
      writer.computed(
        try timeline.model(at: position), unwritten: try timeline.unwrittenStores(at: position))
      try sink.take(&writer)
    }
    writer.endArray()
  }
}

extension ByteSink {
  fileprivate mutating func take(_ writer: inout JSONWriter) throws {
    append(writer.takeBytes())
    try drain()
  }
}

extension JSONWriter {
  /// Writes an action and the time of its dispatch, in whole milliseconds since 1970.
  fileprivate mutating func performed(
    _ number: Int, at instant: LogInstant, _ action: (inout JSONWriter) -> Void
  ) {
    name(String(number))
    beginObject()
    member("type", "PERFORM_ACTION")
    name("action")
    action(&self)
    name("timestamp")
    int(instant.microseconds / 1_000)
    endObject()
  }

  fileprivate mutating func initialAction() {
    beginObject()
    member("type", "@@INIT")
    endObject()
  }

  /// Writes a step's action as a Flux Standard Action, with other facts about the step in its `meta`.
  fileprivate mutating func standardAction(of step: LogStep) {
    beginObject()
    for member in step.action.members { self.member(member.name, member.value) }
    if step.action["meta"] == nil {
      name("meta")
      circumstances(of: step)
    }
    endObject()
  }

  private mutating func circumstances(of step: LogStep) {
    beginObject()
    member("step", step.number)
    member("target", step.target)
    member("cause", step.cause)
    member("effect", step.effect)
    member("effects", step.effects.json)
    member("at", step.source)
    if let rejection = step.rejection {
      name("rejected")
      beginObject()
      member("reason", rejection.reason)
      member("message", rejection.message)
      member("store", rejection.store)
      endObject()
    }
    endObject()
  }

  /// Writes the states of all stores; an error names the unknown ones.
  fileprivate mutating func computed(_ model: RecordedModel, unwritten: [String]) {
    beginObject()
    name("state")
    raw(model.json)
    let hidden = model.unknownStores.filter { !unwritten.contains($0) }
    var errors: [String] = []
    if !hidden.isEmpty {
      let stores = hidden.joined(separator: ", ")
      errors.append("the state of \(stores) is unknown: lines before it are missing or damaged")
    }
    if !unwritten.isEmpty {
      let stores = unwritten.joined(separator: ", ")
      errors.append("the state of \(stores) is not written here: the recorder was behind")
    }
    if !errors.isEmpty { member("error", errors.joined(separator: "; ")) }
    endObject()
  }
}

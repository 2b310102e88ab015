import FluxLog

extension JSONWriter {
  /// Writes a time as seconds, without zeros at the end.
  mutating func seconds(_ time: LogTime) { raw(time.seconds.utf8) }

  /// Writes the member that says why a step did not commit.
  mutating func rejection(_ rejection: LogRejection) {
    name("rejected")
    beginObject()
    member("reason", rejection.reason)
    member("message", rejection.message)
    member("store", rejection.store)
    endObject()
  }

  /// Writes the nodes that a path selected.
  mutating func nodes(_ nodes: [QueryNode]) {
    beginArray()
    for node in nodes { self.node(node) }
    endArray()
  }

  /// Writes a node: its place as a JSON Pointer from the model, outside it as a normalized path.
  mutating func node(_ node: QueryNode) {
    beginObject()
    let location = node.location
    member("path", location.modelPointer?.description ?? location.normalizedPath)
    name("value")
    raw(node.value)
    endObject()
  }
}

extension TextOutput {
  /// Writes a step on one line: `5 todo/add {"title":"milk"} +1.25s`.
  mutating func step(_ step: LogStep) throws {
    write("\(step.number) ", .number)
    write(step.type, .action)
    if let payload = step.payload { write(" \(payload.description.shortened)") }
    try line(" +\(step.time.seconds)s", .dim)
  }

  /// Writes what a step changed, and what led to it.
  mutating func changes(of step: LogStep, _ changed: [String]) throws {
    if let rejection = step.rejection {
      let store = rejection.store.map { " by \($0)" } ?? ""
      write("  rejected\(store): ", .error)
      try line("\(rejection.reason): \(rejection.message)")
    } else {
      try line("  changed: \(changed.isEmpty ? "nothing" : changed.joined(separator: ", "))", .dim)
    }
    guard let cause = step.cause else { return }
    let effect = step.effect.map { ", by the effect \($0)" } ?? ""
    try line("  caused by step \(cause)\(effect)", .dim)
  }

  /// Writes a node on one line: `todos.items[0] = {"id":1}`.
  mutating func node(_ node: QueryNode) throws {
    write(node.location.shorthand, .path)
    try line(" = \(node.value.description)")
  }
}

extension LogTime {
  /// Seconds without zeros at the end: `1.25`, `3`.
  var seconds: String {
    var text = description[...]
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return String(text)
  }
}

extension String {
  /// What fits on a line beside a step; an ellipsis says that there is more.
  var shortened: String {
    let limit = 100
    guard unicodeScalars.count > limit else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(limit - 1))) + "…"
  }
}

import FluxLog

/// Aliases and what they stand for: `{"aliases":{"name":"text"}}`, or what they stood for before they were
/// deleted: `{"deleted":{"name":"text"}}`.
struct AliasesAnswer: Answer {
  let aliases: [String: String]
  var areDeleted = false

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name(areDeleted ? "deleted" : "aliases")
    json.writer.beginObject()
    for (name, text) in sorted { json.writer.member(name, text) }
    json.writer.endObject()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for (name, expansion) in sorted {
      text.write(name, .heading)
      try text.line(areDeleted ? " deleted; it stood for \(expansion)" : " \(expansion)")
    }
    if aliases.isEmpty { try text.line("no aliases", .dim) }
  }

  private var sorted: [(key: String, value: String)] { aliases.sorted { $0.key < $1.key } }
}

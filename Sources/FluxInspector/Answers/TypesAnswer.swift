import FluxLog

/// The types of actions: `{"types":[{"type","count"}]}`, the most frequent first.
struct TypesAnswer: Answer {
  let counts: TypeCounts

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("types")
    json.writer.types(counts)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws { try text.types(counts) }
}

import FluxLog

/// How many commands of a file were run: `{"commands"}`.
struct SourceAnswer: Answer {
  let count: Int
  let exitCode: Int32

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("commands")
    json.writer.int(count)
    json.writer.endObject()
  }

  /// Each command has said what it has to say.
  func write(to text: inout TextOutput) throws {}
}

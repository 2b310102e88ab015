import FluxLog

/// A test that was written: `{"file","actions"}`.
struct TestAnswer: Answer {
  let path: String
  /// How many actions the test dispatches.
  let actions: Int

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.member("file", path)
    json.writer.name("actions")
    json.writer.int(actions)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line("a test of \(actions.counted("action")) written to \(path)")
  }
}

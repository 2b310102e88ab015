import FluxLog

/// A branch that became a log: `{"file","steps"}`.
struct SaveAnswer: Answer {
  let path: String
  let stepCount: Int

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.member("file", path)
    json.writer.name("steps")
    json.writer.int(stepCount)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line("\(stepCount.counted("step")) saved to \(path)")
  }
}

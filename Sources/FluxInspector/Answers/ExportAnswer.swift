import FluxLog

/// Steps that were written in a form for other tools: `{"file","format","steps"}`.
struct ExportAnswer: Answer {
  let path: String
  let format: ExportFormat
  let stepCount: Int

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.member("file", path)
    json.writer.member("format", format.rawValue)
    json.writer.name("steps")
    json.writer.int(stepCount)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line("\(stepCount.counted("step")) exported to \(path)")
  }
}

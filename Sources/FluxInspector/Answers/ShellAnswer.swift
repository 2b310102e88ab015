import FluxLog

/// How a shell command ended: `{"status","output"}`.
struct ShellAnswer: Answer {
  let result: ShellResult
  /// That of the command whose output it read.
  var exitCode: Int32 = 0

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("status")
    json.writer.int(Int64(result.status))
    json.writer.member("output", result.output)
    json.writer.endObject()
  }

  /// Its output was shown as it came.
  func write(to text: inout TextOutput) throws {}
}

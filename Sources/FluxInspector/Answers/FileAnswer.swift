import FluxLog

/// That something was written to a file: `{"file","bytes"}`.
struct FileAnswer: Answer {
  let path: String
  let byteCount: Int
  /// That of the command whose output it is.
  let exitCode: Int32

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.member("file", path)
    json.writer.name("bytes")
    json.writer.int(byteCount)
    json.writer.endObject()
  }

  /// A note says it: a result it is not.
  func write(to text: inout TextOutput) throws {}
}

import FluxLog

/// Nothing to say but that it was done: `{}`.
struct EmptyAnswer: Answer {
  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {}
}

import FluxLog

/// How many steps match: `{"count":7}`, and `"unknown"` as in ``FindAnswer``.
struct CountAnswer: Answer {
  let count: Int
  var unknownSteps = 0

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("count")
    json.writer.int(count)
    if unknownSteps > 0 {
      json.writer.name("unknown")
      json.writer.int(unknownSteps)
    }
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    try text.line(String(count), .number)
    try text.unjudged(unknownSteps)
  }
}

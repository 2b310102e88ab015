import FluxLog

/// One value: `{"value": …}`, and as text the value alone.
struct ValueAnswer: Answer {
  let value: JSON

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("value")
    json.writer.raw(value)
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws { try text.value(value) }
}

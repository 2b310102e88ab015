import FluxLog

/// The displays and their values here: `{"displays":[{"number","path","nodes"}]}`.
struct DisplaysAnswer: Answer {
  let displays: [DisplayedValue]

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("displays")
    json.writer.beginArray()
    for display in displays { display.write(to: &json) }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    for display in displays { try display.write(to: &text) }
    if displays.isEmpty { try text.line("no displays", .dim) }
  }
}

/// The display that was made: `{"number","path","nodes"}`.
struct DisplayAnswer: Answer {
  let display: DisplayedValue

  func write(to json: inout JSONOutput) throws { display.write(to: &json) }

  func write(to text: inout TextOutput) throws { try display.write(to: &text) }
}

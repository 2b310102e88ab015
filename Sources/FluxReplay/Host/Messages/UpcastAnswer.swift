import FluxLog

/// The answer to `session/upcast`: `{"states":[…]}`, as many and in the same order.
struct UpcastAnswer: Equatable {
  var states: [JSON]

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("states")
    writer.beginArray()
    for state in states { writer.raw(state) }
    writer.endArray()
    writer.endObject()
  }

  init(_ states: [JSON]) { self.states = states }

  init(_ json: JSON) throws(MalformedMessage) {
    states = Array(try Message(json, called: "the answer to upcast").array("states").elements)
  }
}

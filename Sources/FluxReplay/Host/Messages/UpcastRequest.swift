import FluxLog

/// `session/upcast`: `{"session","states":[{"store","state"}]}`.
struct UpcastRequest: Equatable {
  var session: UInt64
  var states: [RecordedState] = []

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.name("states")
    writer.beginArray()
    for state in states {
      writer.beginObject()
      writer.member("store", state.store)
      writer.member("state", state.state)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  init(session: UInt64, states: [RecordedState]) {
    self.session = session
    self.states = states
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to upcast")
    session = try message.integer("session")
    for state in try message.array("states").elements {
      let store = try Message(state, called: "a state to upcast").string("store")
      guard let value = state["state"] else {
        throw MalformedMessage(
          subject: "a state to upcast", member: "state", expected: "a value", found: nil)
      }
      states.append(RecordedState(store: store, state: value))
    }
  }
}

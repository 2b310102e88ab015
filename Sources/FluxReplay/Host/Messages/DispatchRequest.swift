import FluxLog

/// `session/dispatch`: `{"session","actions":[…]}`.
struct DispatchRequest: Equatable {
  var session: UInt64
  var actions: ArraySlice<ReplayAction>

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.name("actions")
    writer.beginArray()
    for action in actions { action.write(to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  init(session: UInt64, actions: ArraySlice<ReplayAction>) {
    self.session = session
    self.actions = actions
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the request to dispatch")
    session = try message.integer("session")
    actions = []
    for action in try message.array("actions").elements {
      actions.append(try ReplayAction(action))
    }
  }
}

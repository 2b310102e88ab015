import FluxLog

/// `session/states`, `session/end`, and the answer to `session/start`: `{"session"}`.
struct SessionReference: Equatable {
  var session: UInt64

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("session", session)
    writer.endObject()
  }

  init(_ session: UInt64) { self.session = session }

  init(_ json: JSON) throws(MalformedMessage) {
    session = try Message(json, called: "the reference to a session").integer("session")
  }
}

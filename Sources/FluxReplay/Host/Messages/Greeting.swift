import FluxLog

/// `initialize`: `{"protocol","client"?}`.
struct Greeting: Equatable {
  var version = HostProtocol.version
  var client: String?

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("protocol", version)
    writer.member("client", client)
    writer.endObject()
  }

  init(client: String?) { self.client = client }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the greeting")
    version = try message.string("protocol")
    client = try message.optionalString("client")
  }
}

import FluxLog

/// The answer to `initialize`: `{"protocol","app":{…},"capabilities"?:{"verify"?}}`.
struct Welcome: Equatable {
  var version = HostProtocol.version
  var app: AppDescription
  /// Whether the host can verify a whole log by itself.
  var verifies: Bool

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("protocol", version)
    writer.member("app", app.json)
    writer.name("capabilities")
    writer.beginObject()
    if verifies {
      writer.name("verify")
      writer.bool(true)
    }
    writer.endObject()
    writer.endObject()
  }

  init(app: AppDescription, verifies: Bool) {
    self.app = app
    self.verifies = verifies
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the answer to initialize")
    version = try message.string("protocol")
    app = try AppDescription(try message.object("app"))
    let capabilities = try message.optionalObject("capabilities") ?? [:]
    verifies =
      try Message(capabilities, called: "the capabilities").optionalBool("verify") ?? false
  }
}

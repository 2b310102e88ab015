import FluxLog

/// An error as an answer: JSON-RPC 2.0, section 5.1.
struct RPCError: Error, Equatable, Sendable {
  /// The codes of the specification, and of this protocol.
  enum Code: Int64 {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    /// The app failed; `data` says how, where that is known.
    case failed = -32000
    /// There was no `initialize` before.
    case notInitialized = -32002
    /// The session was never started, or has ended.
    case noSuchSession = -32003
  }

  var code: Int64
  var message: String
  var data: JSON?

  init(_ code: Code, _ message: String, data: JSON? = nil) {
    self.code = code.rawValue
    self.message = message
    self.data = data
  }

  init(_ malformed: MalformedMessage) {
    self.init(.invalidParams, malformed.description)
  }

  init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "an error")
    guard let code = json["code"]?.number?.int64 else {
      throw MalformedMessage(
        subject: "an error", member: "code", expected: "a whole number", found: json["code"])
    }
    self.code = code
    self.message = try message.string("message")
    data = json["data"]
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("code")
    writer.int(code)
    writer.member("message", message)
    writer.member("data", data)
    writer.endObject()
  }
}

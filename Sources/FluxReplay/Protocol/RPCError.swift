package import FluxJSON
import FluxLog

/// An error answer: JSON-RPC 2.0, section 5.1.
package struct RPCError: Error, Equatable, Sendable {
  /// The error codes of the specification and of this protocol.
  package enum Code: Int64 {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    /// The app failed; `data` has details if they are known.
    case failed = -32000
    /// `initialize` has not been requested.
    case notInitialized = -32002
    /// The session does not exist or has ended.
    case noSuchSession = -32003
  }

  package var code: Int64
  package var message: String
  package var data: JSON?

  package init(_ code: Code, _ message: String, data: JSON? = nil) {
    self.code = code.rawValue
    self.message = message
    self.data = data
  }

  package init(_ malformed: MalformedMessage) {
    self.init(.invalidParams, malformed.description)
  }

  package init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "an error")
    guard let code = json["code"]?.number?.int64 else {
      throw MalformedMessage(
        subject: "an error", member: "code", expected: "a whole number", found: json["code"])
    }
    self.code = code
    self.message = try message.string("message")
    data = json["data"]
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("code")
    writer.int(code)
    writer.member("message", message)
    writer.member("data", data)
    writer.endObject()
  }
}

// A failure of the app crosses the wire as an error whose data name the kind, so the other side can restore
// the failure.

extension RPCError {
  /// Creates the error for a failure of the app.
  package init(_ failure: ReplayFailure) {
    self.init(.failed, failure.description, data: failure.data)
  }
}

extension ReplayFailure {
  /// `{"kind","store"?,"why"?,"problems"?:[{"store","why"}],"step"?,"action"?}`.
  fileprivate var data: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      switch reason {
      case .statesNotRestorable(let problems):
        writer.member("kind", "statesNotRestorable")
        writer.name("problems")
        writer.beginArray()
        for problem in problems { problem.write(to: &writer) }
        writer.endArray()
      case .cannotEncode(let what, let why):
        writer.member("kind", "cannotEncode")
        writer.member("what", what)
        writer.member("why", why)
      case .ended: writer.member("kind", "ended")
      case .cancelled: writer.member("kind", "cancelled")
      default:
        writer.member("kind", "failed")
        writer.member("why", ReplayFailure(reason).description)
      }
      writer.member("step", step)
      writer.member("action", action)
      writer.endObject()
    })
  }

  /// Restores the failure of an error.
  package init(_ error: RPCError, asked method: HostProtocol.Method) {
    let data = error.data ?? .null
    self.init(
      Self.reason(data) ?? .refused(method: method.rawValue, why: error.message),
      step: data["step"]?.number?.uint64, action: data["action"]?.string)
  }

  private static func reason(_ data: JSON) -> Reason? {
    switch data["kind"]?.string {
    case "statesNotRestorable":
      let problems = data["problems"]?.elements.compactMap(StateProblem.init) ?? []
      return problems.isEmpty ? nil : .statesNotRestorable(problems)
    case "cannotEncode":
      guard let what = data["what"]?.string, let why = data["why"]?.string else { return nil }
      return .cannotEncode(what, why: why)
    case "ended": return .ended
    case "cancelled": return .cancelled
    default: return nil
    }
  }
}

extension ReplayFailure.StateProblem {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("store", store)
    writer.member("why", why)
    writer.endObject()
  }

  fileprivate init?(_ json: JSON) {
    guard let store = json["store"]?.string, let why = json["why"]?.string else { return nil }
    self.init(store: store, why: why)
  }
}

package import FluxJSON

/// A received message of JSON-RPC 2.0.
package enum RPCMessage: Equatable {
  case request(id: JSON, method: String, params: JSON)
  case notification(method: String, params: JSON)
  case result(id: JSON, JSON)
  /// An error; the id is null if the request was unreadable.
  case failure(id: JSON, RPCError)

  /// A line that is no message: the error to answer with, and the id; null if the line has none that can be read.
  package struct Unreadable: Error {
    package let id: JSON
    package let answer: RPCError
  }

  package init(_ line: [UInt8]) throws(Unreadable) {
    let json: JSON
    do {
      json = try JSON.parse(line)
    } catch {
      throw Unreadable(
        id: .null, answer: RPCError(.parseError, "the line is not JSON: \(error.message)"))
    }
    do {
      try self.init(json)
    } catch {
      // A client that waits for the answer to its request must not wait for ever.
      let id = json["id"].flatMap { Self.isID($0) ? $0 : nil }
      throw Unreadable(id: id ?? .null, answer: RPCError(.invalidRequest, error.description))
    }
  }

  private static func isID(_ value: JSON) -> Bool {
    value.kind == .string || value.kind == .number || value.kind == .null
  }

  private init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the message")
    guard json["jsonrpc"]?.string == "2.0" else {
      throw message.wrong("jsonrpc", #""2.0""#)
    }
    let id = json["id"]
    if let id, !Self.isID(id) {
      throw message.wrong("id", "a number or a string")
    }
    if let method = try message.optional("method", .string) {
      let params = try message.optional("params", .object) ?? [:]
      self =
        id.map { .request(id: $0, method: method, params: params) }
        ?? .notification(method: method, params: params)
    } else if let error = json["error"] {
      self = .failure(id: id ?? .null, try RPCError(error))
    } else if let result = json["result"], let id {
      self = .result(id: id, result)
    } else {
      throw MalformedMessage(
        subject: "the message", member: nil,
        expected: #"a request with "method", or an answer with "id" and "result" or "error""#,
        found: json)
    }
  }
}

/// Writes messages of JSON-RPC 2.0, each as a line.
package enum RPCLine {
  package static func request(
    _ id: UInt64, _ method: AppProtocol.Method, _ params: some Encodable
  ) -> [UInt8] {
    line(Content(id: JSON(message: id), method: method.rawValue, params: params))
  }

  package static func notification(
    _ method: AppProtocol.Notification, _ params: some Encodable
  ) -> [UInt8] {
    line(Content(method: method.rawValue, params: params))
  }

  package static func result(_ id: JSON, _ result: some Encodable) -> [UInt8] {
    line(Content(id: id, result: result))
  }

  package static func failure(_ id: JSON, _ error: RPCError) -> [UInt8] {
    line(Content(id: id, error: error))
  }

  /// Returns `true` for a line without a message, which either side ignores.
  package static func isBlank(_ line: [UInt8]) -> Bool {
    line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
  }

  private struct Content<Value: Encodable>: Encodable {
    let jsonrpc = "2.0"
    var id: JSON?
    var method: String?
    var params: Value?
    var result: Value?
    var error: Value?
  }

  private static func line(_ content: some Encodable) -> [UInt8] {
    var bytes: [UInt8]
    do {
      bytes = try LogEncoder(order: .declaration).bytes(of: content)
    } catch {
      preconditionFailure("a message of the protocol encodes nothing: \(error)")
    }
    // Values are written verbatim and may span several lines. Strings contain no line ends, so each line end
    // is a blank between two tokens.
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: " ")
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

/// An error answer: JSON-RPC 2.0, section 5.1.
package struct RPCError: Error, Equatable, Sendable, Encodable {
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
    code = try message.required("code", .signedInteger)
    self.message = try message.required("message", .string)
    data = json["data"]
  }
}

// A failure of the app crosses the wire as an error whose data name the kind, so the other side can restore
// the failure.

extension RPCError {
  package init(_ failure: ReplayFailure) {
    var data = FailureData(kind: "failed", step: failure.step, action: failure.action)
    switch failure.reason {
    case .statesNotRestorable(let problems):
      (data.kind, data.problems) = ("statesNotRestorable", problems)
    case .cannotEncode(let what, let why):
      (data.kind, data.what, data.why) = ("cannotEncode", what, why)
    case .ended: data.kind = "ended"
    case .cancelled: data.kind = "cancelled"
    default: data.why = ReplayFailure(failure.reason).description
    }
    self.init(.failed, failure.description, data: JSON(message: data))
  }

  private struct FailureData: Encodable {
    var kind: String
    var problems: [ReplayFailure.StateProblem]?
    var what: String?
    var why: String?
    let step: UInt64?
    let action: String?
  }
}

extension ReplayFailure {
  package init(_ error: RPCError, asked method: AppProtocol.Method) {
    let data = error.data ?? .null
    self.init(
      Self.reason(data) ?? .refused(method: method.rawValue, why: error.message),
      step: data["step"]?.number?.uint64, action: data["action"]?.string)
  }

  private static func reason(_ data: JSON) -> Reason? {
    switch data["kind"]?.string {
    case "statesNotRestorable":
      let problems = data["problems"]?.elements.compactMap { problem -> StateProblem? in
        guard let store = problem["store"]?.string, let why = problem["why"]?.string else {
          return nil
        }
        return StateProblem(store: store, why: why, redacted: problem["redacted"]?.string)
      }
      return problems.flatMap { $0.isEmpty ? nil : .statesNotRestorable($0) }
    case "cannotEncode":
      guard let what = data["what"]?.string, let why = data["why"]?.string else { return nil }
      return .cannotEncode(what, why: why)
    case "ended": return .ended
    case "cancelled": return .cancelled
    default: return nil
    }
  }
}

package import FluxJSON
import FluxLog

/// A received message of JSON-RPC 2.0.
package enum RPCMessage: Equatable {
  case request(id: JSON, method: String, params: JSON)
  case notification(method: String, params: JSON)
  case result(id: JSON, JSON)
  /// An error; the id is null if the request was unreadable.
  case failure(id: JSON, RPCError)

  /// Reads a line.
  package init(_ line: [UInt8]) throws(RPCError) {
    let json: JSON
    do {
      json = try JSON.parse(line)
    } catch {
      throw RPCError(.parseError, "the line is not JSON: \(error.message)")
    }
    do {
      try self.init(json)
    } catch {
      throw RPCError(.invalidRequest, error.description)
    }
  }

  private init(_ json: JSON) throws(MalformedMessage) {
    let message = try Message(json, called: "the message")
    guard json["jsonrpc"]?.string == "2.0" else {
      throw MalformedMessage(
        subject: "the message", member: "jsonrpc", expected: #""2.0""#, found: json["jsonrpc"])
    }
    let id = json["id"]
    if let id, id.kind != .string, id.kind != .number, id.kind != .null {
      throw MalformedMessage(
        subject: "the message", member: "id", expected: "a number or a string", found: id)
    }
    if let method = try message.optionalString("method") {
      let params = try message.optionalObject("params") ?? [:]
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
    _ id: UInt64, _ method: HostProtocol.Method, _ params: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    line { writer in
      writer.member("id", id)
      writer.member("method", method.rawValue)
      writer.name("params")
      params(&writer)
    }
  }

  package static func notification(
    _ method: HostProtocol.Notification, _ params: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    line { writer in
      writer.member("method", method.rawValue)
      writer.name("params")
      params(&writer)
    }
  }

  package static func result<Failure>(
    _ id: JSON, _ result: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    try line { (writer) throws(Failure) in
      writer.member("id", id)
      writer.name("result")
      try result(&writer)
    }
  }

  package static func failure(_ id: JSON, _ error: RPCError) -> [UInt8] {
    line { writer in
      writer.member("id", id)
      writer.name("error")
      error.write(to: &writer)
    }
  }

  private static func line<Failure>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    try members(&writer)
    writer.endObject()
    var bytes = writer.bytes
    // Values are written verbatim and may span several lines. Strings contain no line ends, so each line end
    // is a blank between two tokens.
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: " ")
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

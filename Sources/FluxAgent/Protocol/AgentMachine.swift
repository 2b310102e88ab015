import FluxJSON
import FluxSystem

/// The members of an object, in their order.
typealias JSONMembers = [(name: String, value: JSON)]

/// A request that takes work, which a thread answers.
struct AgentRequest: Sendable {
  /// The call's number in this server, which is never used again.
  let serial: Int
  let id: RequestID
  let method: String
  let parameters: JSON
  let era: ProtocolEra
  /// The token with which the client wants to hear of progress.
  let progressToken: RequestID?
}

/// The protocol as a state machine without input and output: lines of the client in, lines for the client out.
///
/// Both eras are spoken at once, because each request says which one it is of. A server that keeps the era of the first
/// message fails with clients that ask `server/discover`, give up and begin with `initialize`.
struct AgentMachine {
  /// The consequences of a line of the client.
  enum Outcome: Sendable {
    /// A line for the client.
    case send([UInt8])
    /// A request to answer with ``answer(_:_:)``.
    case call(AgentRequest)
    /// The request with this serial number is cancelled: its work ends, and its answer is not sent.
    case cancel(serial: Int)
  }

  private let catalogue: Catalogue
  private var underWay: [RequestID: Int] = [:]
  private var lastSerial = 0

  /// Makes a machine for the tools, prompts and resources of a server.
  init(_ catalogue: Catalogue) { self.catalogue = catalogue }

  // MARK: Receiving

  /// Takes a line of the client, without its end.
  mutating func receive(_ line: [UInt8]) -> [Outcome] {
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return [] }
    let message: JSON
    do throws(JSONError) {
      message = try JSON.parse(line)
    } catch {
      return [
        .send(
          Self.failure(
            nil,
            ProtocolError(
              .parse,
              "the line is not JSON: \(error.message); a message is one object on one line")))
      ]
    }
    do throws(ProtocolError) {
      return try receive(message)
    } catch {
      return [
        .send(
          Self.failure(message.kind == .object ? message["id"].flatMap(RequestID.init) : nil, error)
        )
      ]
    }
  }

  private mutating func receive(_ message: JSON) throws(ProtocolError) -> [Outcome] {
    guard message.kind != .array else {
      throw ProtocolError(
        .invalidRequest, "batches are not part of the protocol; send one message a line")
    }
    guard message.kind == .object, message["jsonrpc"]?.string == "2.0" else {
      throw ProtocolError(
        .invalidRequest,
        #"a message is an object with "jsonrpc":"2.0", a "method", and an "id" if it asks for an answer"#
      )
    }
    guard let named = message["method"] else {
      // An answer to a request: this server makes none.
      guard message["result"] == nil, message["error"] == nil else { return [] }
      throw ProtocolError(.invalidRequest, "the method is missing")
    }
    guard let method = named.string else {
      throw ProtocolError(.invalidRequest, "the method is not a text")
    }
    guard let written = message["id"] else { return notice(method, message["params"] ?? [:]) }
    guard let id = RequestID(written) else {
      throw ProtocolError(
        .invalidRequest, "the id is not an integer or a text of at most 400 bytes")
    }
    let parameters = message["params"] ?? [:]
    guard parameters.kind == .object else {
      throw ProtocolError(.invalidParameters, "the params are not an object")
    }
    return try request(id, method, parameters)
  }

  private mutating func notice(_ method: String, _ parameters: JSON) -> [Outcome] {
    guard method == "notifications/cancelled", parameters.kind == .object,
      let id = parameters["requestId"].flatMap(RequestID.init),
      let serial = underWay.removeValue(forKey: id)
    else { return [] }
    return [.cancel(serial: serial)]
  }

  private mutating func request(
    _ id: RequestID, _ method: String, _ parameters: JSON
  ) throws(ProtocolError) -> [Outcome] {
    let metadata = parameters["_meta"]
    if method == "initialize" {
      return [.send(Self.success(id, try catalogue.initialization(parameters)))]
    }
    let era = try Self.era(method, metadata)
    switch (method, era) {
    case ("ping", .session): return [.send(Self.success(id, []))]
    case ("server/discover", .stateless): return [.send(success(id, method, catalogue.discovery))]
    case ("tools/list", _), ("prompts/list", _), ("resources/templates/list", _):
      guard parameters["cursor"]?.isNull ?? true else {
        throw ProtocolError(
          .invalidParameters, "\(method): the list has a single page, so it takes no cursor")
      }
      return [.send(success(id, method, catalogue.list(method), era))]
    case ("tools/call", _), ("prompts/get", _), ("resources/list", _), ("resources/read", _): break
    default:
      throw ProtocolError(
        .unknownMethod,
        "no method \(method.shownInError); there are \(Self.methods(of: era).joined(separator: ", "))"
      )
    }
    guard underWay[id] == nil else {
      throw ProtocolError(.invalidRequest, "a request with this id is under way; use each id once")
    }
    lastSerial += 1
    underWay[id] = lastSerial
    let token = metadata?.kind == .object ? metadata?["progressToken"] : nil
    return [
      .call(
        AgentRequest(
          serial: lastSerial, id: id, method: method, parameters: parameters, era: era,
          progressToken: token.flatMap(RequestID.init)))
    ]
  }

  private static func methods(of era: ProtocolEra) -> [String] {
    (era == .session ? ["initialize", "ping"] : ["server/discover"]) + [
      "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
      "prompts/list", "prompts/get",
    ]
  }

  // MARK: The era

  private static func era(
    _ method: String, _ metadata: JSON?
  ) throws(ProtocolError) -> ProtocolEra {
    let prefix = "io.modelcontextprotocol/"
    let isObject = metadata?.kind == .object
    let version = isObject ? metadata?[prefix + "protocolVersion"] : nil
    let capabilities = isObject ? metadata?[prefix + "clientCapabilities"] : nil
    guard let version else {
      guard method != "server/discover", capabilities == nil else {
        throw ProtocolError(.invalidParameters, "_meta lacks \(prefix)protocolVersion")
      }
      return .session
    }
    guard let text = version.string else {
      throw ProtocolError(.invalidParameters, "_meta: \(prefix)protocolVersion is not a text")
    }
    guard text == ProtocolEra.statelessVersion else {
      throw ProtocolError(
        .unknownVersion, "unsupported protocol version",
        data: [
          "supported": [.init(stringLiteral: ProtocolEra.statelessVersion)], "requested": version,
        ])
    }
    guard capabilities?.kind == .object else {
      throw ProtocolError(.invalidParameters, "_meta lacks \(prefix)clientCapabilities, an object")
    }
    return .stateless
  }

  // MARK: Sending

  /// Ends a request; nil if it was cancelled, because nothing is sent for it then.
  mutating func answer(
    _ request: AgentRequest, _ result: Result<JSONMembers, ProtocolError>
  ) -> [UInt8]? {
    guard underWay[request.id] == request.serial else { return nil }
    underWay[request.id] = nil
    switch result {
    case .failure(let error): return Self.failure(request.id, error)
    case .success(let members): return success(request.id, request.method, members, request.era)
    }
  }

  /// The line that tells of a request's progress; nil if the request is over or its client does not want to know.
  func progress(
    of request: AgentRequest, _ progress: Int, total: Int, _ message: String
  ) -> [UInt8]? {
    guard let token = request.progressToken, underWay[request.id] == request.serial else {
      return nil
    }
    return Self.line { writer in
      writer.member("method", "notifications/progress")
      writer.name("params")
      writer.beginObject()
      writer.name("progressToken")
      token.append(to: &writer)
      writer.name("progress")
      writer.int(progress)
      writer.name("total")
      writer.int(total)
      writer.member("message", message)
      writer.endObject()
    }
  }

  private func success(
    _ id: RequestID, _ method: String, _ members: JSONMembers,
    _ era: ProtocolEra = .stateless
  ) -> [UInt8] {
    guard era == .stateless else { return Self.success(id, members) }
    var members = members
    members.append(("resultType", "complete"))
    if method.hasSuffix("/list") || method == "server/discover" || method == "resources/read" {
      members += [("ttlMs", 0), ("cacheScope", "private")]
    }
    members.append(("_meta", ["io.modelcontextprotocol/serverInfo": catalogue.server]))
    return Self.success(id, members)
  }

  private static func success(_ id: RequestID, _ members: JSONMembers) -> [UInt8] {
    line { writer in
      writer.name("id")
      id.append(to: &writer)
      writer.name("result")
      writer.beginObject()
      for member in members {
        writer.name(member.name)
        WireText.append(member.value, to: &writer, level: 2)
      }
      writer.endObject()
    }
  }

  /// The line that refuses a message, whose id is nil if it is unknown.
  static func failure(_ id: RequestID?, _ error: ProtocolError) -> [UInt8] {
    line { writer in
      writer.name("id")
      if let id { id.append(to: &writer) } else { writer.null() }
      writer.name("error")
      writer.beginObject()
      writer.name("code")
      writer.int(error.code.rawValue)
      writer.name("message")
      WireText.append(JSON(stringLiteral: error.message), to: &writer, level: 2)
      if let data = error.data {
        writer.name("data")
        WireText.append(data, to: &writer, level: 2)
      }
      writer.endObject()
    }
  }

  private static func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    body(&writer)
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

extension String {
  /// The beginning of the text: the Unicode scalars that a number of UTF-8 bytes has room for.
  ///
  /// One character may have any number of scalars, so characters do not measure a text.
  func cut(toBytes count: Int) -> String {
    guard utf8.count > count else { return self }
    var size = 0
    return String(
      UnicodeScalarView(
        unicodeScalars.prefix { scalar in
          size += UTF8.width(scalar)
          return size <= count
        }))
  }

  /// The text without the Unicode scalars that a number of UTF-8 bytes has room for.
  func dropping(bytes count: Int) -> String {
    String(
      UnicodeScalarView(unicodeScalars.dropFirst(cut(toBytes: count).unicodeScalars.count)))
  }

  /// The text for a message about it, on one line and not too long.
  var shownInError: String {
    let beginning = String(String.UnicodeScalarView(unicodeScalars.prefix(80)))
    let isCut = beginning.unicodeScalars.count < unicodeScalars.count
    return "'\(beginning.printable(as: .json))\(isCut ? "…" : "")'"
  }
}

import FluxJSON

/// The identifier that a client gave a request: an integer or a text, which the answer repeats.
struct RequestID: Sendable, Hashable {
  /// The longest identifier in bytes; an integer has at most 400 digits, which every client can read.
  private static let longest = 400

  let json: JSON

  /// Takes the identifier of a message; nil if it is neither an integer nor a text that every client can read.
  init?(_ json: JSON) {
    let text = json.text
    guard text.utf8.count <= Self.longest else { return nil }
    switch json.kind {
    case .number:
      guard text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }) else { return nil }
      self.json = json
    case .string:
      guard let text = json.string, !WireText.shown(string: json.text).hasHalves else { return nil }
      self.json = JSON(stringLiteral: text)
    default: return nil
    }
  }

  /// Appends the identifier, in which everything shows; an integer has all its digits.
  func append(to writer: inout JSONWriter) {
    guard json.kind == .string else { return writer.raw(json) }
    WireText.append(json, to: &writer, level: 1)
  }
}

/// The two protocols that a client may speak, told apart by each request.
enum ProtocolEra: Sendable, Equatable {
  /// From 2024-11-05 to 2025-11-25: a session that `initialize` begins.
  case session
  /// From 2026-07-28: each request names its version.
  case stateless

  /// The versions of sessions, the oldest first.
  static let sessionVersions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
  /// The version of requests that name one.
  static let statelessVersion = "2026-07-28"
}

/// An error of the protocol: its code, and a message that says what would be right.
struct ProtocolError: Error, Sendable, Equatable {
  /// The codes of JSON-RPC, and of the protocol.
  enum Code: Int {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case internalError = -32603
    case unknownVersion = -32022
  }

  let code: Code
  let message: String
  var data: JSON?

  init(_ code: Code, _ message: String, data: JSON? = nil) {
    (self.code, self.message, self.data) = (code, message, data)
  }
}

/// A request to the page's server, without a socket.
public struct PageHTTPRequest: Sendable {
  /// The largest body that is read, from a client that has the token.
  public static let largestBody = 1 << 20

  /// The method, such as `GET`.
  public var method: String
  /// The path, without a query.
  public var path: String
  /// The header `Host`.
  public var host: String?
  /// The header `Origin`.
  public var origin: String?
  /// The header `X-Flux-Token`.
  public var token: String?
  /// The header `X-Flux-Session`.
  public var session: String?
  /// The header `Accept-Encoding`.
  public var encodings: String?
  /// The body.
  public var body: [UInt8] = []
}

/// The response of the page's server.
public struct PageHTTPResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// Lines that come one after the other, until the client leaves.
    case events(PageEvents)
  }

  /// The status, such as 200.
  public var status: Int
  /// The headers; the server adds those of the connection.
  public var headers: [(name: String, value: String)]
  /// The body.
  public var body: Body

  static func bytes(
    _ type: String, _ bytes: [UInt8], status: Int = 200, _ headers: [(String, String)] = []
  ) -> PageHTTPResponse {
    PageHTTPResponse(
      status: status,
      headers: common + [(name: "Content-Type", value: type)]
        + headers.map { (name: $0, value: $1) }, body: .bytes(bytes))
  }

  static func error(_ error: PageError, _ headers: [(String, String)] = []) -> PageHTTPResponse {
    bytes("application/json", error.bytes, status: error.status, headers)
  }

  /// The headers of each response.
  static let common: [(name: String, value: String)] = [
    ("Cache-Control", "no-store"),
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
  ]

  // MARK: On the wire

  /// The answer to a client that waits before it sends the body.
  public static let permission = Array("HTTP/1.1 100 \r\n\r\n".utf8)

  /// Returns the status and the headers.
  ///
  /// - Parameters:
  ///   - length: The number of bytes of the body; nil for one that is sent in chunks.
  ///   - isLast: `true` if the connection ends with the response.
  /// - Returns: The bytes before the body.
  public func head(length: Int?, isLast: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) "] + headers.map { "\($0.name): \($0.value)" }
    lines.append(length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked")
    if isLast { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Returns a piece of a body that is sent in chunks; no bytes end it.
  public static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }
}

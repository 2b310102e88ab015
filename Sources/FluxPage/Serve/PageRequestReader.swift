import FluxSystem
import Foundation

/// The head of a request, which is checked before the body is read.
public struct PageHTTPHead: Sendable {
  /// The request, without its body.
  public var request: PageHTTPRequest
  /// The number of bytes of the body.
  public var bodyLength = 0
  /// `true` if the client sends no further request on the connection.
  public var isLast = false
  /// `true` if the client sends the body only when it is told to.
  public var awaitsPermission = false
}

/// Takes the requests of a client out of the bytes of its connection (HTTP/1.1).
public struct PageRequestReader: Sendable {
  /// The largest head, in bytes; browsers send less than two thousand.
  public static let longestHead = 16 << 10

  /// The result of a look at the bytes so far.
  public enum Next: Sendable {
    /// The head is not complete.
    case incomplete
    case head(PageHTTPHead)
    /// The answer to bytes that are no request. The connection ends after it.
    case refusal(PageHTTPResponse)
  }

  private var stream = LineSplitter()
  /// The lines of the head so far, and the bytes that they take.
  private var lines: [String] = []
  private var headCount = 0

  /// Makes a reader for a connection.
  public init() {}

  /// Adds bytes of the connection.
  public mutating func append(_ bytes: [UInt8]) { stream.append(bytes) }

  /// Takes the next head.
  public mutating func next() -> Next {
    do throws(PageError) {
      guard try readLines() else { return .incomplete }
      let head = try PageHTTPHead(lines: lines)
      (lines, headCount) = ([], 0)
      return .head(head)
    } catch {
      return .refusal(.error(error))
    }
  }

  /// Takes the body after a head; nil if it is not complete.
  public mutating func takeBody(_ count: Int) -> [UInt8]? { stream.next(count) }

  /// Reads lines up to the empty one after the head; returns `false` if that is still to come.
  private mutating func readLines() throws(PageError) -> Bool {
    while var line = stream.next() {
      headCount += line.count + 1
      guard headCount <= Self.longestHead else { break }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.isEmpty {
        // Empty lines before a request are ignored.
        if lines.isEmpty { continue }
        return true
      }
      guard let text = String(validating: line, as: UTF8.self) else {
        throw PageError(.badRequest, "a header is not UTF-8")
      }
      guard line.allSatisfy(\.isHeaderByte) else {
        throw PageError(.badRequest, "a header has a control character")
      }
      lines.append(text)
    }
    guard headCount + stream.pendingCount <= Self.longestHead else {
      throw PageError(.headTooLarge, "the headers have more than \(Self.longestHead) bytes")
    }
    return false
  }
}

extension PageHTTPHead {
  /// The headers that count; two of one name have no meaning.
  private static let known: Set<String> = [
    "host", "origin", "x-flux-token", "x-flux-session", "accept-encoding", "content-length",
    "transfer-encoding", "connection", "expect",
  ]
  private static let blanks = CharacterSet(charactersIn: " \t")

  fileprivate init(lines: [String]) throws(PageError) {
    let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].hasPrefix("/"), parts[2] == "HTTP/1.1" else {
      throw PageError(.badRequest, "expected a request of HTTP/1.1")
    }
    let headers = try Self.headers(lines.dropFirst())
    let path = parts[1].prefix { $0 != "?" }
    request = PageHTTPRequest(
      method: String(parts[0]), path: String(path), host: headers["host"],
      origin: headers["origin"], token: headers["x-flux-token"],
      session: headers["x-flux-session"], encodings: headers["accept-encoding"])
    let mayHaveBody = request.method == "POST"
    guard headers["transfer-encoding"] == nil, !mayHaveBody || headers["content-length"] != nil
    else {
      throw PageError(.lengthMissing, "the request has no Content-Length")
    }
    if let length = headers["content-length"] {
      guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length) else {
        throw PageError(.badRequest, "Content-Length is not a number of bytes")
      }
      bodyLength = count
    }
    isLast = headers["connection"]?.lowercased().contains("close") == true
    awaitsPermission = headers["expect"]?.lowercased() == "100-continue"
  }

  private static func headers(
    _ lines: some Sequence<String>
  ) throws(PageError) -> [String: String] {
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        !line[..<colon].contains(where: \.isWhitespace)
      else { throw PageError(.badRequest, "a header has no name") }
      let name = line[..<colon].lowercased()
      guard known.contains(name) else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: blanks)
      guard headers.updateValue(value, forKey: name) == nil else {
        throw PageError(.badRequest, "there are two headers \(name)")
      }
    }
    return headers
  }
}

extension UInt8 {
  /// `false` for a control character other than a tab.
  fileprivate var isHeaderByte: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}

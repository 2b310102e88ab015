import FluxSystem

/// Splits a stream of bytes into the messages of the Debug Adapter Protocol.
///
/// Each message is a header, `Content-Length: N`, an empty line, and N bytes of JSON. The protocol has one other field,
/// `Content-Type`. Any other one ends the stream, because a web page can make a browser post to a port.
struct MessageFraming {
  /// A stream that is not the protocol's.
  struct Malformed: Error, Equatable {
    let message: String
  }

  /// The longest header; clients send about thirty bytes.
  static let longestHeader = 8 << 10
  /// The longest message; clients send a few kilobytes.
  static let longestMessage = 64 << 20

  private var stream = LineSplitter()
  /// The bytes of the header that were read, and the length that it states.
  private var header: (byteCount: Int, length: Int?) = (0, nil)
  /// The length of the message that follows; nil if its header is not complete.
  private var length: Int?

  mutating func append(_ bytes: [UInt8]) { stream.append(bytes) }

  /// Takes the next message, of at most `longest` bytes; nil if it is incomplete.
  ///
  /// - Throws: ``Malformed`` if the stream is not the protocol's.
  mutating func next(longest: Int = longestMessage) throws(Malformed) -> [UInt8]? {
    if length == nil { length = try readHeader() }
    guard let length else { return nil }
    guard length <= longest else {
      throw Malformed(
        message: "a message has \(length) bytes; no request here has more than \(longest)")
    }
    guard let message = stream.next(length) else { return nil }
    self.length = nil
    return message
  }

  private mutating func readHeader() throws(Malformed) -> Int? {
    while var line = stream.next() {
      header.byteCount += line.count + 1
      guard header.byteCount <= Self.longestHeader + 1 else { break }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard !line.isEmpty else {
        guard let length = header.length else {
          throw Malformed(message: "a header has no Content-Length")
        }
        header = (0, nil)
        return length
      }
      header.length = try Self.length(line) ?? header.length
    }
    guard header.byteCount + stream.pendingCount <= Self.longestHeader else {
      throw Malformed(message: "a header is longer than \(Self.longestHeader) bytes")
    }
    return nil
  }

  /// The length if the line states it; nil for another field.
  private static func length(_ line: [UInt8]) throws(Malformed) -> Int? {
    guard let text = String(validating: line, as: UTF8.self),
      let colon = text.firstIndex(of: ":")
    else {
      let shown = String(decoding: line.prefix(60), as: UTF8.self)
      throw Malformed(
        message: "expected Content-Length or Content-Type, found \"\(shown)\"")
    }
    let name = text[..<colon].lowercased()
    guard name == "content-length" else {
      guard name != "content-type" else { return nil }
      throw Malformed(
        message: "expected Content-Length or Content-Type, found \"\(text.prefix(60))\"")
    }
    let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(value) else {
      throw Malformed(message: "Content-Length is \"\(value)\", not a number of bytes")
    }
    return length
  }

  /// Returns a message with its header.
  static func framed(_ message: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
  }
}

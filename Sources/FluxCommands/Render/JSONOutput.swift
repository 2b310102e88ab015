package import FluxJSON
import FluxSystem

package struct JSONOutput {
  private static let encoder = LogEncoder(order: .declaration)

  private(set) var sink: ByteSink
  private var layout: JSONStreamLayout

  package init(_ sink: ByteSink, _ style: JSONStreamLayout.Style) {
    self.sink = sink
    layout = JSONStreamLayout(style)
  }

  mutating func raw(_ text: String) throws {
    try layout.append(Array(text.utf8), to: &sink)
  }

  /// Writes a value; a value that cannot be encoded leaves no separator behind.
  mutating func value(_ value: some Encodable, separator: String = "") throws {
    let bytes = try Self.encoder.bytes(of: value)
    if !separator.isEmpty { try raw(separator) }
    try layout.append(bytes, to: &sink)
  }

  /// Writes the members of an object, without its braces; returns `false` if there are none.
  mutating func members(of object: some Encodable, separator: String = "") throws -> Bool {
    let bytes = try Self.encoder.bytes(of: object)
    guard bytes.count > 2 else { return false }
    try raw(separator)
    try layout.append(Array(bytes.dropFirst().dropLast()), to: &sink)
    return true
  }

  /// Starts the document again, if none of it was passed on; returns `false` if it is too late for that.
  mutating func restart() -> Bool {
    guard !sink.hasBegun else { return false }
    sink.discard()
    layout.restart()
    return true
  }

  /// Ends the document with a line end, and passes on all of it.
  package mutating func finish() throws {
    sink.append(UInt8(ascii: "\n"))
    try sink.flush()
  }
}

/// Lays out JSON that comes in pieces: on one line, or each element and member on its own.
///
/// The text is known to be JSON. Blanks between values are left out, and strings get escapes for all that must not be
/// shown as it is.
package struct JSONStreamLayout {
  package enum Style: Sendable {
    case line
    case pretty
  }

  private let style: Style
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var output = TextGuard(atLineStart: false)
  /// `true` if a container was begun and is still empty.
  private var isEmpty = false
  /// The first bytes of a scalar beyond ASCII, and the number of those that follow.
  private var pending: (bytes: [UInt8], missing: Int) = ([], 0)

  package init(_ style: Style) { self.style = style }

  mutating func restart() { self = JSONStreamLayout(style) }

  /// Lays out a value on several lines, without the end of the last one.
  static func lay(out json: JSON, to sink: inout ByteSink) throws {
    var writer = JSONWriter()
    writer.raw(json)
    var layout = JSONStreamLayout(.pretty)
    try layout.append(writer.takeBytes(), to: &sink)
  }

  package mutating func append(_ bytes: [UInt8], to sink: inout ByteSink) throws {
    // A call of the sink for each byte would cost more than the layout.
    var laidOut: [UInt8] = []
    laidOut.reserveCapacity(min(bytes.count, Self.handedOn))
    for byte in bytes {
      if isInString {
        appendInString(byte, to: &laidOut)
      } else {
        appendBetween(byte, to: &laidOut)
      }
      guard laidOut.count >= Self.handedOn else { continue }
      sink.append(laidOut)
      laidOut.removeAll(keepingCapacity: true)
      try sink.drain()
    }
    sink.append(laidOut)
    try sink.drain()
  }

  /// The number of bytes that are handed on to the sink at once.
  private static let handedOn = 4096

  private mutating func appendInString(_ byte: UInt8, to bytes: inout [UInt8]) {
    guard byte < 0x80 else { return appendPart(byte, to: &bytes) }
    guard output.passes(ascii: byte) else {
      return bytes.append(contentsOf: Unicode.Scalar(byte).escape(as: .json).utf8)
    }
    if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    bytes.append(byte)
  }

  private mutating func appendPart(_ byte: UInt8, to bytes: inout [UInt8]) {
    isEscaped = false
    if pending.missing == 0 {
      pending.missing = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
    } else {
      pending.missing -= 1
    }
    pending.bytes.append(byte)
    guard pending.missing == 0 else { return }
    let scalar = String(decoding: pending.bytes, as: UTF8.self).unicodeScalars.first
    if let scalar, output.escapes(scalar) {
      bytes.append(contentsOf: scalar.escape(as: .json).utf8)
    } else {
      bytes.append(contentsOf: pending.bytes)
    }
    pending.bytes.removeAll(keepingCapacity: true)
  }

  private mutating func appendBetween(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      return
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      beginItem(in: &bytes)
      bytes.append(byte)
      depth += 1
      isEmpty = true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if !isEmpty { breakLine(in: &bytes) }
      isEmpty = false
      bytes.append(byte)
    case UInt8(ascii: ","):
      bytes.append(byte)
      breakLine(in: &bytes)
    case UInt8(ascii: ":"):
      bytes.append(byte)
      if style == .pretty { bytes.append(UInt8(ascii: " ")) }
    default:
      beginItem(in: &bytes)
      bytes.append(byte)
      isInString = byte == UInt8(ascii: "\"")
      if isInString { output = TextGuard(atLineStart: false) }
    }
  }

  private mutating func beginItem(in bytes: inout [UInt8]) {
    guard isEmpty else { return }
    isEmpty = false
    breakLine(in: &bytes)
  }

  private func breakLine(in bytes: inout [UInt8]) {
    guard style == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

/// Lays JSON out that comes in pieces: on one line, or each element and member on its own.
///
/// The text is known to be JSON. Blanks between values are left out, and what a terminal may take
/// for more than a sign is escaped in strings, where JSON leaves it as it is.
struct JSONLayout {
  enum Style: Sendable {
    case line
    case pretty
  }

  private let style: Style
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether a container was begun and nothing is in it yet.
  private var isEmpty = false
  /// The bytes of a scalar beyond ASCII that has begun, and how many are to follow.
  private var pending: (bytes: [UInt8], missing: Int) = ([], 0)

  init(_ style: Style) { self.style = style }

  /// Takes more of the text, and hands it on in pieces.
  mutating func append(_ bytes: [UInt8], to sink: inout ByteSink) throws {
    for byte in bytes {
      if isInString {
        appendInString(byte, to: &sink)
      } else {
        appendBetween(byte, to: &sink)
      }
      try sink.drain()
    }
  }

  private mutating func appendInString(_ byte: UInt8, to sink: inout ByteSink) {
    guard byte < 0x80 else { return appendPart(byte, to: &sink) }
    if byte == 0x7F { return sink.append(Unicode.Scalar(byte).escape.utf8) }
    if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    sink.append(byte)
  }

  /// Takes a byte of a scalar beyond ASCII.
  private mutating func appendPart(_ byte: UInt8, to sink: inout ByteSink) {
    isEscaped = false
    if pending.missing == 0 {
      pending.missing = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
    } else {
      pending.missing -= 1
    }
    pending.bytes.append(byte)
    guard pending.missing == 0 else { return }
    let scalar = String(decoding: pending.bytes, as: UTF8.self).unicodeScalars.first
    if let scalar, scalar.isControl {
      sink.append(scalar.escape.utf8)
    } else {
      sink.append(pending.bytes)
    }
    pending.bytes.removeAll(keepingCapacity: true)
  }

  private mutating func appendBetween(_ byte: UInt8, to sink: inout ByteSink) {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      return
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      beginItem(in: &sink)
      sink.append(byte)
      depth += 1
      isEmpty = true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if !isEmpty { breakLine(in: &sink) }
      isEmpty = false
      sink.append(byte)
    case UInt8(ascii: ","):
      sink.append(byte)
      breakLine(in: &sink)
    case UInt8(ascii: ":"):
      sink.append(byte)
      if style == .pretty { sink.append(UInt8(ascii: " ")) }
    default:
      beginItem(in: &sink)
      sink.append(byte)
      isInString = byte == UInt8(ascii: "\"")
    }
  }

  private mutating func beginItem(in sink: inout ByteSink) {
    guard isEmpty else { return }
    isEmpty = false
    breakLine(in: &sink)
  }

  private func breakLine(in sink: inout ByteSink) {
    guard style == .pretty else { return }
    sink.append(UInt8(ascii: "\n"))
    sink.append(repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

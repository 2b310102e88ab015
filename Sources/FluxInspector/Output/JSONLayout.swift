/// Lays JSON out that comes in pieces: on one line, or each element and member on its own.
///
/// The text is known to be JSON. Blanks between values are left out, and controls that may stand in
/// a string (DEL and C1) are escaped, so that no terminal ever sees one.
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
  /// A byte that may begin a control of two bytes.
  private var pending: UInt8?

  init(_ style: Style) { self.style = style }

  mutating func append(_ bytes: some Sequence<UInt8>, to sink: inout ByteSink) {
    for byte in bytes {
      if isInString {
        appendInString(byte, to: &sink)
      } else {
        appendBetween(byte, to: &sink)
      }
    }
  }

  private mutating func appendInString(_ byte: UInt8, to sink: inout ByteSink) {
    if let first = pending {
      pending = nil
      if (0x80..<0xA0).contains(byte) { return sink.append(Unicode.Scalar(byte).escape.utf8) }
      sink.append(first)
    }
    switch byte {
    case 0xC2: return pending = byte
    case 0x7F: return sink.append(Unicode.Scalar(byte).escape.utf8)
    case UInt8(ascii: "\"") where !isEscaped: isInString = false
    default: break
    }
    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    sink.append(byte)
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

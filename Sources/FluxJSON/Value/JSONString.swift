/// The code points of a JSON string.
///
/// Escapes are resolved, and two escapes that form a surrogate pair become one code point. JSON can
/// express a lone surrogate, and UTF-8 cannot. It appears as its own value (0xD800...0xDFFF).
struct JSONString: Sequence, IteratorProtocol {
  private let bytes: JSONBytes
  private var position = 0

  /// Creates the sequence from the bytes between the quotes, which the parser has accepted.
  init(_ content: UnsafeRawBufferPointer) {
    bytes = unsafe JSONBytes(content)
  }

  mutating func next() -> UInt32? {
    guard position < bytes.count else { return nil }
    let first = bytes[position]
    position += 1
    if first == UInt8(ascii: "\\") { return escape() }
    guard first >= 0x80 else { return UInt32(first) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var point = UInt32(first) & (0x7F &>> UInt32(length))
    for _ in 1..<length {
      point = point << 6 | UInt32(bytes[position]) & 0x3F
      position += 1
    }
    return point
  }

  private mutating func escape() -> UInt32 {
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"): break
    default: return UInt32(letter)
    }
    let unit = unit(at: position)
    position += 4
    guard unit & 0xFC00 == 0xD800, let low = lowSurrogate() else { return unit }
    return 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
  }

  /// Consumes the second half of a surrogate pair; returns nil if the next escape is not one.
  private mutating func lowSurrogate() -> UInt32? {
    guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    let low = unit(at: position + 2)
    guard low & 0xFC00 == 0xDC00 else { return nil }
    position += 6
    return low
  }

  private func unit(at start: Int) -> UInt32 {
    (start..<start + 4).reduce(0) { $0 << 4 | (Self.hexDigit(bytes[$1]) ?? 0) }
  }

  /// Returns the value of a hexadecimal digit; nil for other bytes.
  @inline(__always)
  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }

  /// Decodes a string's content, with U+FFFD for each lone surrogate.
  static func decoded(_ content: UnsafeRawBufferPointer, escaped: Bool) -> String {
    guard escaped else { return unsafe String(decoding: content, as: UTF8.self) }
    var result = String.UnicodeScalarView()
    for point in unsafe JSONString(content) {
      result.append(Unicode.Scalar(point) ?? "\u{FFFD}")
    }
    return String(result)
  }

  /// Compares two strings by code points.
  static func order(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, escaped: Bool
  ) -> Int {
    guard escaped else { return unsafe left.order(right) }
    var leftPoints = unsafe JSONString(left)
    var rightPoints = unsafe JSONString(right)
    while true {
      switch (leftPoints.next(), rightPoints.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let left?, let right?):
        if left != right { return left < right ? -1 : 1 }
      }
    }
  }

  /// Calls `append` with a text's stretches that need no escape, and with the escapes between them.
  @inline(never)
  static func forEachStretch(
    of content: UnsafeRawBufferPointer, _ append: (UnsafeRawBufferPointer) -> Void
  ) {
    var plain = 0
    for place in content.indices {
      let byte = unsafe content[place]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      unsafe append(UnsafeRawBufferPointer(rebasing: content[plain..<place]))
      unsafe escape(byte).withUnsafeBytes { unsafe append($0) }
      plain = place + 1
    }
    unsafe append(UnsafeRawBufferPointer(rebasing: content[plain...]))
  }

  /// Returns the shortest escape for a byte that needs one (RFC 8259, section 7).
  static func escape(_ byte: UInt8) -> [UInt8] {
    guard let letter = escapeLetter(of: byte) else {
      return Array("\\u00".utf8) + [hexLetter(byte >> 4), hexLetter(byte & 15)]
    }
    return [UInt8(ascii: "\\"), letter]
  }

  /// Returns the letter behind the backslash of a byte's escape; nil if the escape is its number.
  static func escapeLetter(of byte: UInt8) -> UInt8? {
    switch byte {
    case 0x08: UInt8(ascii: "b")
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0C: UInt8(ascii: "f")
    case 0x0D: UInt8(ascii: "r")
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
    default: nil
    }
  }

  private static func hexLetter(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

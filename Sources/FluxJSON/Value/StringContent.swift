/// The content of a JSON string as it is written, between its quotes.
///
/// Two long texts are compared as they are written, and only the part in which they differ is decoded.
///
/// The type is safe as `JSONBytes` is: its creator keeps the memory alive while it is in use.
struct StringContent {
  private let bytes: JSONBytes
  private let isEscaped: Bool

  /// Describes a content; `isEscaped` is `false` if it is certain to have no escape.
  init(_ content: UnsafeRawBufferPointer, isEscaped: Bool) {
    bytes = unsafe JSONBytes(content)
    self.isEscaped = isEscaped
  }

  var count: Int { bytes.count }

  /// Returns the lengths of the largest beginning and end that two contents share, which split no code point in either.
  func commonEnds(with other: StringContent) -> (head: Int, tail: Int) {
    let (left, right) = unsafe (bytes.slice(0, count), other.bytes.slice(0, other.count))
    var head = unsafe left.commonPrefix(with: right)
    guard head < max(count, other.count) else { return (head, 0) }
    while !isBoundary(head) || !other.isBoundary(head) { head -= 1 }
    var tail = min(unsafe left.commonSuffix(with: right), min(count, other.count) - head)
    while !isBoundary(count - tail) || !other.isBoundary(other.count - tail) { tail -= 1 }
    return (head, tail)
  }

  /// Returns the text of a part in WTF-8.
  func text(_ part: Range<Int>) -> [UInt8] {
    unsafe WTF8.bytes(
      of: bytes.slice(part.lowerBound, part.upperBound), isEscaped: isEscaped)
  }

  // MARK: Code points

  /// Returns the number of code points in the first `end` bytes; `end` must be a boundary.
  func pointCount(upTo end: Int) -> Int {
    var points = 0
    var place = 0
    while place &+ 16 <= end {
      let block = bytes.block(at: place)
      if isEscaped, Self.hasBackslash(block) {
        let next = place &+ 16
        while place < next { points &+= advance(&place) }
      } else {
        points &+= 16 &- Self.continuationCount(block)
        place &+= 16
      }
    }
    while place < end { points &+= advance(&place) }
    return points
  }

  /// Goes behind a byte or an escape, and returns 1 if that is the first one of a code point, or 0.
  @inline(__always)
  private func advance(_ place: inout Int) -> Int {
    let byte = bytes[place]
    guard isEscaped, byte == UInt8(ascii: "\\") else {
      place &+= 1
      return byte & 0xC0 == 0x80 ? 0 : 1
    }
    place &+= escapeLength(at: place)
    return 1
  }

  /// Returns the length of the escape at a place, or of the two that form a surrogate pair.
  private func escapeLength(at place: Int) -> Int {
    guard bytes[place + 1] == UInt8(ascii: "u") else { return 2 }
    return isPair(at: place) ? 12 : 6
  }

  /// `true` if the escape at a place is a high surrogate, and the next one a low surrogate.
  private func isPair(at place: Int) -> Bool {
    surrogateKind(at: place) == 0xD800 && surrogateKind(at: place + 6) == 0xDC00
  }

  /// Returns 0xD800 for the escape of a high surrogate, 0xDC00 for that of a low one, and 0 for anything else.
  private func surrogateKind(at place: Int) -> UInt32 {
    guard place >= 0, place + 6 <= count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u"), bytes[place + 2] | 0x20 == UInt8(ascii: "d")
    else { return 0 }
    switch JSONString.hexDigit(bytes[place + 3]) ?? 0 {
    case 0x8...0xB: return 0xD800
    case 0xC...0xF: return 0xDC00
    default: return 0
    }
  }

  // MARK: Boundaries

  /// `true` unless a cut at this place would split a character, an escape or a surrogate pair.
  func isBoundary(_ place: Int) -> Bool {
    guard place > 0, place < count else { return true }
    if bytes[place] & 0xC0 == 0x80 { return false }
    guard isEscaped else { return true }
    // The longest escape has six bytes.
    for start in stride(from: place - 1, through: max(0, place - 5), by: -1)
    where startsEscape(start) {
      let length = bytes[start + 1] == UInt8(ascii: "u") ? 6 : 2
      if start + length > place { return false }
      break
    }
    return !(startsEscape(place - 6) && isPair(at: place - 6))
  }

  /// `true` for a backslash that is not itself escaped.
  private func startsEscape(_ place: Int) -> Bool {
    guard place >= 0, bytes[place] == UInt8(ascii: "\\") else { return false }
    var first = place
    while first > 0, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
    return (place - first).isMultiple(of: 2)
  }

  // MARK: Blocks

  @inline(__always)
  private static func hasBackslash(_ block: SIMD16<UInt8>) -> Bool {
    let others = block ^ SIMD16(repeating: UInt8(ascii: "\\"))
    return bits((others &- SIMD16(repeating: 1)) & ~others) != (0, 0)
  }

  /// Returns the number of bytes that continue a character: 0x80...0xBF.
  @inline(__always)
  private static func continuationCount(_ block: SIMD16<UInt8>) -> Int {
    let (low, high) = bits(block & ~(block &<< SIMD16(repeating: 1)))
    return low.nonzeroBitCount + high.nonzeroBitCount
  }

  /// Returns the high bits of the bytes.
  @inline(__always)
  private static func bits(_ block: SIMD16<UInt8>) -> (UInt64, UInt64) {
    // Both types are sixteen bytes without padding.
    let halves = unsafe unsafeBitCast(block, to: SIMD2<UInt64>.self)
    return (halves.x & 0x8080_8080_8080_8080, halves.y & 0x8080_8080_8080_8080)
  }
}

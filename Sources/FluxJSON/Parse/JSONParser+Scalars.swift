extension JSONParser {
  /// Appends a string to the tape; returns `false` if it contains an invalid escape.
  @inline(__always)
  static func appendString(
    _ bytes: JSONBytes, _ start: Int, _ end: Int, _ mayHaveEscapes: Bool,
    _ tape: inout JSONTapeBuffer
  ) -> Bool {
    guard mayHaveEscapes, let first = backslash(bytes, start, end) else {
      tape.appendLeaf(.string, start: start, end: end)
      return true
    }
    tape.appendLeaf(.string, start: start, end: end, flags: JSONNode.escaped)
    return areEscapesSound(bytes, first, end)
  }

  /// Checks the escapes from the first backslash on; the token search has checked everything else.
  @inline(never)
  private static func areEscapesSound(_ bytes: JSONBytes, _ first: Int, _ end: Int) -> Bool {
    var next: Int? = first
    while let place = next {
      guard let length = escapeLength(bytes, place) else { return false }
      next = backslash(bytes, place &+ length, end)
    }
    return true
  }

  /// Returns the length of the escape at a backslash; nil if there is no such escape.
  private static func escapeLength(_ bytes: JSONBytes, _ place: Int) -> Int? {
    guard place &+ 1 < bytes.count else { return nil }
    switch bytes[place &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard place &+ 6 <= bytes.count else { return nil }
      for digit in place &+ 2..<place &+ 6 where JSONString.hexDigit(bytes[digit]) == nil {
        return nil
      }
      return 6
    default: return nil
    }
  }

  /// Returns the place of the first backslash in a part of the text; the closing quote may be missing.
  @inline(never)
  private static func backslash(_ bytes: JSONBytes, _ start: Int, _ end: Int) -> Int? {
    var place = start
    while place &+ 16 <= end {
      let others = bytes.block(at: place) ^ SIMD16(repeating: UInt8(ascii: "\\"))
      let marks = (others &- SIMD16(repeating: 1)) & ~others
      // Both types are sixteen bytes without padding.
      let halves = unsafe unsafeBitCast(marks, to: SIMD2<UInt64>.self)
      let low = UInt64(littleEndian: halves.x) & 0x8080_8080_8080_8080
      let high = UInt64(littleEndian: halves.y) & 0x8080_8080_8080_8080
      if low != 0 { return place &+ low.trailingZeroBitCount &>> 3 }
      if high != 0 { return place &+ 8 &+ high.trailingZeroBitCount &>> 3 }
      place &+= 16
    }
    while place < end {
      if bytes[place] == UInt8(ascii: "\\") { return place }
      place &+= 1
    }
    return nil
  }

  /// Appends `true`, `false` or `null` to the tape; returns `false` if there is no such word.
  ///
  /// `next` is the offset of the next token. There is no branch between `true` and `false`, because
  /// no processor can predict which one comes next.
  @inline(__always)
  static func appendWord(
    _ bytes: JSONBytes, _ start: Int, _ next: Int, _ tape: inout JSONTapeBuffer
  ) -> Bool {
    guard start &+ 8 <= bytes.count else { return appendLastWord(bytes, start, &tape) }
    let word = bytes.word(at: start)
    let isTrue = word & 0xFFFF_FFFF == 0x6575_7274
    let isFalse = word & 0xFF_FFFF_FFFF == 0x65_736C_6166
    let isNull = word & 0xFFFF_FFFF == 0x6C6C_756E
    let isLong = isFalse ? 1 : 0
    let end = start &+ 4 &+ isLong
    guard isTrue != isFalse || isNull, end == next || endsScalar(bytes[end]) else { return false }
    tape.appendLeaf(isNull ? .null : .bool, start: start, end: end)
    return true
  }

  @inline(never)
  private static func appendLastWord(
    _ bytes: JSONBytes, _ start: Int, _ tape: inout JSONTapeBuffer
  ) -> Bool {
    let words: [(StaticString, JSON.Kind)] = [("true", .bool), ("false", .bool), ("null", .null)]
    for (word, kind) in words {
      let end = start &+ word.utf8CodeUnitCount
      guard end <= bytes.count,
        word.withUTF8Buffer({ unsafe bytes.slice(start, end).equals(UnsafeRawBufferPointer($0)) }),
        end == bytes.count || endsScalar(bytes[end])
      else { continue }
      tape.appendLeaf(kind, start: start, end: end)
      return true
    }
    return false
  }

  /// Returns `true` if a byte may follow a number or word: whitespace, a comma or a closing
  /// bracket.
  ///
  /// The test includes other control characters, but the token search has already rejected them.
  @inline(__always)
  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte | 0x20 == UInt8(ascii: "}") || byte <= 0x20
  }

  // MARK: Numbers

  /// Appends a number to the tape; returns `false` if it is invalid.
  ///
  /// The number begins with the minus sign or digit `first`; `next` is the offset of the next
  /// token.
  @inline(__always)
  static func appendNumber(
    _ bytes: JSONBytes, _ start: Int, _ next: Int, _ first: UInt8, _ tape: inout JSONTapeBuffer
  ) -> Bool {
    var end = shortNumberEnd(bytes, start)
    if end != next || first == UInt8(ascii: "0") && end != start &+ 1 {
      end = numberEnd(bytes, start, first)
    }
    tape.appendLeaf(.number, start: start, end: end)
    return end > 0
  }

  /// Returns the end of up to eight digits; -1 if the text ends soon after them.
  @inline(__always)
  private static func shortNumberEnd(_ bytes: JSONBytes, _ start: Int) -> Int {
    // Require ten bytes: the offset of the last byte stands for a missing token, and eight digits
    // must end before it.
    guard start &+ 10 <= bytes.count else { return -1 }
    return start &+ nonDigits(bytes.word(at: start)).trailingZeroBitCount &>> 3
  }

  /// Returns the end of a number (RFC 8259, section 6); 0 if it is invalid.
  @inline(never)
  private static func numberEnd(_ bytes: JSONBytes, _ start: Int, _ first: UInt8) -> Int {
    var digits = start
    var digit = first
    if first == UInt8(ascii: "-") {
      digits &+= 1
      guard digits < bytes.count, isDigit(bytes[digits]) else { return 0 }
      digit = bytes[digits]
    }
    var end = digitsEnd(bytes, digits &+ 1)
    if digit == UInt8(ascii: "0"), end != digits &+ 1 { return 0 }
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      let fraction = end &+ 1
      end = digitsEnd(bytes, fraction)
      guard end > fraction else { return 0 }
    }
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      end &+= 1
      guard end < bytes.count else { return 0 }
      if bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: "-") { end &+= 1 }
      let exponent = end
      end = digitsEnd(bytes, exponent)
      guard end > exponent else { return 0 }
    }
    guard end == bytes.count || endsScalar(bytes[end]) else { return 0 }
    return end
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Returns the offset after a run of digits, which it reads eight at a time while it can.
  @inline(__always)
  private static func digitsEnd(_ bytes: JSONBytes, _ start: Int) -> Int {
    var end = start
    while end &+ 8 <= bytes.count {
      let others = nonDigits(bytes.word(at: end))
      end &+= others.trailingZeroBitCount &>> 3
      guard others == 0 else { return end }
    }
    while end < bytes.count, isDigit(bytes[end]) { end &+= 1 }
    return end
  }

  /// Returns a word with the high bit set in each byte that is not a digit.
  @inline(__always)
  private static func nonDigits(_ word: UInt64) -> UInt64 {
    // XOR with 0x30 turns a digit into 0...9, so adding 0x76 does not set its high bit.
    let flipped = word ^ 0x3030_3030_3030_3030
    let low = flipped & 0x7F7F_7F7F_7F7F_7F7F
    return (low &+ 0x7676_7676_7676_7676 | flipped) & 0x8080_8080_8080_8080
  }
}

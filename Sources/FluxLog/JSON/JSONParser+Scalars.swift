extension JSONParser {
  /// Puts a string on the tape; false where it has an escape that is none.
  @inline(__always)
  static func appendString(
    _ bytes: JSONBytes, _ start: Int, _ end: Int, _ mayHaveEscapes: Bool,
    _ tape: inout JSONTapeBuffer
  ) -> Bool {
    var flags: UInt32 = 0
    if mayHaveEscapes, hasEscapes(bytes, start, end) {
      guard areEscapesSound(bytes, start) else { return false }
      flags = JSONNode.escaped
    }
    let next = tape.count &+ 1
    tape.appendInRoom(JSONNode(.string, start: start, end: end, next: next, flags: flags))
    return true
  }

  @inline(never)
  private static func hasEscapes(_ bytes: JSONBytes, _ start: Int, _ end: Int) -> Bool {
    // The place of a token that is missing is the text's end.
    guard end <= bytes.count else { return false }
    return unsafe bytes.slice(start, end).firstIndex(of: UInt8(ascii: "\\")) != nil
  }

  @inline(never)
  private static func areEscapesSound(_ bytes: JSONBytes, _ start: Int) -> Bool {
    do throws(JSONError) {
      _ = try JSONFault.skipString(bytes, start &+ 1)
      return true
    } catch {
      return false
    }
  }

  /// Puts `true`, `false` or `null` on the tape.
  ///
  /// Without a branch between `true` and `false`, which nobody can predict.
  @inline(__always)
  static func appendWord(
    _ bytes: JSONBytes, _ start: Int, _ tape: inout JSONTapeBuffer
  ) -> Bool {
    guard start &+ 8 <= bytes.count else { return appendLastWord(bytes, start, &tape) }
    let word = bytes.word(at: start)
    let isTrue = word & 0xFFFF_FFFF == 0x6575_7274
    let isFalse = word & 0xFF_FFFF_FFFF == 0x65_736C_6166
    let isNull = word & 0xFFFF_FFFF == 0x6C6C_756E
    let isLong = isFalse ? 1 : 0
    let end = start &+ 4 &+ isLong
    let following = UInt8(truncatingIfNeeded: word &>> UInt64(32 &+ 8 &* isLong))
    guard isTrue != isFalse || isNull, endsScalar(following) else { return false }
    tape.appendInRoom(
      JSONNode(isNull ? .null : .bool, start: start, end: end, next: tape.count &+ 1))
    return true
  }

  /// The same where the text ends soon.
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
      tape.appendInRoom(JSONNode(kind, start: start, end: end, next: tape.count &+ 1))
      return true
    }
    return false
  }

  /// Whether a byte may follow a number or word: a blank, or what ends a value in a container.
  ///
  /// Controls that are no blanks the scanner has refused.
  @inline(__always)
  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte | 0x20 == UInt8(ascii: "}") || byte <= 0x20
  }

  // MARK: Numbers

  /// Puts a number on the tape that begins with a minus or a digit.
  @inline(__always)
  static func appendNumber(
    _ bytes: JSONBytes, _ start: Int, _ first: UInt8, _ tape: inout JSONTapeBuffer
  ) -> Bool {
    let end = numberEnd(bytes, start, first)
    tape.appendInRoom(JSONNode(.number, start: start, end: end, next: tape.count &+ 1))
    return end > 0
  }

  /// Where the number ends that begins with a minus or a digit (RFC 8259, section 6); 0 where it is
  /// none.
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

  /// Goes past digits, eight at a time where there are eight bytes.
  @inline(__always)
  private static func digitsEnd(_ bytes: JSONBytes, _ start: Int) -> Int {
    var end = start
    while end &+ 8 <= bytes.count {
      // A digit is 0x30...0x39: with 0x30 flipped it is below 10, so that adding 0x76 does not
      // reach the high bit.
      let flipped = bytes.word(at: end) ^ 0x3030_3030_3030_3030
      let low = flipped & 0x7F7F_7F7F_7F7F_7F7F
      let others = (low &+ 0x7676_7676_7676_7676 | flipped) & 0x8080_8080_8080_8080
      end &+= others.trailingZeroBitCount &>> 3
      guard others == 0 else { return end }
    }
    while end < bytes.count, isDigit(bytes[end]) { end &+= 1 }
    return end
  }
}

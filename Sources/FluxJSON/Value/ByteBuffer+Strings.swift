extension ByteBuffer {
  /// Appends a string in quotes, and escapes the bytes that JSON requires.
  @inline(__always)
  package mutating func appendQuoted(_ content: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    let bytes = unsafe JSONBytes(content)
    let start = count
    if !appendPlain(bytes) {
      truncate(to: start)
      appendEscaped(bytes)
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends the bytes unescaped; returns `false` if one of them needs an escape.
  ///
  /// Writes all bytes before it decides, because few names and values need escapes. A last block
  /// that overlaps the previous one writes the bytes that do not fill a whole block.
  @inline(__always)
  private mutating func appendPlain(_ bytes: JSONBytes) -> Bool {
    let length = bytes.count
    guard length >= 16 else { return appendShort(bytes) }
    var special = Self.specialBytes(bytes.block(at: length &- 16))
    var position = 0
    while position &+ 16 <= length {
      let block = bytes.block(at: position)
      special |= Self.specialBytes(block)
      append(block)
      position &+= 16
    }
    if position < length {
      truncate(to: count &- (16 &- (length &- position)))
      append(bytes.block(at: length &- 16))
    }
    // Both types are sixteen bytes without padding.
    let halves = unsafe unsafeBitCast(special, to: SIMD2<UInt64>.self)
    return (halves.x | halves.y) & 0x8080_8080_8080_8080 == 0
  }

  @inline(__always)
  private mutating func appendShort(_ bytes: JSONBytes) -> Bool {
    let length = bytes.count
    if length >= 8 {
      let (first, last) = (bytes.word(at: 0), bytes.word(at: length &- 8))
      append(first)
      truncate(to: count &- (16 &- length))
      append(last)
      return (Self.specialBytes(first) | Self.specialBytes(last)) & 0x8080_8080_8080_8080 == 0
    }
    let word = bytes.shortWord
    append(word)
    truncate(to: count &- (8 &- length))
    // The mask ignores the zeros above the actual bytes.
    let mask = (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1
    return Self.specialBytes(word) & mask & 0x8080_8080_8080_8080 == 0
  }

  @inline(never)
  private mutating func appendEscaped(_ bytes: JSONBytes) {
    for position in 0..<bytes.count {
      let byte = bytes[position]
      guard JSONString.needsEscape(byte) else {
        append(byte)
        continue
      }
      for byte in JSONString.escape(byte) { append(byte) }
    }
  }

  /// Sets the high bit of each byte that is a quote, a backslash or a control character.
  ///
  /// See `JSONParser`.
  @inline(__always)
  private static func specialBytes(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
    let quotesAndControls = (block ^ SIMD16(repeating: 0x02)) &- SIMD16(repeating: 0x21)
    let backslashes = (block ^ SIMD16(repeating: 0x5C)) &- SIMD16(repeating: 0x01)
    return (quotesAndControls | backslashes) & ~block
  }

  /// Sets the high bit of the special bytes among eight bytes.
  ///
  /// A byte that follows a special one may be marked by mistake. The high bits are all zero if
  /// and only if no byte is special.
  @inline(__always)
  static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotesAndControls = (word ^ ones &* 0x02) &- ones &* 0x21
    let backslashes = (word ^ ones &* 0x5C) &- ones
    return (quotesAndControls | backslashes) & ~word
  }
}

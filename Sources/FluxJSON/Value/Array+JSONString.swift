extension [UInt8] {
  /// Appends a quoted string and escapes quotes, backslashes and control characters.
  package mutating func appendJSONString(_ content: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    if unsafe JSONBytes(content).isPlain {
      unsafe append(contentsOf: content)
    } else {
      unsafe appendEscaped(content)
    }
    append(UInt8(ascii: "\""))
  }

  @inline(never)
  private mutating func appendEscaped(_ content: UnsafeRawBufferPointer) {
    var plain = 0
    for place in content.indices {
      let byte = unsafe content[place]
      guard JSONString.needsEscape(byte) else { continue }
      unsafe append(contentsOf: content[plain..<place])
      append(contentsOf: JSONString.escape(byte))
      plain = place + 1
    }
    unsafe append(contentsOf: content[plain...])
  }
}

extension JSONBytes {
  /// `true` if no byte needs an escape.
  ///
  /// Eight bytes are checked at a time, and the last ones may be checked twice.
  @inline(__always)
  fileprivate var isPlain: Bool {
    let high: UInt64 = 0x8080_8080_8080_8080
    guard count >= 8 else {
      // The mask excludes the zeros above the last byte.
      let mask = (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1
      return ByteBuffer.specialBytes(shortWord) & mask & high == 0
    }
    var special = ByteBuffer.specialBytes(word(at: count &- 8))
    var place = 0
    while place &+ 8 <= count {
      special |= ByteBuffer.specialBytes(word(at: place))
      place &+= 8
    }
    return special & high == 0
  }
}

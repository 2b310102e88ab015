extension [UInt8] {
  /// Appends a string in quotes, with escapes for what cannot stand in one: the quote, the
  /// backslash and the control characters.
  mutating func appendJSONString(_ content: UnsafeRawBufferPointer) {
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
  /// Whether no byte needs an escape; asked for eight at a time, the last ones perhaps twice.
  @inline(__always)
  fileprivate var isPlain: Bool {
    let high: UInt64 = 0x8080_8080_8080_8080
    guard count >= 8 else {
      // Only the bytes that there are count, not the zeros above them.
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

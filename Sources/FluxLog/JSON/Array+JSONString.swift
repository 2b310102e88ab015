extension [UInt8] {
  /// Appends a string in quotes, with escapes for what cannot stand in one: the quote, the
  /// backslash and the control characters.
  mutating func appendJSONString(_ content: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var plain = 0
    for place in content.indices {
      let byte = unsafe content[place]
      guard JSONString.needsEscape(byte) else { continue }
      unsafe append(contentsOf: content[plain..<place])
      append(contentsOf: JSONString.escape(byte))
      plain = place + 1
    }
    unsafe append(contentsOf: content[plain...])
    append(UInt8(ascii: "\""))
  }
}

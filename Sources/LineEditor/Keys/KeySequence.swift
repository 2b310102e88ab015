/// The key that some bytes begin with.
struct KeySequence {
  /// The key and the count of its bytes; nil where more are needed to know.
  let key: (Key, count: Int)?

  /// No terminal sends a sequence as long as this; what does is not from a keyboard.
  private static let longest = 32

  init(_ bytes: ArraySlice<UInt8>, isFinal: Bool) {
    key = Self.decode(Array(bytes.prefix(Self.longest)), isFinal: isFinal)
  }

  private static func decode(_ bytes: [UInt8], isFinal: Bool) -> (Key, count: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1B: return escaped(bytes, isFinal: isFinal)
    case 0x80...: return character(bytes, isFinal: isFinal)
    default: return (single(first), 1)
    }
  }

  /// What one ASCII byte means.
  private static func single(_ byte: UInt8) -> Key {
    switch byte {
    case 0x09: Key(.tab)
    case 0x0A, 0x0D: Key(.enter)
    case 0x08, 0x7F: Key(.backspace)
    case 0x00: .control(" ")
    case 0x01..<0x1B: .control(Unicode.Scalar(byte | 0x60))
    case 0x1B..<0x20: .control(Unicode.Scalar(byte | 0x40))
    default: .character(Unicode.Scalar(byte))
    }
  }

  /// A character of several bytes (RFC 3629); bytes that are none become U+FFFD.
  private static func character(_ bytes: [UInt8], isFinal: Bool) -> (Key, count: Int)? {
    let broken = Key.character("\u{FFFD}")
    let (length, least): (Int, UInt32)
    switch bytes[0] {
    case 0xC2..<0xE0: (length, least) = (2, 0x80)
    case 0xE0..<0xF0: (length, least) = (3, 0x800)
    case 0xF0..<0xF5: (length, least) = (4, 0x10000)
    default: return (broken, 1)
    }
    var value = UInt32(bytes[0]) & (0x7F >> UInt32(length))
    for index in 1..<length {
      guard index < bytes.count else { return isFinal ? (broken, bytes.count) : nil }
      guard bytes[index] & 0xC0 == 0x80 else { return (broken, index) }
      value = value << 6 | UInt32(bytes[index] & 0x3F)
    }
    guard value >= least, let scalar = Unicode.Scalar(value) else { return (broken, length) }
    // C1 control characters mean no key, and drive the terminal.
    return (scalar.value < 0xA0 ? Key(.unknown) : .character(scalar), length)
  }

  private static func escaped(_ bytes: [UInt8], isFinal: Bool) -> (Key, count: Int)? {
    guard bytes.count > 1 else { return isFinal ? (Key(.escape), 1) : nil }
    switch bytes[1] {
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      if let found = ControlSequence.key(bytes) { return found }
      guard isFinal || bytes.count >= longest else { return nil }
      return bytes.count == 2 ? (.alt(Unicode.Scalar(bytes[1])), 2) : (Key(.unknown), bytes.count)
    case 0x1B:
      // Some terminals put an escape before the sequence of a key that is pressed with alt.
      guard bytes.count > 2 else { return isFinal ? (Key(.escape), 1) : nil }
      guard bytes[2] == UInt8(ascii: "[") || bytes[2] == UInt8(ascii: "O") else {
        return (Key(.escape), 1)
      }
      return withAlt(escaped(Array(bytes.dropFirst()), isFinal: isFinal))
    default:
      return withAlt(decode(Array(bytes.dropFirst()), isFinal: isFinal))
    }
  }

  private static func withAlt(_ found: (Key, count: Int)?) -> (Key, count: Int)? {
    guard let (key, count) = found else { return nil }
    return (Key(key.name, key.modifiers.union(.alt)), count + 1)
  }
}

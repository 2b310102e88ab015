/// Decodes the bytes that a terminal sends into keys.
///
/// Escape is both a key and the start of other keys' sequences (ECMA-48, and xterm's modifiers). Only time tells
/// which: if no more bytes follow within some milliseconds, the caller calls ``flush()``, and an incomplete
/// sequence becomes keys.
package struct KeyDecoder {
  private var bytes: [UInt8] = []

  package init() {}

  /// `true` if an incomplete sequence waits for more bytes.
  package var isPending: Bool { !bytes.isEmpty }

  /// Adds a byte and returns the keys that are now complete.
  package mutating func feed(_ byte: UInt8) -> [KeyPress] {
    bytes.append(byte)
    return take(isFinal: false)
  }

  /// Decodes an incomplete sequence as it is, because no more bytes follow.
  package mutating func flush() -> [KeyPress] {
    take(isFinal: true)
  }

  private mutating func take(isFinal: Bool) -> [KeyPress] {
    var presses: [KeyPress] = []
    while let (key, count) = KeySequence.key(
      Array(bytes.prefix(KeySequence.longest)), isFinal: isFinal)
    {
      presses.append(KeyPress(key: key, bytes: Array(bytes.prefix(count))))
      bytes.removeFirst(count)
    }
    return presses
  }
}

/// Decodes the key at the beginning of some bytes.
private enum KeySequence {
  /// The limit of a sequence; no key sends one as long as this.
  static let longest = 32

  /// Returns the key and its number of bytes; nil if more bytes are needed.
  static func key(_ bytes: [UInt8], isFinal: Bool) -> (Key, count: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1B: return escaped(bytes, isFinal: isFinal)
    case 0x80...: return character(bytes, isFinal: isFinal)
    default: return (single(first), 1)
    }
  }

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

  /// Decodes a multi-byte character (RFC 3629); invalid bytes become U+FFFD.
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
    // C1 control characters are not keys, and they control the terminal.
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
      // Some terminals send alt as an escape before the key's sequence.
      guard bytes.count > 2 else { return isFinal ? (Key(.escape), 1) : nil }
      guard bytes[2] == UInt8(ascii: "[") || bytes[2] == UInt8(ascii: "O") else {
        return (Key(.escape), 1)
      }
      return withAlt(escaped(Array(bytes.dropFirst()), isFinal: isFinal))
    default:
      return withAlt(key(Array(bytes.dropFirst()), isFinal: isFinal))
    }
  }

  private static func withAlt(_ found: (Key, count: Int)?) -> (Key, count: Int)? {
    guard let (key, count) = found else { return nil }
    return (Key(key.name, key.modifiers.union(.alt)), count + 1)
  }
}

/// Decodes sequences that begin with `ESC [` or `ESC O`.
private enum ControlSequence {
  /// The key of the sequence at the beginning of the bytes and its number of bytes; nil if incomplete.
  static func key(_ bytes: [UInt8]) -> (Key, count: Int)? {
    var index = 2
    // The console of Linux sends `ESC [ [ A` for F1.
    if bytes[1] == UInt8(ascii: "["), bytes.count > 2, bytes[2] == UInt8(ascii: "[") {
      guard bytes.count > 3 else { return nil }
      let number = Int(bytes[3]) - 0x40
      return ((1...5).contains(number) ? Key(.function(number)) : Key(.unknown), 4)
    }
    while index < bytes.count {
      switch bytes[index] {
      case 0x20..<0x40: index += 1
      case 0x40..<0x7F: return (meaning(of: bytes[2...index]), index + 1)
      // Any other byte begins something new.
      default: return (Key(.unknown), index)
      }
    }
    return nil
  }

  /// Decodes the parameters and the final byte; for `~`, the first parameter names the key.
  private static func meaning(of sequence: ArraySlice<UInt8>) -> Key {
    guard let final = sequence.last else { return Key(.unknown) }
    let isMouse = sequence.first == UInt8(ascii: "<")
    let parameters = sequence.dropLast().dropFirst(isMouse ? 1 : 0).split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { number($0) }
    guard !parameters.contains(-1) else { return Key(.unknown) }
    if isMouse { return mouse(parameters, isPress: final == UInt8(ascii: "M")) }
    let modifiers = parameters.count > 1 ? held(parameters[1]) : []
    switch final {
    case UInt8(ascii: "~"): return Key(numbered(parameters.first ?? 0), modifiers)
    case UInt8(ascii: "A"): return Key(.up, modifiers)
    case UInt8(ascii: "B"): return Key(.down, modifiers)
    case UInt8(ascii: "C"): return Key(.right, modifiers)
    case UInt8(ascii: "D"): return Key(.left, modifiers)
    case UInt8(ascii: "F"): return Key(.end, modifiers)
    case UInt8(ascii: "H"): return Key(.home, modifiers)
    case UInt8(ascii: "M"): return Key(.enter, modifiers)
    case UInt8(ascii: "P")...UInt8(ascii: "S"):
      return Key(.function(Int(final - UInt8(ascii: "P")) + 1), modifiers)
    case UInt8(ascii: "Z"): return Key(.tab, modifiers.union(.shift))
    default: return Key(.unknown)
    }
  }

  /// The key of a number, as assigned by VT220 and xterm.
  private static func numbered(_ number: Int) -> Key.Name {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23, 24: .function(number - 12)
    case 200: .pasteStart
    default: .unknown
    }
  }

  /// Decodes an event of the mouse (xterm, SGR 1006): the button with its modifiers, the column and the row.
  private static func mouse(_ parameters: [Int], isPress: Bool) -> Key {
    guard parameters.count == 3, parameters[1] > 0, parameters[2] > 0 else { return Key(.unknown) }
    // Shift is 4, alt 8, control 16; 32 says that the mouse moved.
    let button = parameters[0] & ~0b11100
    let kind: Key.Mouse.Kind =
      switch (button, isPress) {
      case (0, true): .press
      case (64, true): .wheelUp
      case (65, true): .wheelDown
      default: .other
      }
    return Key(.mouse(Key.Mouse(kind, row: parameters[2] - 1, column: parameters[1] - 1)))
  }

  /// Decodes xterm's modifiers: one plus the sum of shift 1, alt 2, control 4 and meta 8.
  private static func held(_ parameter: Int) -> Key.Modifiers {
    let bits = max(0, parameter - 1)
    var modifiers = Key.Modifiers(rawValue: UInt8(bits & 7))
    if bits & 8 != 0 { modifiers.insert(.alt) }
    return modifiers
  }

  /// Decodes a parameter: 0 if it is missing, -1 if it is not a number of a key.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), value < 1000 else {
        return -1
      }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}

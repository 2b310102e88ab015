/// The sequences that begin with `ESC [` or `ESC O`.
enum ControlSequence {
  /// The key of the sequence that the bytes begin with, and the count of its bytes; nil where it is
  /// not complete.
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
      // Something else began in between.
      default: return (Key(.unknown), index)
      }
    }
    return nil
  }

  /// Parameters, then one byte that names the key or says that the first parameter does.
  private static func meaning(of sequence: ArraySlice<UInt8>) -> Key {
    guard let final = sequence.last else { return Key(.unknown) }
    let parameters = sequence.dropLast().split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { number($0) }
    guard !parameters.contains(-1) else { return Key(.unknown) }
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

  /// The keys that VT220 numbered, and xterm after it.
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

  /// xterm adds one to the sum of shift 1, alt 2, control 4 and meta 8.
  private static func held(_ parameter: Int) -> Key.Modifiers {
    let bits = max(0, parameter - 1)
    var modifiers = Key.Modifiers(rawValue: UInt8(bits & 7))
    if bits & 8 != 0 { modifiers.insert(.alt) }
    return modifiers
  }

  /// A parameter, 0 where it is left out, -1 where it is no number that a key has.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), value < 1000 else { return -1 }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}

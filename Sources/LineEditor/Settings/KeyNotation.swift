/// How editrc(5) writes keys: `^A`, `\e[A`, `\033`, `M-x`.
enum KeyNotation {
  /// The bytes that the notation stands for; nil where it is none.
  static func bytes(of notation: String) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = Array(notation.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "^"):
        guard let letter = rest.popFirst() else { return nil }
        result.append(letter == UInt8(ascii: "?") ? 0x7F : letter & 0x1F)
      case UInt8(ascii: "\\"):
        guard let escaped = escape(&rest) else { return nil }
        result.append(escaped)
      case UInt8(ascii: "M") where rest.first == UInt8(ascii: "-") && rest.count > 1:
        rest.removeFirst()
        result.append(0x1B)
      default: result.append(byte)
      }
    }
    return result
  }

  private static func escape(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
    guard let byte = rest.popFirst() else { return nil }
    switch byte {
    case UInt8(ascii: "a"): return 0x07
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "e"), UInt8(ascii: "E"): return 0x1B
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var value = Int(byte & 7)
      for _ in 0..<2 {
        guard let digit = rest.first, digit & 0xF8 == UInt8(ascii: "0") else { break }
        value = value * 8 + Int(digit & 7)
        rest.removeFirst()
      }
      return UInt8(exactly: value)
    default: return byte
    }
  }
}

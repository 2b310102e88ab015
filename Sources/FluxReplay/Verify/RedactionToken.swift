package import FluxJSON
import FluxLog

/// The token that replaces a secret value in a log: `<redacted 5f0c2a9e71b3d844>`.
package enum RedactionToken {
  private static let start = "<redacted "

  /// Returns `true` if a string is or contains a token.
  static func isIn(_ value: JSON?) -> Bool {
    guard let value, value.kind == .string, let string = value.string else { return false }
    var rest = string.utf8[...]
    while let found = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[found...]
      if rest.starts(with: start.utf8) {
        let digits = rest.dropFirst(start.utf8.count)
        if digits.prefix(16).allSatisfy(isHexDigit), digits.dropFirst(16).first == UInt8(ascii: ">")
        {
          return true
        }
      }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Creates a token with random digits.
  static func random() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return start + String(repeating: "0", count: 16 - digits.utf8.count) + digits + ">"
  }

  /// Returns `true` if a value contains a token at any depth.
  package static func isAnywhere(in value: JSON) -> Bool {
    guard value.text.utf8.count > start.utf8.count, value.text.contains(start) else { return false }
    var pending = [value]
    while let next = pending.popLast() {
      if isIn(next) { return true }
      pending += next.elements
      pending += next.members.map(\.value)
    }
    return false
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

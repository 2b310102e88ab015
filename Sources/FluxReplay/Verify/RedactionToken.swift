package import FluxLog

/// What a log has in the place of a value that was not to be written: `<redacted 5f0c2a9e71b3d844>`.
package enum RedactionToken {
  private static let start = "<redacted "

  /// Whether a string is a token, or was made of one.
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

  /// A token that stands for nothing yet.
  static func random() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return start + String(repeating: "0", count: 16 - digits.utf8.count) + digits + ">"
  }

  /// Whether there is a token anywhere in a value.
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

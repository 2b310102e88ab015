/// Text of a log as Swift source takes it.
enum SwiftText {
  /// A literal of one line.
  static func literal(_ text: String) -> String {
    let hashes = hashes(for: text)
    guard text.unicodeScalars.contains(where: \.isControl) else {
      return "\(hashes)\"\(text)\"\(hashes)"
    }
    let escaped = text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if scalar.isControl {
        escaped += "\\\(hashes)u{\(String(scalar.value, radix: 16))}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return "\(hashes)\"\(escaped)\"\(hashes)"
  }

  /// A literal of several lines, none of which has a line end in it.
  static func literal(lines: [String], indent: String) -> String {
    let hashes = hashes(for: lines.joined(separator: "\n"))
    let body = lines.map { "\(indent)\($0)\n" }.joined()
    return "\(hashes)\"\"\"\n\(body)\(indent)\"\"\"\(hashes)"
  }

  /// So many that nothing in the text ends the literal, or is an escape.
  private static func hashes(for text: String) -> String {
    var (longest, run) = (0, -1)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
      case UInt8(ascii: "#") where run >= 0: run += 1
      default: run = -1
      }
      longest = max(longest, run + 1)
    }
    return String(repeating: "#", count: longest)
  }

  /// The letters and digits of a text as an identifier; nil where they are none.
  static func identifier(_ text: String) -> String? {
    let kept = text.utf8.filter(isWord).drop { (0x30...0x39).contains($0) }
    return kept.isEmpty ? nil : String(decoding: Array(kept), as: UTF8.self)
  }

  /// Whether a text can stand in a literal, a comment or a name of a test as it is.
  static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isWord($0) || "/_.-".utf8.contains($0) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

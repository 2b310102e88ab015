extension Unicode.Scalar {
  /// `true` for what a terminal may take for more than a character: the controls C0, DEL and C1, the separators
  /// of lines and paragraphs, and the characters that change the direction of text.
  ///
  /// The one definition of what output for a terminal must not contain.
  package var isTerminalControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    default: false
    }
  }

  /// The escape of JSON; all scalars that are escaped have four digits.
  var escape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

extension String {
  /// The beginning of the text that fits on a line beside a step; an ellipsis marks a cut.
  var shortened: String {
    let limit = 100
    guard unicodeScalars.count > limit else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(limit - 1))) + "…"
  }
}

extension Int {
  /// The number and what it counts: `1 step`, `2 steps`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

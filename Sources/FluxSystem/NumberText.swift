// Numbers as text.

extension BinaryInteger {
  /// Returns the number and what it counts, for people: `1 step`, `2 steps`.
  ///
  /// The plural of the noun must end in `s`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// All hex digits, with leading zeros.
  package var hexDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
  }
}

extension String {
  /// The text at the right of a column, whose width is counted in characters.
  package func rightAligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

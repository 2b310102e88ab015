extension BinaryInteger {
  /// Returns the number and what it counts, for people: `1 step`, `2 steps`.
  ///
  /// The plural of the noun must end in `s`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

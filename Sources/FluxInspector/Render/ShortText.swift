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

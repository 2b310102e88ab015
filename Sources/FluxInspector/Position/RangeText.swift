/// A range as it is written in a command: `A..B`, each a position, either may be missing.
struct RangeText: Equatable {
  /// Nil for the first step.
  let from: PositionText?
  /// Nil for the last step.
  let through: PositionText?

  /// Reads a range; nil where the text is none.
  ///
  /// A position alone is the range of that one step.
  init?(_ text: String) {
    guard let dots = text.firstRange(of: "..") else {
      guard let only = PositionText(text) else { return nil }
      (from, through) = (only, only)
      return
    }
    let (left, right) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
    from = PositionText(left)
    through = PositionText(right)
    guard (from != nil || left.isEmpty) && (through != nil || right.isEmpty) else { return nil }
  }

  /// What to write, for messages.
  static let forms = "a range is A..B, both included, either may be missing; \(PositionText.forms)"
}

internal import CLibEdit

/// How many columns of a terminal a text takes.
///
/// The C library's `wcwidth` knows each scalar; what a cluster takes is decided as most terminals
/// do: by its first scalar that is shown, and two columns for flags and for what a variation
/// selector makes an emoji.
package enum ColumnWidth {
  /// The columns of a text that holds no control characters.
  package static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character.
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if scalars.dropFirst().contains("\u{FE0F}") || isFlag(scalars) { return 2 }
    return scalars.lazy.map(of).first { $0 > 0 } ?? 0
  }

  /// The columns of a scalar by itself; none for one that cannot be shown.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    max(0, width(scalar))
  }

  /// Has the C library know more than ASCII.
  ///
  /// Without any UTF-8 locale on the system it does not, libedit spells all else out, and widths are
  /// those of what it spells.
  static let isLocaleChosen = cle_choose_locale()

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    _ = isLocaleChosen
    return Int(cle_width(scalar.value))
  }

  /// Whether the C library knows how to show the scalar.
  static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    width(scalar) >= 0
  }

  private static func isFlag(_ scalars: Character.UnicodeScalarView) -> Bool {
    let indicators: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF
    return scalars.count == 2 && scalars.allSatisfy { indicators.contains($0.value) }
  }

  /// The longest start of the text that takes no more columns, and whether it is all of it.
  static func prefix(of text: String, columns: Int) -> (text: String, isWhole: Bool) {
    var result = ""
    var rest = columns
    for character in text {
      rest -= of(character)
      guard rest >= 0 else { return (result, false) }
      result.append(character)
    }
    return (result, true)
  }

  /// The text in exactly so many columns: padded with spaces, or cut with an ellipsis at its end.
  package static func fit(_ text: String, columns: Int) -> String {
    let width = of(text)
    if width <= columns { return text + String(repeating: " ", count: columns - width) }
    guard columns > 0 else { return "" }
    let start = prefix(of: text, columns: columns - 1).text + "…"
    return start + String(repeating: " ", count: max(0, columns - of(start)))
  }
}

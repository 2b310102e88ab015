internal import CTerminal

/// Computes the number of terminal columns that a text takes.
///
/// The C library's `wcwidth` gives the width of each scalar. The width of a character follows most terminals:
/// that of its first visible scalar, and two columns for flags and for characters with an emoji variation
/// selector.
package enum ColumnWidth {
  package static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if scalars.dropFirst().contains("\u{FE0F}") || isFlag(scalars) { return 2 }
    return scalars.lazy.map(of).first { $0 > 0 } ?? 0
  }

  /// The columns of a scalar; 0 for one that cannot be shown.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    max(0, width(scalar))
  }

  /// Chooses a UTF-8 locale, so that the C library knows more than ASCII; `false` if the system has none.
  ///
  /// Without such a locale, libedit spells out all other characters, and widths are those of the spellings.
  package static let isLocaleChosen = cle_choose_locale()

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    _ = isLocaleChosen
    return Int(cle_width(scalar.value))
  }

  /// `true` if the C library can show the scalar.
  package static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    width(scalar) >= 0
  }

  private static func isFlag(_ scalars: Character.UnicodeScalarView) -> Bool {
    let indicators: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF
    return scalars.count == 2 && scalars.allSatisfy { indicators.contains($0.value) }
  }

  /// The longest prefix that fits into a number of columns, and `true` if it is the whole text.
  package static func prefix(of text: String, columns: Int) -> (text: String, isWhole: Bool) {
    var result = ""
    var rest = columns
    for character in text {
      rest -= of(character)
      guard rest >= 0 else { return (result, false) }
      result.append(character)
    }
    return (result, true)
  }

  /// Fits a text into an exact number of columns: pads it with spaces, or cuts it with an ellipsis.
  package static func fit(_ text: String, columns: Int) -> String {
    let width = of(text)
    if width <= columns { return text + String(repeating: " ", count: columns - width) }
    guard columns > 0 else { return "" }
    let start = prefix(of: text, columns: columns - 1).text + "…"
    return start + String(repeating: " ", count: max(0, columns - of(start)))
  }
}

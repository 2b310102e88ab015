import FluxSystem

/// Pasted text that has not been used yet.
///
/// Pasted text never acts as keys. A multi-line paste is returned line by line, as if each line had been typed
/// and accepted. The text after the last line end goes into the next edited line.
struct PasteQueue: Equatable {
  /// The whole lines that have not been returned.
  private(set) var lines: ArraySlice<String> = []
  /// The text for the next edited line.
  private(set) var remainder = ""

  /// Adds a paste; returns the text to insert into the current line, and `true` if the line is then complete.
  mutating func take(_ bytes: [UInt8]) -> (insertion: String, isWhole: Bool) {
    var parts = Self.lines(of: bytes).map(Self.typeable)
    guard parts.count > 1, let last = parts.popLast() else { return (parts.first ?? "", false) }
    lines = parts.dropFirst()
    remainder = last
    return (parts.first ?? "", true)
  }

  mutating func nextLine() -> String? { lines.popFirst() }

  /// Removes and returns the text for the next edited line; nil while whole lines remain.
  mutating func takeRemainder() -> String? {
    guard lines.isEmpty, !remainder.isEmpty else { return nil }
    defer { remainder = "" }
    return remainder
  }

  /// Splits bytes at carriage returns and line feeds.
  ///
  /// The terminal's raw mode swaps the two, so a pair in either order is one line end.
  private static func lines(of bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(
      separator: /\r\n|\n\r|\r|\n/.matchingSemantics(.unicodeScalar),
      omittingEmptySubsequences: false)
  }

  /// Removes scalars that do not show, and replaces tabs with spaces.
  private static func typeable(_ text: Substring) -> String {
    var scalars = VisibleScalars()
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar == "\t" || scalars.shows(scalar) {
      result.append(scalar == "\t" ? " " : scalar)
    }
    return String(result)
  }
}

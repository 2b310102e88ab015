import FluxSystem

/// A line of a report for people.
///
/// Characters that a terminal would obey are escaped.
package struct ReportLine: Sendable, Equatable {
  /// The text, with its indentation.
  package let text: String
  /// `true` for a value and for a command to paste into a shell, which must not be wrapped.
  package let isVerbatim: Bool

  init(_ text: String, isVerbatim: Bool = false) {
    self.text = text.printable
    self.isVerbatim = isVerbatim
  }

  /// Returns the line with spaces in front of it.
  func indented(by count: Int) -> ReportLine {
    ReportLine(String(repeating: " ", count: count) + text, isVerbatim: isVerbatim)
  }
}

internal import CLibEdit

/// The size of a terminal in characters.
package struct TerminalSize: Equatable, Sendable {
  /// The width.
  package var columns: Int
  /// The height.
  package var rows: Int

  /// Makes a size.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size of the terminal at a descriptor, else what `COLUMNS` and `LINES` say, else 80 by 24.
  package init(descriptor: Int32, environment: [String: String]) {
    var columns: Int32 = 0
    var rows: Int32 = 0
    // Both are locals that outlive the call.
    if unsafe cle_terminal_size(descriptor, &columns, &rows) {
      self.init(columns: Int(columns), rows: Int(rows))
    } else {
      self.init(environment: environment)
    }
  }

  /// What the environment says, which counts where there is no terminal to ask.
  package init(environment: [String: String]) {
    self.init(
      columns: Self.count(environment["COLUMNS"]) ?? 80,
      rows: Self.count(environment["LINES"]) ?? 24)
  }

  /// A size that a person could have meant.
  private static func count(_ text: String?) -> Int? {
    guard let text, let count = Int(text), (1...10_000).contains(count) else { return nil }
    return count
  }
}

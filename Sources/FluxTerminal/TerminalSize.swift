internal import CTerminal

/// The size of a terminal in characters.
package struct TerminalSize: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Reads the size of the terminal at a descriptor; falls back to `COLUMNS` and `LINES`, then to 80 by 24.
  package init(descriptor: Int32, environment: [String: String]) {
    var columns: Int32 = 0
    var rows: Int32 = 0
    // Both variables outlive the call.
    if unsafe cle_terminal_size(descriptor, &columns, &rows) {
      self.init(columns: Int(columns), rows: Int(rows))
    } else {
      self.init(
        columns: Self.count(environment["COLUMNS"]) ?? 80,
        rows: Self.count(environment["LINES"]) ?? 24)
    }
  }

  /// Parses a plausible size; returns nil for any other text.
  private static func count(_ text: String?) -> Int? {
    guard let text, let count = Int(text), (1...10_000).contains(count) else { return nil }
    return count
  }
}

extension [String: String] {
  /// `true` if `TERM` names a terminal that can move its cursor: one without a name, or called `dumb`, can only print.
  package var namesFullTerminal: Bool { !["", "dumb"].contains(self["TERM"] ?? "") }
}

/// The colors that a terminal is known to show.
package enum TerminalColors: Sendable {
  /// The sixteen colors of every terminal.
  case sixteen
  /// xterm's table of 256 colors.
  case indexed

  /// Judges a terminal by `TERM` and `COLORTERM`.
  package init(environment: [String: String]) {
    let kind = environment["TERM"] ?? ""
    let isRich = ["256color", "direct", "kitty", "alacritty", "ghostty", "foot", "wezterm"]
      .contains { kind.contains($0) }
    self = isRich || !(environment["COLORTERM"] ?? "").isEmpty ? .indexed : .sixteen
  }
}

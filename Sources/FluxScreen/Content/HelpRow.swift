import FluxCommands

/// A row of the help: keys, and their effect behind them.
struct HelpRow: Equatable {
  var keys = ""
  var effect = ""

  /// The blanks before an effect that stands below its keys.
  private static let indent = "  "
  /// The columns between keys and their effect.
  private static let gap = 2

  /// The rows for a screen.
  ///
  /// If it is too narrow for an effect behind its keys, all effects stand below theirs.
  static func rows(columns: Int) -> [HelpRow] {
    let width = (BrowseKeys.all.map(\.keys.count).max() ?? 0) + gap
    let longest = BrowseKeys.all.map(\.effect.count).max() ?? 0
    guard columns < width + longest else {
      return BrowseKeys.all.map { entry in
        let padding = String(repeating: " ", count: width - entry.keys.count)
        return HelpRow(keys: entry.keys, effect: padding + entry.effect)
      }
    }
    return BrowseKeys.all.flatMap { entry in
      broken(entry.keys, columns: columns).map { HelpRow(keys: $0) }
        + broken(entry.effect, columns: columns - indent.count).map { HelpRow(effect: indent + $0) }
    }
  }

  /// Breaks a text between words; a word that is wider than the screen stands alone.
  private static func broken(_ text: String, columns: Int) -> [String] {
    var rows: [String] = []
    var row = ""
    // Two blanks separate groups of keys, so an empty word is kept within a row.
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if row.isEmpty {
        row = String(word)
      } else if row.count + 1 + word.count <= columns {
        row += " \(word)"
      } else {
        rows.append(row)
        row = String(word)
      }
    }
    return rows + [row]
  }
}

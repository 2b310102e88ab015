import FluxTerminal

/// The rows that list completion candidates below the line.
struct CandidateList: Equatable {
  let rows: [String]

  /// Lays out the candidates: one per row if any has a help text, otherwise in columns.
  ///
  /// Columns read downwards. If the list does not fit on the screen, the last row counts the rest.
  init(_ candidates: [Completions.Candidate], size: TerminalSize) {
    // Leaves room for the completed line, above and below the list.
    let limit = max(1, size.rows - 3)
    let names = candidates.map(\.text.sanitised)
    let width = min(names.map { ColumnWidth.of($0) }.max() ?? 0, size.columns - 1)
    if candidates.contains(where: { !$0.help.isEmpty }) {
      let lines = zip(names, candidates).map { Self.row($0, $1.help.sanitised, width, size) }
      rows = Self.capped(lines, perRow: 1, total: candidates.count, limit: limit)
    } else {
      let columns = max(1, size.columns / (width + 2))
      let height = (names.count + columns - 1) / columns
      // A cut list has to lose its end, so it reads across instead of downwards.
      let isCut = height > limit
      let lines = (0..<height).map { row in
        let places = (0..<columns).map { isCut ? row * columns + $0 : row + $0 * height }
        let cells = places.filter { $0 < names.count }.map { names[$0] }
        return Self.joined(cells, width: width)
      }
      rows = Self.capped(lines, perRow: columns, total: names.count, limit: limit)
    }
  }

  private static func row(
    _ name: String, _ help: String, _ width: Int, _ size: TerminalSize
  ) -> String {
    let helpColumns = size.columns - width - 3
    guard !help.isEmpty, helpColumns > 3 else {
      return ColumnWidth.fit(name, columns: width).trimmed
    }
    return
      (ColumnWidth.fit(name, columns: width) + "  "
      + ColumnWidth.fit(help, columns: helpColumns)).trimmed
  }

  private static func joined(_ cells: [String], width: Int) -> String {
    cells.map { ColumnWidth.fit($0, columns: width) }.joined(separator: "  ").trimmed
  }

  private static func capped(
    _ lines: [String], perRow: Int, total: Int, limit: Int
  ) -> [String] {
    guard lines.count > limit else { return lines }
    let shown = limit - 1
    return lines.prefix(shown) + ["… \(total - shown * perRow) more"]
  }
}

extension String {
  /// The text without trailing spaces.
  fileprivate var trimmed: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == " " { end = index(before: end) }
    return String(self[..<end])
  }
}

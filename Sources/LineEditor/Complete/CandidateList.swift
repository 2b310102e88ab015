import FluxTerminal

/// The rows that list completion candidates below the line.
struct CandidateList: Equatable {
  let rows: [String]

  /// Lays out the candidates in columns, which read downwards.
  ///
  /// If the list does not fit on the screen, it reads across, and the last row counts the rest.
  init(_ candidates: [Completions.Candidate], size: TerminalSize) {
    // Leaves room for the completed line, above and below the list.
    let limit = max(1, size.rows - 3)
    let names = candidates.map(\.text.sanitised)
    let width = min(names.map { ColumnWidth.of($0) }.max() ?? 0, size.columns - 1)
    let columns = max(1, size.columns / (width + 2))
    let height = (names.count + columns - 1) / columns
    // A cut list has to lose its end, so it reads across instead of downwards.
    let isCut = height > limit
    let lines = (0..<height).map { row in
      let places = (0..<columns).map { isCut ? row * columns + $0 : row + $0 * height }
      return places.filter { $0 < names.count }.map { ColumnWidth.fit(names[$0], columns: width) }
        .joined(separator: "  ").trimmed
    }
    let shown = limit - 1
    rows = isCut ? lines.prefix(shown) + ["… \(names.count - shown * columns) more"] : lines
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

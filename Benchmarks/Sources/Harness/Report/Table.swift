/// A table of texts, for a terminal or for a page.
package struct Table {
  /// Where the texts of a column stand.
  package enum Side: Sendable { case left, right }

  private let heads: [String]
  private let sides: [Side]
  private var lines: [[String]] = []

  package init(_ columns: [(head: String, side: Side)]) {
    heads = columns.map(\.head)
    sides = columns.map(\.side)
  }

  /// Adds a line with a text for each column.
  package mutating func add(_ texts: [String]) {
    precondition(texts.count == heads.count, "a line has a text for each column")
    lines.append(texts)
  }

  /// Columns that are padded with spaces, two of them apart.
  package var text: String {
    let all = [heads] + lines
    let widths = heads.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { line in
      let padded = line.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - line[column].count)
        return sides[column] == .left ? line[column] + space : space + line[column]
      }
      let joined = padded.joined(separator: "  ")
      return String(joined.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }

  /// A table of Markdown.
  package var markdown: String {
    let rule = sides.map { $0 == .left ? "---" : "---:" }
    return ([heads, rule] + lines).map { line in
      "| " + line.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }.joined()
  }
}

import FluxSystem

/// The content of a whole screen: rows of styled cells, and the place of the cursor.
///
/// All text passes ``Swift/String/printable(as:)`` on its way into a cell, so no value of a log controls the terminal.
package struct Frame: Equatable, Sendable {
  /// A cell of the screen.
  package struct Cell: Equatable, Sendable {
    /// The character; empty in the second column of a wide one.
    package var text = " "
    package var style = CellStyle.plain
  }

  /// A place on the screen, counted from 0.
  package struct Place: Equatable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
  }

  package let size: TerminalSize
  /// The place of the cursor; nil to hide it.
  package var cursor: Place?
  var cells: [[Cell]]

  /// Creates a blank frame; a terminal has at least one cell.
  package init(_ size: TerminalSize) {
    self.size = TerminalSize(columns: max(1, size.columns), rows: max(1, size.rows))
    let row = Array(repeating: Cell(), count: self.size.columns)
    cells = Array(repeating: row, count: self.size.rows)
  }

  /// The rows as text, without spaces at their ends.
  package var lines: [String] {
    cells.map { row in
      let text = row.map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  package func cell(_ place: Place) -> Cell { cells[place.row][place.column] }

  /// Writes pieces of text one behind the other, up to a column; an ellipsis marks a cut.
  ///
  /// Nothing is written outside of the screen, or from the column `limit` on. The first columns of the text are left out if
  /// they are skipped. The column behind the text is returned.
  @discardableResult
  package mutating func write(
    _ spans: [StyledSpan], at place: Place, limit: Int, skipping skipped: Int = 0
  ) -> Int {
    guard cells.indices.contains(place.row), place.column >= 0 else { return place.column }
    let limit = min(limit, size.columns)
    var column = place.column
    var skipped = skipped
    for span in spans {
      // A character may have many scalars without a column, and nobody reads what is off the screen.
      let most = 4 * (limit - place.column + skipped) + 64
      let scalars = span.text.unicodeScalars
      let text = String(String.UnicodeScalarView(scalars.prefix(max(0, most))))
      for character in text.printable(as: .json) {
        let width = ColumnWidth.of(character)
        guard width > 0 else { continue }
        guard skipped <= 0 else {
          skipped -= width
          continue
        }
        guard column + width <= limit else {
          cut(row: place.row, at: min(column, limit - 1), from: place.column, span.style)
          return limit
        }
        cells[place.row][column] = Cell(text: String(character), style: span.style)
        if width == 2 { cells[place.row][column + 1] = Cell(text: "", style: span.style) }
        column += width
      }
    }
    return column
  }

  /// Gives the cells of a stretch of a row a style, and keeps their text.
  package mutating func restyle(row: Int, _ columns: Range<Int>, _ style: CellStyle) {
    guard cells.indices.contains(row) else { return }
    for column in columns.clamped(to: 0..<size.columns) { cells[row][column].style = style }
  }

  /// Writes an ellipsis over the last cell of a text that goes on.
  private mutating func cut(row: Int, at column: Int, from start: Int, _ style: CellStyle) {
    guard column >= start else { return }
    var column = column
    // The ellipsis takes the place of a wide character, of which no half can stand alone.
    if cells[row][column].text.isEmpty, column > start {
      cells[row][column].text = " "
      column -= 1
    }
    cells[row][column] = Cell(text: "…", style: style)
  }
}

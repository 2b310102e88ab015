import FluxTerminal

/// The places of the cursor and of the line's end on the screen, counted from the prompt's first row.
///
/// libedit does not expose them, so this type repeats its computation scalar by scalar: a wide scalar that
/// does not fit moves to the next row, and after the last column the next row begins at once.
struct InputLayout: Equatable {
  struct Place: Equatable {
    var row = 0
    var column = 0
  }

  private(set) var cursor = Place()
  private(set) var end = Place()

  /// Lays out a prompt and a line with a cursor in it.
  init(prompt: String, line: EditedLine, size: TerminalSize) {
    for scalar in prompt.unicodeScalars { advance(over: scalar, size) }
    var found: Place?
    for index in line.text.unicodeScalars.indices {
      let scalar = line.text.unicodeScalars[index]
      if index == line.cursor { found = place(of: scalar, size) }
      advance(over: scalar, size)
    }
    cursor = found ?? end
  }

  /// The place of the next scalar.
  private func place(of scalar: Unicode.Scalar, _ size: TerminalSize) -> Place {
    let isTorn = end.column + ColumnWidth.of(scalar) > size.columns
    return isTorn ? Place(row: end.row + 1, column: 0) : end
  }

  private mutating func advance(over scalar: Unicode.Scalar, _ size: TerminalSize) {
    switch scalar.value {
    case 0x09: repeat { advance(columns: 1, size) } while end.column % 8 != 0
    case 0x0A: nextRow(size)
    // Control characters appear as ^A.
    case 0..<0x20, 0x7F:
      advance(columns: 1, size)
      advance(columns: 1, size)
    case _ where ColumnWidth.isShown(scalar): advance(columns: ColumnWidth.of(scalar), size)
    // Other scalars appear as \U+XXXX.
    case let value:
      for _ in 0..<(value > 0xFFFF ? 8 : 7) { advance(columns: 1, size) }
    }
  }

  private mutating func advance(columns: Int, _ size: TerminalSize) {
    if end.column + columns > size.columns { nextRow(size) }
    end.column += columns
    if end.column >= size.columns { nextRow(size) }
  }

  /// Moves to the next row; on the last row, the screen scrolls instead.
  private mutating func nextRow(_ size: TerminalSize) {
    end = Place(row: min(end.row + 1, size.rows - 1), column: 0)
  }
}

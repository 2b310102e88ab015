/// The content of a terminal: the part of a VT220 (with xterm's extensions) that line editors use.
package struct Screen: Sendable {
  /// A cell of the screen.
  package struct Cell: Equatable, Sendable {
    /// The text; empty after a character that is two columns wide.
    package var text = " "
    /// The parameters of the last SGR sequence before it: `0;1;32`.
    package var style = ""

    package init(text: String = " ", style: String = "") {
      self.text = text
      self.style = style
    }
  }

  /// The width.
  package private(set) var columns: Int
  package private(set) var rows: Int
  /// The place of the cursor, counted from 0.
  package private(set) var cursor: (row: Int, column: Int) = (0, 0)
  /// The number of times the bell rang.
  package private(set) var bells = 0
  /// The private modes that are set: 2004 is bracketed paste, 25 the visible cursor, 7 the wrapping of lines, 1049 the
  /// alternate screen.
  package private(set) var modes: Set<Int> = [7, 25]
  /// The rows that have left the screen at its top.
  package private(set) var scrolledOff: [String] = []
  /// The sequences that this screen does not know; a test that sends one is incomplete.
  package private(set) var unknown: [String] = []

  private var cells: [[Cell]]
  /// The other screen, and its cursor, while the alternate one is shown.
  private var other: (cells: [[Cell]], cursor: (row: Int, column: Int))?
  private var style = ""
  /// `true` if the last column is full and the next character goes to the next row.
  private var wrapsNext = false
  private var sequence: [Unicode.Scalar]?

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
  }

  /// The rows without trailing spaces.
  package var lines: [String] {
    cells.map { Self.text($0) }
  }

  /// All rows that are not empty, joined by line feeds.
  package var text: String {
    lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The row of the cursor.
  package var line: String { Self.text(cells[cursor.row]) }

  /// The cell at a place.
  package func cell(row: Int, column: Int) -> Cell { cells[row][column] }

  /// Changes the size; text outside of it is lost, as on an xterm.
  package mutating func resize(columns: Int, rows: Int) {
    var resized = Self.blank(columns, rows)
    let dropped = max(0, cursor.row - rows + 1)
    for (row, line) in cells.dropFirst(dropped).prefix(rows).enumerated() {
      resized[row].replaceSubrange(0..<min(columns, line.count), with: line.prefix(columns))
    }
    cells = resized
    (self.columns, self.rows) = (columns, rows)
    cursor = (cursor.row - dropped, min(cursor.column, columns - 1))
    wrapsNext = false
  }

  /// Processes the output of a program.
  package mutating func feed(_ text: String) {
    for scalar in text.unicodeScalars { feed(scalar) }
  }

  private mutating func feed(_ scalar: Unicode.Scalar) {
    if let open = sequence {
      continueSequence(open + [scalar])
      return
    }
    switch scalar.value {
    case 0x07: bells += 1
    case 0x08: move(column: cursor.column - 1)
    case 0x09: move(column: (cursor.column / 8 + 1) * 8)
    case 0x0A: lineFeed()
    case 0x0D: move(column: 0)
    case 0x1B: sequence = []
    case 0..<0x20, 0x7F..<0xA0: unknown.append("\\u{\(String(scalar.value, radix: 16))}")
    default: put(scalar)
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = CellWidth.of(scalar)
    if width == 0 {
      let column = wrapsNext ? cursor.column : max(0, cursor.column - 1)
      cells[cursor.row][column].text.unicodeScalars.append(scalar)
      return
    }
    if !modes.contains(7), cursor.column + width > columns { cursor.column = columns - width }
    if wrapsNext || cursor.column + width > columns {
      cursor.column = 0
      lineFeed()
    }
    cells[cursor.row][cursor.column] = Cell(text: String(scalar), style: style)
    if width == 2 { cells[cursor.row][cursor.column + 1] = Cell(text: "", style: style) }
    let next = cursor.column + width
    wrapsNext = next == columns && modes.contains(7)
    cursor.column = min(next, columns - 1)
  }

  private mutating func lineFeed() {
    wrapsNext = false
    guard cursor.row == rows - 1 else {
      cursor.row += 1
      return
    }
    scrolledOff.append(Self.text(cells.removeFirst()))
    cells.append(Self.blank(columns, 1)[0])
  }

  private mutating func move(row: Int? = nil, column: Int? = nil) {
    wrapsNext = false
    cursor.row = min(max(row ?? cursor.row, 0), rows - 1)
    cursor.column = min(max(column ?? cursor.column, 0), columns - 1)
  }

  private mutating func continueSequence(_ scalars: [Unicode.Scalar]) {
    let name = scalars[0]
    if name == "[" {
      guard scalars.count > 1, let last = scalars.last, (0x40..<0x7F).contains(last.value) else {
        sequence = scalars
        return
      }
      sequence = nil
      perform(last, String(String.UnicodeScalarView(scalars[1..<(scalars.count - 1)])))
      return
    }
    // The choice of a character set has one more byte.
    if name == "(" || name == ")", scalars.count == 1 {
      sequence = scalars
      return
    }
    sequence = nil
    switch name {
    case "(", ")", "=", ">": break
    case "M": move(row: cursor.row - 1)
    default: unknown.append("ESC " + String(String.UnicodeScalarView(scalars)))
    }
  }

  /// A control sequence (ECMA-48).
  private mutating func perform(_ final: Unicode.Scalar, _ parameters: String) {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
    let first = numbers.first ?? 0
    let count = max(1, first)
    switch final {
    case "A": move(row: cursor.row - count)
    case "B": move(row: cursor.row + count)
    case "C": move(column: cursor.column + count)
    case "D": move(column: cursor.column - count)
    case "G": move(column: count - 1)
    case "d": move(row: count - 1)
    case "H": move(row: count - 1, column: max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
    case "J": eraseScreen(first)
    case "K": eraseLine(first)
    case "P": deleteCells(count)
    case "@": insertCells(count)
    case "m": style = parameters
    case "h" where parameters.hasPrefix("?"): set(Self.numbers(parameters))
    case "l" where parameters.hasPrefix("?"): reset(Self.numbers(parameters))
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }

  private mutating func set(_ numbers: [Int]) {
    if numbers.contains(1049), !modes.contains(1049) {
      other = (cells, cursor)
      cells = Self.blank(columns, rows)
    }
    modes.formUnion(numbers)
  }

  private mutating func reset(_ numbers: [Int]) {
    modes.subtract(numbers)
    guard numbers.contains(1049), let other else { return }
    var screen = Screen(columns: other.cells.first?.count ?? columns, rows: other.cells.count)
    (screen.cells, screen.cursor) = (other.cells, other.cursor)
    screen.resize(columns: columns, rows: rows)
    (cells, cursor, self.other) = (screen.cells, screen.cursor, nil)
  }

  private static func numbers(_ parameters: String) -> [Int] {
    parameters.dropFirst().split(separator: ";").compactMap { Int($0) }
  }

  private mutating func eraseLine(_ part: Int) {
    let range =
      part == 0 ? cursor.column..<columns : part == 1 ? 0..<(cursor.column + 1) : 0..<columns
    for column in range { cells[cursor.row][column] = Cell() }
  }

  private mutating func eraseScreen(_ part: Int) {
    if part == 0 { eraseLine(0) }
    let range = part == 0 ? (cursor.row + 1)..<rows : part == 1 ? 0..<cursor.row : 0..<rows
    for row in range { cells[row] = Self.blank(columns, 1)[0] }
  }

  private mutating func deleteCells(_ count: Int) {
    let count = min(count, columns - cursor.column)
    cells[cursor.row].removeSubrange(cursor.column..<(cursor.column + count))
    cells[cursor.row] += Array(repeating: Cell(), count: count)
  }

  private mutating func insertCells(_ count: Int) {
    let count = min(count, columns - cursor.column)
    cells[cursor.row].removeLast(count)
    cells[cursor.row].insert(contentsOf: Array(repeating: Cell(), count: count), at: cursor.column)
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[Cell]] {
    Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  private static func text(_ row: [Cell]) -> String {
    // Most cells are blank, and the screen is read after each output.
    guard let last = row.lastIndex(where: { $0.text != " " && !$0.text.isEmpty }) else { return "" }
    return row[...last].map(\.text).joined()
  }
}

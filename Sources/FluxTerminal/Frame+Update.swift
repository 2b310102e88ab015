extension Frame {
  /// The text that turns a screen into this frame; empty if nothing differs.
  ///
  /// Only the part of each row that differs is sent. Terminals disagree about the width of some characters, so a column
  /// follows each one that is not ASCII. The old frame is nil if the screen is unknown or of another size.
  package func update(from old: Frame?) -> String {
    var output = ""
    var shown = Frame(size)
    if let old, old.size == size {
      shown = old
    } else {
      output = "\u{1B}[0m\u{1B}[H\u{1B}[2J"
    }
    for row in cells.indices where cells[row] != shown.cells[row] {
      output += changes(of: cells[row], from: shown.cells[row], row: row)
    }
    // The text before has moved the cursor.
    guard !output.isEmpty || cursor != old?.cursor else { return "" }
    guard let cursor else { return "\u{1B}[?25l" + output }
    return "\u{1B}[?25l" + output + Self.move(to: cursor) + "\u{1B}[?25h"
  }

  private func changes(of new: [Cell], from old: [Cell], row: Int) -> String {
    let differing = new.indices.filter { new[$0] != old[$0] }
    guard var first = differing.first, var last = differing.last else { return "" }
    while first > 0, new[first].text.isEmpty { first -= 1 }
    let blank = new.lastIndex { $0 != Cell() }.map { $0 + 1 } ?? 0
    // The cells after the text of the row are erased at once.
    let erases = last >= blank
    if erases { last = max(first, blank) - 1 }
    var output = Self.move(to: Place(row: row, column: first))
    var style: CellStyle?
    var isPlaced = true
    for column in first..<max(first, last + 1) where !new[column].text.isEmpty {
      let cell = new[column]
      if !isPlaced { output += "\u{1B}[\(column + 1)G" }
      if cell.style != style { output += cell.style.sequence }
      style = cell.style
      output += cell.text
      isPlaced = cell.text.utf8.count == 1
    }
    if !isPlaced, erases { output += "\u{1B}[\(max(first, last + 1) + 1)G" }
    if style != nil, style != .plain || erases { output += CellStyle.plain.sequence }
    return output + (erases ? "\u{1B}[K" : "")
  }

  private static func move(to place: Place) -> String {
    "\u{1B}[\(place.row + 1);\(place.column + 1)H"
  }
}

import FluxTerminal

/// The places of the panes on a screen.
///
/// A large screen shows all three panes: the steps on the left, the changes above the state on the right. A small one
/// shows the pane that has the keys. The title, the names of the panes and the last row leave in this order when
/// there are few rows.
struct BrowseLayout: Equatable, Sendable {
  /// A part of the screen.
  struct Area: Equatable, Sendable {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int

    var limit: Int { column + columns }
  }

  /// The smallest screen that has room for three panes.
  private static let split = TerminalSize(columns: 60, rows: 12)

  let size: TerminalSize
  let isSplit: Bool
  let hasTitle: Bool
  let hasHeaders: Bool
  let hasStatus: Bool

  init(_ size: TerminalSize) {
    self.size = TerminalSize(columns: max(1, size.columns), rows: max(1, size.rows))
    isSplit = size.columns >= Self.split.columns && size.rows >= Self.split.rows
    hasTitle = size.rows >= 4
    hasHeaders = size.rows >= 5
    hasStatus = size.rows >= 2
  }

  /// Everything between the title and the last row.
  var whole: Area {
    let first = hasTitle ? 1 : 0
    return Area(
      row: first, column: 0, rows: max(0, size.rows - first - (hasStatus ? 1 : 0)),
      columns: size.columns)
  }

  /// The area of a pane with its header; empty if the pane is not shown.
  func area(of pane: Pane, focus: Pane) -> Area {
    var area = whole
    guard isSplit else {
      if pane != focus { area.rows = 0 }
      return area
    }
    let left = size.columns * 2 / 5
    let upper = (area.rows + 1) / 2
    switch pane {
    case .steps: area.columns = left
    case .changes:
      (area.column, area.columns, area.rows) = (left + 2, size.columns - left - 2, upper)
    case .state:
      (area.column, area.columns) = (left + 2, size.columns - left - 2)
      (area.row, area.rows) = (area.row + upper, area.rows - upper)
    }
    return area
  }

  /// The area of a pane's content.
  func body(of pane: Pane, focus: Pane) -> Area {
    var area = area(of: pane, focus: focus)
    guard hasHeaders, area.rows > 0 else { return area }
    area.row += 1
    area.rows -= 1
    return area
  }

  /// The column between the panes; nil on a small screen.
  var separator: Int? { isSplit ? size.columns * 2 / 5 : nil }
}

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

    func contains(_ place: Frame.Place) -> Bool {
      (row..<row + rows).contains(place.row) && (column..<limit).contains(place.column)
    }
  }

  /// The space that panes need to show all that they have.
  struct Needs: Equatable, Sendable {
    /// The columns of steps without their payloads.
    var stepColumns = 0
    /// The rows of the other panes.
    var changes = 0
    var state = 0
  }

  /// The smallest screen that has room for three panes.
  private static let split = TerminalSize(columns: 60, rows: 12)

  let size: TerminalSize
  let needs: Needs
  let isSplit: Bool
  let hasTitle: Bool
  let hasHeaders: Bool
  let hasStatus: Bool

  /// Divides a screen; `isZoomed` gives all of it to one pane.
  init(_ size: TerminalSize, _ needs: Needs = Needs(), isZoomed: Bool = false) {
    self.size = TerminalSize(columns: max(1, size.columns), rows: max(1, size.rows))
    self.needs = needs
    isSplit = !isZoomed && size.columns >= Self.split.columns && size.rows >= Self.split.rows
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
    let left = stepsWidth
    let upper = 1 + changesHeight
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

  /// The columns of the steps on a screen with three panes: two fifths, and up to half if that shows their types.
  private var stepsWidth: Int {
    min(max(needs.stepColumns, size.columns * 2 / 5), size.columns / 2)
  }

  /// The rows of the changes, without their header, on a screen with three panes.
  ///
  /// Each of the two panes has a third of the rows. The last third is for the changes if they need it. What the state
  /// does not need is theirs, too, and the border stays where it is as long as small changes follow one another.
  private var changesHeight: Int {
    let rows = whole.rows - 2
    let third = rows / 3
    let most = max(rows - third, rows - max(1, needs.state))
    return min(max(needs.changes, third), most)
  }

  /// The area of a pane's content.
  func body(of pane: Pane, focus: Pane) -> Area {
    var area = area(of: pane, focus: focus)
    guard hasHeaders, area.rows > 0 else { return area }
    area.row += 1
    area.rows -= 1
    return area
  }

  /// The column between the panes; nil if there is one pane.
  var separator: Int? { isSplit ? stepsWidth : nil }

  /// The columns of the panes' names, if the screen has one pane; a blank or bracket is on both sides of each name.
  var tabs: [(pane: Pane, columns: Range<Int>)] {
    var column = 1
    return Pane.allCases.map { pane in
      let columns = column..<column + pane.title.count + 2
      column = columns.upperBound + 1
      return (pane, columns)
    }
  }

  /// The pane at a place, its header included; nil if there is none.
  func pane(at place: Frame.Place, focus: Pane) -> Pane? {
    if !isSplit, hasHeaders, place.row == whole.row {
      return tabs.first { $0.columns.contains(place.column) }?.pane
    }
    return Pane.allCases.first { area(of: $0, focus: focus).contains(place) }
  }
}

import FluxInspector
import FluxLog
import FluxTerminal

/// The panes of the screen.
enum Pane: Int, CaseIterable, Sendable {
  case steps, changes, state

  var title: String {
    switch self {
    case .steps: "Steps"
    case .changes: "Changes"
    case .state: "State"
    }
  }

  /// The pane that is so many places further; the first follows the last.
  func next(by count: Int) -> Pane {
    let all = Self.allCases
    return all[(rawValue + count + all.count) % all.count]
  }
}

/// A request of the screen to its session.
enum BrowseEffect: Equatable, Sendable {
  /// Go by steps, or by root actions.
  case step(UInt64, SearchDirection)
  /// Go to the step of a row of the list.
  case show(row: Int)
  case root(SearchDirection)
  case toStart
  case toEnd
  /// Go to a position, as it was typed.
  case go(String)
  /// Go to the nearest match of a search, or to the nearest stop point.
  case find(String, SearchDirection)
  case run(SearchDirection)
  case toggleBreakpoint
  /// Leave the screen.
  case leave
}

/// The state of the screen: everything but the log.
///
/// A key changes it and may ask for an effect, which ``Browser`` performs. The content of the panes is read again after
/// that, if it is shown at all.
struct BrowseState: Sendable, Equatable {
  /// The meaning of keys now.
  enum Mode: Sendable, Equatable {
    case panes
    case help
    /// A text is typed in the last row.
    case search(String)
    case position(String)
  }

  /// The result of a search while its text is typed.
  enum Preview: Sendable, Equatable {
    case nothing, found, notFound
    /// The search takes longer than a key.
    case unfinished
    /// The text is no expression, or none yet.
    case incomplete
  }

  /// A remark in the last row, until the next key.
  struct Message: Sendable, Equatable {
    var text: String
    var isError = false
  }

  var size: TerminalSize
  var pane = Pane.steps
  var isZoomed = false
  var mode = Mode.panes
  var form = ChangeForm.changes
  /// The last search; nil if stop points are next.
  var search: String?
  var preview = Preview.nothing
  var message: Message?

  private(set) var position = Timeline.start
  /// `true` until the state has scrolled to what the step here changed.
  private var hasMoved = false
  /// The first row of the list that is shown.
  var listTop = 0
  var changesTop = 0
  /// The columns of the changes that are scrolled off.
  var changesColumn = 0
  var stateTop = 0
  var stateRow = 0
  var helpTop = 0
  /// The user's choices in the state, by path: `true` to unfold.
  var folds: [BytewiseName: Bool] = [:]
  /// The rows that the panes on the right need.
  private var needs = BrowseLayout.Needs()

  init(size: TerminalSize) { self.size = size }

  var layout: BrowseLayout { BrowseLayout(size, needs, isZoomed: isZoomed) }

  /// The text that is looked for, also while it is typed.
  var needle: String? {
    if case .search(let text) = mode { text } else { search }
  }

  /// The rows of a pane's content, at least 1.
  func height(of pane: Pane) -> Int { max(1, layout.body(of: pane, focus: self.pane).rows) }

  /// Notes the position of the session.
  mutating func move(to position: Int) {
    guard position != self.position else { return }
    (self.position, hasMoved) = (position, true)
    (changesTop, changesColumn) = (0, 0)
  }

  /// Moves all windows to content that exists, and to the step here.
  ///
  /// The state scrolls to the first value that the step changed, unless the user walks through the state. `columns` are those
  /// that the steps need without their payloads; `here` has the row of the step here, and those up to the next step.
  mutating func fit(
    _ content: StepContent, columns: Int, count: Int, here: ClosedRange<Int>
  ) {
    func fitted(_ top: Int, _ count: Int, _ height: Int) -> Int {
      max(0, min(top, count - height))
    }
    let rows = content.state.rows.count
    needs = BrowseLayout.Needs(
      stepColumns: columns, changes: content.changes.count, state: rows)
    changesTop = fitted(changesTop, content.changes.count, height(of: .changes))
    if hasMoved, pane != .state, let changed = content.state.firstChange { stateRow = changed }
    hasMoved = false
    stateRow = max(0, min(stateRow, rows - 1))
    stateTop = Self.scrolled(stateTop, to: stateRow, height: height(of: .state))
    stateTop = fitted(stateTop, rows, height(of: .state))
    let help = layout.whole
    helpTop = fitted(helpTop, HelpRow.rows(columns: help.columns).count, help.rows)
    let height = height(of: .steps)
    listTop = Self.scrolled(listTop, to: here.lowerBound, height: height)
    // The remarks after the step are shown with it, if there is room.
    let last = min(here.upperBound, here.lowerBound + height - 1)
    listTop = Self.scrolled(listTop, to: last, height: height)
    listTop = fitted(listTop, count, height)
  }

  /// The first row of a window that shows a row: the nearest one for a row close by, otherwise with the row in the middle.
  private static func scrolled(_ top: Int, to row: Int, height: Int) -> Int {
    if (top..<top + height).contains(row) { return top }
    if row < top { return top - row < height ? row : row - height / 2 }
    return row - (top + height - 1) < height ? row - height + 1 : row - height / 2
  }
}

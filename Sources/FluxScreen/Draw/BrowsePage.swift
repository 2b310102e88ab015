import FluxCommands
import FluxLog
import FluxTerminal

/// The content of a frame: the state of the screen, and what its windows show.
struct BrowsePage {
  let state: BrowseState
  let content: StepContent
  /// The rows of the list, from `state.listTop`, and the one of the step here.
  let rows: [ListRow]
  let here: Int
  let breakpoints: [Glob]
  let title: Title
  let style: BrowseStyle

  /// The first row of the screen.
  struct Title: Equatable {
    /// The app, or the file.
    var name: String
    /// The number of the last step, and `true` if there may be more.
    var last: UInt64
    var isGrowing: Bool
    /// The time of the last step, and the time of the step here as the prompt shows it.
    var lastTime: LogTime?
    var time: String?
  }

  private var layout: BrowseLayout { state.layout }

  /// Draws everything.
  var frame: Frame {
    var frame = Frame(state.size)
    drawTitle(&frame)
    if state.mode == .help {
      drawHelp(&frame)
    } else {
      drawLines(&frame)
      drawSteps(&frame)
      drawChanges(&frame)
      drawState(&frame)
    }
    drawStatus(&frame)
    return frame
  }

  private var step: StepRow? {
    let index = here - state.listTop
    guard rows.indices.contains(index), case .step(let step) = rows[index] else { return nil }
    return step
  }

  // MARK: Around the panes

  private func drawTitle(_ frame: inout Frame) {
    guard layout.hasTitle else { return }
    let number = step?.number.map { String($0) } ?? "start"
    let time = title.time.map { " +\($0)s" } ?? ""
    let type = step?.number == nil ? "" : " \(step?.type ?? "")"
    let text = "\(title.name) \(number)/\(title.last)\(title.isGrowing ? "…" : "")\(type)\(time)"
    frame.write([StyledSpan(text)], at: Frame.Place(row: 0, column: 0), limit: frame.size.columns)
    frame.restyle(row: 0, 0..<frame.size.columns, style.selected)
  }

  /// Draws the lines between the panes, and the panes' names in them.
  private func drawLines(_ frame: inout Frame) {
    guard layout.hasHeaders else { return }
    let whole = layout.whole
    draw(style.lines.horizontal, &frame, row: whole.row, 0..<whole.columns)
    guard let column = layout.separator else {
      for (pane, columns) in layout.tabs {
        draw(nameOf: pane, &frame, row: whole.row, column: columns.lowerBound)
      }
      return
    }
    let state = layout.area(of: .state, focus: state.pane)
    for row in whole.row..<whole.row + whole.rows {
      let isHeader = row == state.row
      let line =
        row == whole.row
        ? style.lines.top : isHeader ? style.lines.right : style.lines.vertical
      draw(line, &frame, row: row, column..<column + 1)
      if isHeader {
        draw(style.lines.horizontal, &frame, row: row, column + 1..<whole.columns)
      }
    }
    for pane in Pane.allCases {
      let area = layout.area(of: pane, focus: self.state.pane)
      draw(nameOf: pane, &frame, row: area.row, column: max(1, area.column))
    }
  }

  private func draw(_ line: String, _ frame: inout Frame, row: Int, _ columns: Range<Int>) {
    let text = String(repeating: line, count: columns.count)
    frame.write(
      [style.span(text, .dim)], at: Frame.Place(row: row, column: columns.lowerBound),
      limit: columns.upperBound)
  }

  /// Draws the name of a pane, and the part of it that is shown if that is not all.
  private func draw(nameOf pane: Pane, _ frame: inout Frame, row: Int, column: Int) {
    let isHere = pane == state.pane
    let name = style.span(
      isHere ? "[\(pane.title)]" : " \(pane.title) ", isHere ? .heading : .plain)
    let area = layout.area(of: pane, focus: state.pane)
    let limit = layout.isSplit ? area.limit : frame.size.columns
    var end = frame.write([name], at: Frame.Place(row: row, column: column), limit: limit)
    guard let window = window(of: pane) else { return }
    // On a small screen, the part is on the right of all names.
    if !layout.isSplit { end = (layout.tabs.last?.columns.upperBound ?? end) + 1 }
    frame.write(
      [style.span(" \(window) ", .dim)], at: Frame.Place(row: row, column: end), limit: limit)
  }

  /// The rows that a pane shows, if that is not all.
  private func window(of pane: Pane) -> String? {
    let height = layout.body(of: pane, focus: state.pane).rows
    let window: (top: Int, count: Int)? =
      switch pane {
      case .steps: nil
      case .changes: (state.changesTop, content.changes.count)
      case .state: (state.stateTop, content.state.rows.count)
      }
    guard let window, height > 0, window.count > height else { return nil }
    return "\(window.top + 1)-\(window.top + height) of \(window.count)"
  }

  private func drawStatus(_ frame: inout Frame) {
    guard layout.hasStatus else { return }
    let row = frame.size.rows - 1
    if let input {
      // The end of a long text is what is typed.
      let room = max(1, frame.size.columns - input.mark.count - 1)
      let width = ColumnWidth.of(input.text)
      var spans = [StyledSpan(input.mark)]
      let column = frame.write(
        spans, at: Frame.Place(row: row, column: 0), limit: frame.size.columns)
      spans = [StyledSpan(input.text)]
      let end = frame.write(
        spans, at: Frame.Place(row: row, column: column), limit: frame.size.columns,
        skipping: max(0, width - room))
      frame.cursor = Frame.Place(row: row, column: min(end, frame.size.columns - 1))
      drawPreview(&frame, row: row, behind: end)
    } else if let message = state.message {
      write([style.span(message.text, message.isError ? .error : .plain)], &frame, row: row)
    } else {
      write([style.span(hints, .dim)], &frame, row: row)
    }
  }

  /// Says on the right of a search what it has found so far.
  private func drawPreview(_ frame: inout Frame, row: Int, behind end: Int) {
    let (text, role): (String, TextRole) =
      switch state.preview {
      case .nothing: ("", .plain)
      case .found: ("Enter stays here, Esc goes back", .dim)
      case .notFound: ("no match after this step", .error)
      case .unfinished: ("Enter searches the rest", .dim)
      case .incomplete: ("not a search yet", .dim)
      }
    let column = frame.size.columns - text.count
    guard !text.isEmpty, column > end + 1 else { return }
    frame.write(
      [style.span(text, role)], at: Frame.Place(row: row, column: column),
      limit: frame.size.columns)
  }

  private var input: (mark: String, text: String)? {
    switch state.mode {
    case .search(let text): ("/", text)
    case .position(let text): (":", text)
    case .panes, .help: nil
    }
  }

  private var hints: String {
    if state.mode == .help {
      let help = layout.whole
      return HelpRow.rows(columns: help.columns).count > help.rows
        ? "Up Down scroll, other keys close this" : "any key closes the help"
    }
    let keys = "? help  q leave  Tab pane  / search  b break  d form"
    return state.search.map { "n next \($0)  \(keys)" } ?? "\(keys)  n next stop"
  }

  private func drawHelp(_ frame: inout Frame) {
    let area = layout.whole
    let rows = HelpRow.rows(columns: area.columns).dropFirst(state.helpTop).prefix(area.rows)
    for (index, row) in rows.enumerated() {
      write(
        [style.span(row.keys, .heading), StyledSpan(row.effect)], &frame, row: area.row + index)
    }
  }

  private func write(_ spans: [StyledSpan], _ frame: inout Frame, row: Int) {
    frame.write(spans, at: Frame.Place(row: row, column: 0), limit: frame.size.columns)
  }
}

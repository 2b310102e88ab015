import FluxInspector
import FluxLog
import FluxTerminal

/// The content of a frame: the state of the screen, and what its windows show.
struct BrowsePage {
  let state: BrowseState
  let content: StepContent
  /// The rows of the list, from `state.listTop`.
  let rows: [StepRow]
  /// The globs of breakpoints.
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
      drawHeaders(&frame)
      drawSteps(&frame)
      drawChanges(&frame)
      drawState(&frame)
      drawSeparator(&frame)
    }
    drawStatus(&frame)
    return frame
  }

  private var here: StepRow? {
    let index = state.position - state.listTop
    return rows.indices.contains(index) ? rows[index] : nil
  }

  // MARK: Around the panes

  private func drawTitle(_ frame: inout Frame) {
    guard layout.hasTitle else { return }
    let number = here?.number.map { String($0) } ?? "start"
    let time = title.time.map { " +\($0)s" } ?? ""
    let type = here?.number == nil ? "" : " \(here?.type ?? "")"
    let text = "\(title.name) \(number)/\(title.last)\(title.isGrowing ? "…" : "")\(type)\(time)"
    frame.write([StyledSpan(text)], at: Frame.Place(row: 0, column: 0), limit: frame.size.columns)
    frame.restyle(row: 0, 0..<frame.size.columns, style.selected)
  }

  private func drawHeaders(_ frame: inout Frame) {
    guard layout.hasHeaders else { return }
    guard layout.isSplit else {
      let names = Pane.allCases.map { header($0) }
      write([StyledSpan(names.joined(separator: " "))], &frame, row: layout.whole.row)
      return
    }
    for pane in Pane.allCases {
      let area = layout.area(of: pane, focus: state.pane)
      let span = style.span(header(pane), pane == state.pane ? .heading : .plain)
      frame.write([span], at: Frame.Place(row: area.row, column: area.column), limit: area.limit)
    }
  }

  /// The name of a pane, and the part of it that is shown if that is not all.
  private func header(_ pane: Pane) -> String {
    let name = pane == state.pane ? "[\(pane.title)]" : " \(pane.title) "
    let height = layout.body(of: pane, focus: state.pane).rows
    let window: (top: Int, count: Int)? =
      switch pane {
      case .steps: nil
      case .changes: (state.changesTop, content.changes.count)
      case .state: (state.stateTop, content.state.rows.count)
      }
    guard let window, height > 0, window.count > height else { return name }
    return "\(name) \(window.top + 1)-\(window.top + height) of \(window.count)"
  }

  private func drawSeparator(_ frame: inout Frame) {
    guard let column = layout.separator else { return }
    for row in layout.whole.row..<layout.whole.row + layout.whole.rows {
      frame.write(
        [style.span("|", .dim)], at: Frame.Place(row: row, column: column), limit: column + 1)
    }
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
    } else if let message = state.message {
      write([style.span(message.text, message.isError ? .error : .plain)], &frame, row: row)
    } else {
      write([style.span(hints, .dim)], &frame, row: row)
    }
  }

  private var input: (mark: String, text: String)? {
    switch state.mode {
    case .search(let text): ("/", text)
    case .position(let text): (":", text)
    case .panes, .help: nil
    }
  }

  private var hints: String {
    if state.mode == .help { return "any key closes the help" }
    let keys = "? help  q leave  Tab pane  / search  b break  d form"
    return state.search.map { "n next \($0)  \(keys)" } ?? "\(keys)  n next stop"
  }

  private func drawHelp(_ frame: inout Frame) {
    let width = BrowseKeys.all.map(\.keys.count).max() ?? 0
    let area = layout.whole
    for (index, entry) in BrowseKeys.all.dropFirst(state.helpTop).prefix(area.rows).enumerated() {
      let padding = String(repeating: " ", count: width - entry.keys.count + 2)
      write(
        [style.span(entry.keys, .heading), StyledSpan(padding + entry.effect)], &frame,
        row: area.row + index)
    }
  }

  private func write(_ spans: [StyledSpan], _ frame: inout Frame, row: Int) {
    frame.write(spans, at: Frame.Place(row: row, column: 0), limit: frame.size.columns)
  }
}

import FluxCommands
import FluxLog
import FluxTerminal

extension BrowsePage {
  // MARK: Steps

  func drawSteps(_ frame: inout Frame) {
    let area = state.layout.body(of: .steps, focus: state.pane)
    let columns = StepColumns(title.last, title.lastTime, width: area.columns)
    for (index, row) in rows.prefix(area.rows).enumerated() {
      let isHere = state.listTop + index == here
      let line = area.row + index
      frame.write(
        spans(of: row, isHere: isHere, columns), at: Frame.Place(row: line, column: area.column),
        limit: area.limit)
      if isHere, state.pane == .steps, style.usesColor {
        frame.restyle(row: line, area.column..<area.limit, style.selected)
      }
    }
  }

  private func spans(of row: ListRow, isHere: Bool, _ columns: StepColumns) -> [StyledSpan] {
    switch row {
    case .step(let step): spans(of: step, isHere: isHere, columns)
    case .remark(let text, let role): [style.span("  -- \(text)", role)]
    }
  }

  private func spans(of row: StepRow, isHere: Bool, _ columns: StepColumns) -> [StyledSpan] {
    let stops = row.number != nil && breakpoints.contains { $0.matches(row.type) }
    var spans = [
      style.span(isHere ? ">" : " ", .heading), style.span(stops ? "*" : " ", .error),
      style.span(columns.padded(row.number.map { String($0) } ?? "", to: columns.number), .number),
    ]
    if let problem = row.problem { return spans + [style.span(problem, .error)] }
    if let width = columns.time {
      spans.append(style.span(columns.padded(row.time.map(columns.text) ?? "", to: width), .dim))
    }
    spans.append(style.span(row.isCaused ? "  " : ""))
    let isStart = row.number == nil
    spans += style.spans(row.type, .action, highlighting: isStart ? nil : state.needle)
    if row.isRejected { spans.append(style.span(" rejected", .error)) }
    if !row.payload.isEmpty {
      spans += [style.span(" ")] + style.spans(row.payload, highlighting: state.needle)
    }
    return spans
  }

  // MARK: Changes

  func drawChanges(_ frame: inout Frame) {
    let area = state.layout.body(of: .changes, focus: state.pane)
    for (index, line) in content.changes.dropFirst(state.changesTop).prefix(area.rows).enumerated()
    {
      frame.write(
        line.spans.map { style.span($0.text, $0.role) },
        at: Frame.Place(row: area.row + index, column: area.column), limit: area.limit,
        skipping: state.changesColumn)
    }
  }

  // MARK: State

  func drawState(_ frame: inout Frame) {
    let area = state.layout.body(of: .state, focus: state.pane)
    let rows = content.state.rows.dropFirst(state.stateTop).prefix(area.rows)
    for (index, row) in rows.enumerated() {
      let isHere = state.pane == .state && state.stateTop + index == state.stateRow
      let line = area.row + index
      frame.write(
        spans(of: row, isHere: isHere), at: Frame.Place(row: line, column: area.column),
        limit: area.limit)
      if isHere, style.usesColor {
        frame.restyle(row: line, area.column..<area.limit, style.selected)
      }
    }
  }

  private func spans(of row: StateRow, isHere: Bool) -> [StyledSpan] {
    let fold =
      switch row.fold {
      case .leaf: " "
      case .open: "-"
      case .closed: "+"
      }
    let indent = String(repeating: " ", count: 2 * row.depth)
    return [
      style.span(isHere ? ">" : " ", .heading), style.span(row.isChanged ? "~" : " ", .changed),
      style.span("\(indent)\(fold) ", .dim), style.span(row.name, .path),
      style.span(row.value.isEmpty ? "" : ": "),
      style.span(row.value, row.isChanged && row.fold == .leaf ? .changed : .plain),
    ]
  }
}

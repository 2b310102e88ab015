import FluxInspector
import FluxLog
import FluxTerminal

extension BrowsePage {
  // MARK: Steps

  func drawSteps(_ frame: inout Frame) {
    let area = state.layout.body(of: .steps, focus: state.pane)
    let width = String(title.last).count
    for (index, row) in rows.prefix(area.rows).enumerated() {
      let isHere = state.listTop + index == state.position
      let line = area.row + index
      frame.write(
        spans(of: row, isHere: isHere, numberWidth: width),
        at: Frame.Place(row: line, column: area.column), limit: area.limit)
      if isHere, state.pane == .steps, style.usesColor {
        frame.restyle(row: line, area.column..<area.limit, style.selected)
      }
    }
  }

  private func spans(of row: StepRow, isHere: Bool, numberWidth: Int) -> [StyledSpan] {
    let number = row.number.map { String($0) } ?? ""
    let stops = row.number != nil && breakpoints.contains { $0.matches(row.type) }
    let padding = String(repeating: " ", count: max(0, numberWidth - number.count))
    var spans = [
      style.span(isHere ? ">" : " ", .heading), style.span(stops ? "*" : " ", .error),
      style.span("\(padding)\(number) ", .number),
    ]
    if let problem = row.problem { return spans + [style.span(problem, .error)] }
    spans.append(style.span((row.isCaused ? "  " : "") + row.type, .action))
    if row.isRejected { spans.append(style.span(" rejected", .error)) }
    if !row.payload.isEmpty { spans.append(style.span(" \(row.payload)")) }
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

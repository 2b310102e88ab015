import FluxCommands
import FluxInspector
import FluxLog

/// A row in the list of steps: a step, or a remark between two steps.
enum ListRow: Sendable, Equatable {
  case step(StepRow)
  /// A gap, a mark, damage or an action in flight.
  case remark(String, TextRole)

  /// Reads a row of a log: one line of it for a step, none for the others.
  init(_ row: LogRow, in timeline: Timeline) {
    self =
      switch row {
      case .start: .step(.start)
      case .step(let position): .step(StepRow(at: position, in: timeline))
      case .gap(let gap, _): .remark(GapEntry(gap).sentence, .changed)
      case .mark(let mark, _): .remark("mark \(mark.text)", .heading)
      case .damage(let lines, _): .remark(RowMap.sentence(forDamage: lines), .error)
      case .inFlight(let action, _):
        .remark("in flight: \(InFlightStep(action).sentenceWithPayload)", .error)
      }
  }
}

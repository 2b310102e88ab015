import FluxInspector
import FluxJSON
import FluxLog

extension DebugSession {
  /// Prints the messages of the log points that a move has passed, in its order.
  func printLogPoints(from start: Place, to end: Place, _ direction: SearchDirection) throws {
    guard breakpoints.all.contains(where: { $0.logMessage != nil }) else { return }
    switch (start, end) {
    case (.recording(let start), .recording(let end)):
      try printLogPoints(from: start, to: end, direction)
    case (.fork(let fork, let start), .fork(_, let end)):
      let passed =
        direction == .forwards
        ? stride(from: start + 1, through: end, by: 1)
        : stride(from: start - 1, through: max(1, end), by: -1)
      for count in passed { try printLogPoints(at: .fork(fork, count)) }
    default: break
    }
  }

  /// Prints the messages of the log points at a step of a fork, whose hits count in the recording.
  private func printLogPoints(at place: Place) throws {
    let reader = try reader()
    let session = try reader.at(place)
    try reader.session.checkInterruption()
    guard let recorded = session.recordedPosition else { return }
    for point in breakpoints.all {
      guard let target = point.target, let message = target.message,
        case .steps(let positions, _) = target.kind, positions.contains(recorded),
        target.hits?.filter(positions).contains(recorded) ?? true,
        try target.condition?.holds(for: session.document, check: reader.session.check) ?? true
      else { continue }
      connection.print(try reader.text(of: message, at: place), .stdout)
    }
  }

  private func printLogPoints(from start: Int, to end: Int, _ direction: SearchDirection) throws {
    let range =
      direction == .forwards
      ? start + 1..<max(start + 1, end + 1) : max(0, end)..<max(0, start, end)
    var messages: [(position: Int, id: Int, message: LogMessage)] = []
    try breakpoints.update { breakpoint in
      guard let message = breakpoint.target?.message else { return }
      _ = try find(&breakpoint)
      let all = breakpoint.target?.found?.positions ?? []
      let hits = breakpoint.target?.hits?.filter(all) ?? all
      for position in hits.elements(in: range, by: \.self) {
        messages.append((position, breakpoint.answer.id, message))
      }
    }
    messages.sort { ($0.position, $0.id) < ($1.position, $1.id) }
    if direction == .backwards { messages.reverse() }
    let reader = try reader()
    for (position, _, message) in messages {
      try reader.session.checkInterruption()
      connection.print(try reader.text(of: message, at: .recording(position)), .stdout)
    }
  }
}

import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The row of a place whose states the page shows, and a session that stands there.
struct PagePlace {
  /// The row of the recording; nil on a fork.
  let row: PageRow?
  let session: Session

  /// `true` if the place is that of a step.
  var isStep: Bool {
    switch (row, session.place) {
    case (.step, _): true
    case (nil, .fork(_, let count)): count > 0
    case (_, _): false
    }
  }

  /// The model before the step of a fork; nil at its start.
  var modelBefore: JSON? {
    get throws {
      guard case .fork(let number, let count) = session.place, count > 0 else { return nil }
      return try session.standing(at: .fork(number, count - 1)).model().value
    }
  }
}

extension PageLog {
  /// Reads a place that exists: the number of a row, or `{"fork","index"}`, with 0 for the fork's initial states.
  ///
  /// - Throws: ``PageError`` if there is no such place.
  func place(_ name: String, of request: PageRequest, _ rows: RowMap) throws(PageError) -> PagePlace
  {
    var session = session(at: Timeline.start)
    if let console = request.console { session.takeForks(of: console) }
    guard let value = request.members[name], value.kind == .object else {
      let row = try request.row(name, in: rows).row
      return PagePlace(row: row, session: session.standing(at: row.position))
    }
    let place = try PageRequest(value, deadline: request.deadline)
    guard let number = try place.integer("fork"), let index = try place.integer("index") else {
      throw PageError(.badRequest, #"\#(name): expected {"fork","index"}"#)
    }
    guard session.history(ofFork: number) != nil else {
      throw PageError(.notFound, "\(name): there is no fork \(number)")
    }
    do throws(CommandError) {
      return PagePlace(row: nil, session: try session.standing(at: .fork(number, index)))
    } catch {
      throw PageError(.badRequest, "\(name): \(error.message)")
    }
  }
}

/// A fork of the console as the page lists it: `{"fork","row","end","steps"}`.
struct PageFork: Encodable {
  private enum CodingKeys: String, CodingKey { case number = "fork", row, end, stepCount = "steps" }

  let number: Int
  /// The row at which it leaves the recording.
  let row: Int
  /// The row of the recording that corresponds to its newest step.
  let end: Int
  let stepCount: Int

  /// The forks of a session.
  static func all(of session: Session, in rows: RowMap) -> [PageFork] {
    session.forks.forks.compactMap { fork in
      guard let history = session.history(ofFork: fork.number) else { return nil }
      let repeated = history.steps.last { $0.repeats != nil }?.repeats
      let end =
        repeated.flatMap { session.timeline.log.position(atOrBefore: $0) }
        ?? min(history.position + history.steps.count, rows.stepCount - 1)
      return PageFork(
        number: fork.number, row: rows.row(ofStep: history.position),
        end: rows.row(ofStep: end), stepCount: history.steps.count)
    }
  }
}

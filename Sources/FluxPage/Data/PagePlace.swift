import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The row of a place whose states the page shows, and a session that is there.
struct PagePlace {
  /// The row of the recording; nil on a fork.
  let row: LogRow?
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
  /// A request about a fork counts the rows of the fork; `{"recorded"}` is a row of the recording there.
  ///
  /// - Throws: ``PageError`` if there is no such place.
  func place(
    _ name: String, of request: PageRequest, _ rows: PageRows
  ) throws(PageError) -> PagePlace {
    var services = Services()
    services.app = request.app
    let session = session(withForksOf: request, services: services)
    func recorded(_ row: LogRow) -> PagePlace {
      PagePlace(row: row, session: session.standing(at: row.position))
    }
    let (number, index): (Int, Int)
    if let value = request.members[name], value.kind == .object {
      let place = try PageRequest(value, deadline: request.deadline)
      if place.has("recorded") {
        return recorded(try place.row("recorded", in: rows.recorded).row)
      }
      guard let fork = try place.integer("fork"), let step = try place.integer("index") else {
        throw PageError(.badRequest, #"\#(name): expected {"fork","index"}"#)
      }
      guard session.history(ofFork: fork) != nil else {
        throw PageError(.notFound, "\(name): there is no fork \(fork)")
      }
      (number, index) = (fork, step)
    } else if let fork = rows.fork {
      (number, index) = (fork.number, try request.row(name, in: fork).row.count)
    } else {
      return recorded(try request.row(name, in: rows.recorded).row)
    }
    do throws(CommandError) {
      return PagePlace(row: nil, session: try session.standing(at: .fork(number, index)))
    } catch {
      throw PageError(.badRequest, "\(name): \(error.message)")
    }
  }
}

/// A fork of the console as the page lists it: `{"fork","row","end","steps","rows","first"?}`.
struct PageFork: Encodable {
  private enum CodingKeys: String, CodingKey {
    case number = "fork", row, end, stepCount = "steps", rowCount = "rows", first
  }

  let number: Int
  /// The row at which it leaves the recording.
  let row: Int
  /// The row of the recording that corresponds to its newest step.
  let end: Int
  let stepCount: Int
  let rowCount: Int
  /// The row of the fork whose states are the first that differ from the recorded ones; nil if none differ.
  let first: Int?

  /// The forks of a session.
  static func all(
    of session: Session, in rows: RowMap, _ differences: ForkDifferences
  ) -> [PageFork] {
    session.forks.forks.compactMap { fork in
      guard let list = ForkRows(fork.number, of: session, rows) else { return nil }
      let history = list.history
      let repeated = history.steps.last { $0.repeats != nil }?.repeats
      let end =
        repeated.flatMap { session.timeline.log.position(atOrBefore: $0) }
        ?? min(history.position + history.steps.count, rows.stepCount - 1)
      return PageFork(
        number: fork.number, row: rows.row(ofStep: history.position),
        end: rows.row(ofStep: end), stepCount: history.steps.count, rowCount: list.count,
        first: differences.first(of: fork.number).flatMap(list.row(ofNumber:)))
    }
  }

  /// Returns the row of the place of a session, and its fork; nil on the recording.
  static func row(of session: Session, in rows: RowMap) -> (fork: Int?, row: Int) {
    guard case .fork(let number, let count) = session.place,
      let list = ForkRows(number, of: session, rows)
    else { return (nil, rows.row(ofStep: session.position)) }
    return (number, list.row(ofStep: count))
  }
}

/// The steps of forks whose states are the first that differ from the recorded ones.
///
/// A search for such a step compares whole models, so what was found is kept until the fork has more steps.
struct ForkDifferences: Sendable {
  private var found: [Int: (stepCount: Int, step: UInt64?)] = [:]

  /// Looks at the forks of a session that are new or have grown.
  mutating func update(_ session: Session) {
    for fork in session.forks.forks where found[fork.number]?.stepCount != fork.stepCount {
      guard
        session.history(ofFork: fork.number)?.steps.contains(where: { $0.repeats != nil }) == true
      else { continue }
      do {
        found[fork.number] = (
          fork.stepCount, try session.compare(fork: fork.number).first?.step
        )
      } catch {
        // Recorded states may be unknown. The page then marks no step; `compare` says why.
        found[fork.number] = (fork.stepCount, nil)
      }
    }
  }

  /// The number of the first step of a fork that differs; nil if there is none.
  func first(of fork: Int) -> UInt64? { found[fork]?.step }
}

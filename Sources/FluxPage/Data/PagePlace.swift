import FluxInspector
import FluxJSON

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
      guard let row = try request.integer(name).flatMap({ fork[$0] }) else {
        throw PageError(.badRequest, "\(name): there is no such row of fork \(fork.number)")
      }
      (number, index) = (fork.number, row.count)
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

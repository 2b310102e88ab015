import FluxLog

extension Session {
  /// The number of steps that a search for causes looks at between two looks at the clock.
  private static let stretch = 100_000

  /// Moves to the step that caused the one here.
  ///
  /// - Throws: ``CommandError`` if it is a root action, or if its cause is not in the log.
  public mutating func moveToCause() throws -> Move {
    let step = try stepHere()
    switch try cause() {
    case .none:
      throw CommandError(
        .notFound, "step \(step.number) has no cause: it is a root action", next: .listEffects)
    case .missing(let cause):
      throw CommandError(
        .notFound, "step \(step.number) was caused by step \(cause), which is not in the log")
    case .at(.recording(let position)): return try move(to: position, stopped: .goto)
    case .at(.fork(_, let count)): return try moveOnFork(to: count)
    }
  }

  /// Moves to the cause of the step here, and on to its cause, a number of times or up to a root action.
  ///
  /// - Throws: As ``moveToCause()``, if the step here has no cause.
  public mutating func moveToCause(_ count: UInt64) throws -> Move {
    var move = try moveToCause()
    for passed in 1..<max(1, count) {
      try checkInterruption()
      guard try stepHere().cause != nil else {
        move.notes.append("stopped at the root action, after \(passed) of \(count) causes")
        break
      }
      move = try moveToCause()
    }
    return move
  }

  /// Moves to the first step that the one here caused, and on to the first that it caused, a number of times.
  ///
  /// - Throws: ``CommandError`` if the step here caused no other.
  public mutating func moveToCaused(_ count: UInt64 = 1) throws -> Move {
    var reached: UInt64 = 0
    var move: Move?
    while reached < count, let next = try firstCaused(by: try positionOfStep()) {
      move = try self.move(to: next, stopped: .goto)
      reached += 1
    }
    guard var move else {
      throw CommandError(.notFound, "step \(number(at: position)) caused no other step")
    }
    if reached < count { move.notes.append("step \(number(at: position)) caused no other step") }
    return move
  }

  private func firstCaused(by position: Int) throws -> Int? {
    let cause = try log.step(at: position).number
    var next = position + 1
    while true {
      try checkInterruption()
      let end = log.count
      guard let found = log.position(in: next..<max(next, end), shapeWhere: { $0.hasCause }) else {
        guard try waitForIndex(beyond: end) else { return nil }
        next = end
        continue
      }
      guard try log.step(at: found).cause != cause else { return found }
      next = found + 1
    }
  }

  /// The steps that the one here caused, up to the end of the log.
  ///
  /// Steps are searched while they are consumed, also those that are not indexed yet.
  public func causedSteps() throws -> StepList {
    let timeline = timeline
    let here = try positionOfStep()
    let cause = try log.step(at: here).number
    return StepList("steps") { work, start, each in
      var budget = RowBudget(work)
      let log = timeline.log
      let report = work.reporting("searching")
      // A cursor of a client may lie beyond the log.
      var position = max(here + 1, min(start?.position ?? 0, log.count))
      while true {
        let count = max(position, log.count)
        let found = log.position(in: position..<min(count, position + Self.stretch)) {
          $0.hasCause
        }
        position = found.map { $0 + 1 } ?? min(count, position + Self.stretch)
        if let found, try log.step(at: found).cause == cause {
          guard try budget.take() else {
            return .init(ListEnd(remarks: []), next: Cursor(position: found))
          }
          try each(
            ListedStep(
              step: try StepSummary(at: found, in: timeline), isHere: false, remarks: []))
        }
        if position < count {
          if position % 1024 == 0 { try report(position, count) }
          guard budget.isOver else { continue }
          return .init(ListEnd(remarks: []), next: Cursor(position: position))
        }
        // With a deadline, what is not indexed yet is not waited for.
        guard work.deadline == nil, try log.waitForIndex(beyond: count, work) else {
          return .init(ListEnd(remarks: []))
        }
      }
    }
  }
}

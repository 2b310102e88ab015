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
      var position = max(here + 1, start?.position ?? 0)
      while true {
        let count = max(position, log.count)
        let found = log.firstPosition(in: position..<min(count, position + Self.stretch)) {
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

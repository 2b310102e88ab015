import FluxLog

extension Session {
  /// The number of steps without a cause that a search passes over between two looks at the clock; only the index is read.
  private static let stretch = 100_000
  /// The number of steps whose lines it reads meanwhile.
  private static let piece = 256

  /// Moves to the step that caused the one here.
  ///
  /// - Throws: ``CommandError`` if it is a root action, or if its cause is not in the log.
  public mutating func moveToCause() throws -> Move {
    let step = try stepHere()
    switch try cause() {
    case .none:
      throw CommandError(
        .notFound, "no step of the log caused step \(step.number)", next: .listEffects)
    case .missing(let cause):
      throw CommandError(
        .notFound, "step \(step.number) was caused by step \(cause), which is not in the log")
    case .at(let place): return try move(to: place, stopped: .goto)
    }
  }

  /// Moves to the cause of the step here, and on to its cause, a number of times or up to a root action; stays for 0.
  ///
  /// - Throws: As ``moveToCause()``, if the step here has no cause.
  public mutating func moveToCause(_ count: UInt64) throws -> Move {
    guard count > 0 else { return try here() }
    var move = try moveToCause()
    for passed in 1..<count {
      try checkInterruption()
      guard try stepHere().cause != nil else {
        move.notes.append("stopped at the root action, after \(passed) of \(count) causes")
        break
      }
      move = try moveToCause()
    }
    return move
  }

  /// Moves to the first step that the one here caused, and on to the first that it caused, a number of times; stays for 0.
  ///
  /// - Throws: ``CommandError`` if the step here caused no other.
  public mutating func moveToCaused(_ count: UInt64 = 1) throws -> Move {
    guard count > 0 else { return try here() }
    var reached: UInt64 = 0
    var move: Move?
    while reached < count, let next = try firstCaused(by: try positionOfStep()) {
      move = try self.move(to: next, stopped: .goto)
      reached += 1
    }
    guard var move else {
      throw CommandError(.notFound, "step \(number(at: positionInRecording)) caused no other step")
    }
    if reached < count { move.notes.append("step \(number(at: position)) caused no other step") }
    return move
  }

  private func firstCaused(by position: Int) throws -> Int? {
    let cause = try log.step(at: position).number
    var next = position + 1
    while true {
      try checkInterruption()
      let end = max(next, log.count)
      let found = try Self.search(&next, to: end, in: log, for: cause)
      if let found { return found }
      guard next == end else { continue }
      guard try waitForIndex(beyond: end) else { return nil }
    }
  }

  /// Searches the next steps of a log for one that a step caused, and advances the position behind those.
  private static func search(
    _ position: inout Int, to end: Int, in log: LogFile, for cause: UInt64
  ) throws(LogError) -> Int? {
    let stretch = position..<min(end, position + Self.stretch)
    guard let first = log.position(in: stretch, shapeWhere: { $0.hasCause }) else {
      position = stretch.upperBound
      return nil
    }
    let piece = first..<min(end, first + Self.piece)
    let found = try log.position(in: piece, causedBy: cause)
    position = found.map { $0 + 1 } ?? piece.upperBound
    return found
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
        if let found = try Self.search(&position, to: count, in: log, for: cause) {
          guard try budget.take() else {
            return .init(ListEnd(remarks: []), next: Cursor(position: found))
          }
          try each(ListedStep(step: try StepSummary(at: found, in: timeline)))
        }
        if position < count {
          try report(position, count)
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

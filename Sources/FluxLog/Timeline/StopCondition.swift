/// What a move through the log stops at.
public enum StopCondition: Sendable {
  /// A step whose action type matches, and for which the expression holds, where there is one.
  case action(Glob, where: StepExpression?)
  /// A step for which the expression holds.
  case expression(StepExpression)
  /// A step that changes what the path selects, and for which the expression holds.
  case change(Path, where: StepExpression?)
  /// A step that was rejected.
  case rejection
  /// The first step after a gap or after damage.
  case gap
  /// A step at one of these positions, which something else than the log has told.
  case positions(Set<Int>)
}

/// A step that a move stops at, and which of the conditions it meets.
public struct Stop: Sendable, Equatable {
  /// The step's position.
  public let position: Int
  /// The places of the conditions that are met, among those that were given.
  public let conditions: [Int]
}

extension Timeline {
  /// Finds the next step, strictly beyond a position, that meets one of several conditions.
  ///
  /// - Parameters:
  ///   - conditions: What to stop at.
  ///   - position: Where the move begins.
  ///   - direction: Which way.
  ///   - check: Called often; what it throws ends the move.
  /// - Returns: The nearest such step, with all conditions that it meets; nil where there is none.
  ///   A step at which a condition cannot be judged, as a state is not known, does not meet it.
  /// - Throws: ``LogError`` where a line cannot be read, `QueryError` where a query asks for too
  ///   much, and what `check` throws.
  public func stop(
    at conditions: [StopCondition], from position: Int,
    _ direction: SearchDirection = .forwards, check: @escaping () throws -> Void = {}
  ) throws -> Stop? {
    let next = max(0, position + 1)
    let range =
      direction == .forwards ? next..<max(next, log.count) : 0..<max(0, position)
    return try stop(at: conditions, in: range, direction, check: check)
  }

  /// Finds the nearest step of a range that meets one of several conditions, as seen in the
  /// direction.
  ///
  /// - Parameters:
  ///   - conditions: What to stop at.
  ///   - range: Where to look.
  ///   - direction: Which way; forwards finds the first such step, backwards the last.
  ///   - check: Called often; what it throws ends the search.
  /// - Returns: As ``stop(at:from:_:check:)``.
  /// - Throws: as ``stop(at:from:_:check:)``.
  public func stop(
    at conditions: [StopCondition], in range: Range<Int>, _ direction: SearchDirection,
    check: @escaping () throws -> Void = {}
  ) throws -> Stop? {
    var range = range.clamped(to: 0..<max(0, log.count))
    var found: [Int?] = []
    // Each search ends where another one has found something nearer.
    for condition in conditions {
      let stop = try nearest(condition, in: range, direction, check)
      found.append(stop)
      guard let stop else { continue }
      range = direction == .forwards ? range.lowerBound..<stop + 1 : stop..<range.upperBound
    }
    let positions = found.compactMap { $0 }
    guard let nearest = direction == .forwards ? positions.min() : positions.max() else {
      return nil
    }
    return Stop(position: nearest, conditions: found.indices.filter { found[$0] == nearest })
  }

  private func nearest(
    _ condition: StopCondition, in range: Range<Int>, _ direction: SearchDirection,
    _ check: @escaping () throws -> Void
  ) throws -> Int? {
    switch condition {
    case .action(let glob, let expression):
      var probe = StepProbe(.glob(glob), in: self)
      return try nearest(in: range, direction, expression, check) { range in
        try probe.next(in: range, direction)
      }
    case .expression(let expression):
      var probe = StepProbe(.expression(expression), in: self)
      return try probe.next(in: range, direction) { _ in try check() }
    case .change(let path, let expression):
      let watch = PathWatch(path, in: self, check: check)
      return try nearest(in: range, direction, expression, check) { range in
        try watch.nearestChange(in: range, direction)
      }
    case .rejection:
      return direction == .forwards
        ? try log.firstPosition(in: range, shapeWhere: \.isRejected)
        : try log.lastPosition(in: range, shapeWhere: \.isRejected)
    case .gap:
      let places = log.breaks.lazy.map(\.position).filter(range.contains)
      return direction == .forwards ? places.first : places.last
    case .positions(let positions):
      let places = positions.lazy.filter(range.contains)
      return direction == .forwards ? places.min() : places.max()
    }
  }

  /// The nearest of the steps that `next` gives for which the expression holds.
  private func nearest(
    in range: Range<Int>, _ direction: SearchDirection, _ expression: StepExpression?,
    _ check: @escaping () throws -> Void, _ next: (Range<Int>) throws -> Int?
  ) throws -> Int? {
    var probe = expression.map { StepProbe(.expression($0), in: self) }
    var rest = range
    while !rest.isEmpty, let found = try next(rest) {
      try check()
      if probe == nil { return found }
      if try probe?.isMet(at: found, check: check) == true { return found }
      rest = direction == .forwards ? found + 1..<rest.upperBound : rest.lowerBound..<found
    }
    return nil
  }
}

extension PathWatch {
  /// The nearest step in the range that changes what the path selects.
  fileprivate func nearestChange(
    in range: Range<Int>, _ direction: SearchDirection
  ) throws -> Int? {
    var rest = range
    while !rest.isEmpty {
      let found =
        direction == .forwards
        ? try nextCandidate(in: rest) : try previousCandidate(in: rest)
      guard let found else { return nil }
      if try isChange(at: found) { return found }
      rest = direction == .forwards ? found + 1..<rest.upperBound : rest.lowerBound..<found
    }
    return nil
  }
}

import FluxLog

extension Session {
  /// How many steps are looked at before the search says how far it is: few enough to take a
  /// fraction of a second where each has to be evaluated.
  private static let stretch = 4096

  /// Finds the nearest step strictly beyond a position that meets one of several conditions.
  func nearestStop(
    at conditions: [StopCondition], from position: Int, _ direction: SearchDirection
  ) throws -> Stop? {
    guard !conditions.isEmpty else { return nil }
    guard direction == .forwards else {
      return try stop(at: conditions, in: 0..<max(0, position), direction)
    }
    return try searchAhead(from: position) { range in
      try stop(at: conditions, in: range, direction)
    }
  }

  private func stop(
    at conditions: [StopCondition], in range: Range<Int>, _ direction: SearchDirection
  ) throws -> Stop? {
    let report = reporting("searching")
    let stretch = conditions.allSatisfy(\.isAnsweredByIndex) ? range.count : Self.stretch
    var rest = range
    while !rest.isEmpty {
      try report(range.count - rest.count, range.count)
      let part = direction == .forwards ? rest.prefix(stretch) : rest.suffix(stretch)
      if let stop = try timeline.stop(at: conditions, in: part, direction, check: check) {
        return stop
      }
      rest =
        direction == .forwards
        ? part.upperBound..<rest.upperBound : rest.lowerBound..<part.lowerBound
    }
    return nil
  }

  /// Moves to the nearest stop point; where there is none, to the end of the log in this direction.
  mutating func run(_ direction: SearchDirection) throws -> MoveAnswer {
    let points = stops.enabled
    let conditions = try stopConditions(of: points)
    guard let stop = try nearestStop(at: conditions, from: position, direction) else {
      let end = direction == .forwards ? try lastPosition() : Timeline.start
      return try move(to: end, stopped: direction == .forwards ? .end : .start)
    }
    return try move(to: stop.position, reaching: stop.conditions.map { points[$0] })
  }

  /// Moves to a step that some stop points stop at.
  mutating func move(to position: Int, reaching points: [StopPoint]) throws -> MoveAnswer {
    let reason = MoveStop(
      reason: points.first?.stopReason ?? MoveStop.step.reason, number: points.first?.number)
    let hits = try points.map { try hit($0, at: position) }
    var answer = try move(to: position, stopped: reason)
    answer.hits = hits
    stops.reach(points.map(\.number))
    return answer
  }

  /// What is to be said of a stop point at a step that it stops at.
  private func hit(_ point: StopPoint, at position: Int) throws -> StopHit {
    var hit = StopHit(point: point)
    switch point.kind {
    case .watchpoint(let path):
      hit.old = try nodesIfKnown(path, at: try timeline.baseline(of: position).position)
      hit.new = try nodesIfKnown(path, at: position)
    case .divergence: hit.finding = replayed?.findings[position]
    case .breakpoint, .rejection, .gap: break
    }
    return hit
  }

  /// What a path selects; nil where a state that it reads is not known.
  private func nodesIfKnown(_ path: Path, at position: Int) throws -> [QueryNode]? {
    do {
      return try path.nodes(in: timeline.document(at: position), check: check)
    } catch let error as LogError {
      guard case .unknownStates = error.reason else { throw error }
      return nil
    }
  }
}

extension StopCondition {
  /// Whether no line has to be read for it, so that millions of steps take milliseconds.
  fileprivate var isAnsweredByIndex: Bool {
    switch self {
    case .action(_, let expression): expression == nil
    case .expression, .change: false
    case .rejection, .gap, .positions: true
    }
  }
}

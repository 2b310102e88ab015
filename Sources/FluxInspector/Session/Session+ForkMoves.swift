import FluxJSON
import FluxLog
import FluxReplay

// Moves over the steps of a fork. The session's moves lead here while it stands on one.
extension Session {
  mutating func step(
    _ count: UInt64, _ direction: SearchDirection, on here: ForkHere
  ) throws -> Move {
    let isForwards = direction == .forwards
    let ahead = isForwards ? here.steps.count - here.count : here.count
    let distance = min(Int(clamping: count), ahead)
    let target = isForwards ? here.count + distance : here.count - distance
    guard count > UInt64(ahead) else { return try move(to: target, of: here, stopped: .step) }
    return try end(direction, of: here, after: "\(ahead) of \(count) steps")
  }

  mutating func stepOverRoots(
    _ count: UInt64, _ direction: SearchDirection, on here: ForkHere
  ) throws -> Move {
    var target = here.count
    for passed in 0..<count {
      try checkInterruption()
      let root = here.counts(beyond: target, direction).first { count in
        here.steps[count - 1].cause.map { $0 < here.fork.history.first } ?? true
      }
      guard let root else {
        return try end(direction, of: here, after: "\(passed) of \(count) root actions")
      }
      target = root
    }
    return try move(to: target, of: here, stopped: .step)
  }

  /// Moves to the nearest step that meets a stop point; to the end of the fork if there is none.
  mutating func run(_ direction: SearchDirection, on here: ForkHere) throws -> Move {
    try moveToNearest(of: stops.enabled, direction, on: here) ?? end(direction, of: here)
  }

  /// Moves to the nearest step of a type at which an expression holds; stays if there is none.
  mutating func move(
    toNearest glob: Glob = Glob("*"), until expression: QueryExpression? = nil,
    _ direction: SearchDirection, on here: ForkHere
  ) throws -> Move {
    let point = StopPoint(
      number: 0, kind: .breakpoint(glob), condition: expression, isTemporary: false)
    guard var move = try moveToNearest(of: [point], direction, on: here) else {
      var move = try self.here(stopped: .none)
      if let expression { move.notes += try here.doubts(about: expression, timeline) }
      return move
    }
    (move.stopped, move.number, move.hits) = (.until, nil, [])
    if let expression, !expression.existenceTests.isEmpty {
      move.notes += try here.remarks(on: expression)
    }
    return move
  }

  private mutating func moveToNearest(
    of points: [StopPoint], _ direction: SearchDirection, on here: ForkHere
  ) throws -> Move? {
    for count in here.counts(beyond: here.count, direction) where !points.isEmpty {
      try checkInterruption()
      let there = try standing(at: .fork(here.fork.number, count))
      let hits = try points.compactMap { try there.hit($0) }
      guard let first = hits.first else { continue }
      var move = try move(to: count, of: here, stopped: first.point.stop)
      (move.number, move.hits) = (first.point.number, hits)
      move.notes += hits.compactMap(\.note)
      stops.reach(hits.map(\.point.number))
      return move
    }
    return nil
  }

  /// Moves to another step of the fork here.
  mutating func moveOnFork(to count: Int) throws -> Move {
    guard let here = forkHere else { return try self.here() }
    return try move(to: count, of: here, stopped: .goto)
  }

  private mutating func end(
    _ direction: SearchDirection, of here: ForkHere, after passed: String? = nil
  ) throws -> Move {
    let isForwards = direction == .forwards
    let name = "\(isForwards ? "end" : "start") of fork \(here.fork.number)"
    return try move(
      to: isForwards ? here.steps.count : 0, of: here, stopped: isForwards ? .end : .start,
      notes: passed.map { ["stopped at the \(name), after \($0)"] } ?? [])
  }

  private mutating func move(
    to count: Int, of here: ForkHere, stopped stop: Move.Stop, notes: [String] = []
  ) throws -> Move {
    let place = Place.fork(here.fork.number, count)
    var move = try standing(at: place).here(stopped: stop)
    move.notes = notes
    forkPlace = (here.fork.number, count)
    return move
  }

  // MARK: Stop points

  /// The way in which a step of a fork meets a stop point; nil if it does not.
  ///
  /// A step that repeats a recorded one meets what that one meets.
  private func hit(_ point: StopPoint) throws -> StopHit? {
    guard let here = forkHere, let step = here.step else { return nil }
    var hit = StopHit(point: point)
    let isMet: Bool
    switch point.kind {
    case .breakpoint(let glob): isMet = glob.matches(step.type)
    case .rejection: isMet = step.rejection != nil
    case .steps(let positions, _): isMet = recordedPosition.map(positions.contains) ?? false
    case .gap: isMet = log.breaks.contains { $0.position == recordedPosition }
    case .rule: isMet = false
    case .divergence:
      hit.note = try divergence(of: step)
      isMet = hit.note != nil
    case .watchpoint(let query):
      let before = try standing(at: .fork(here.fork.number, here.count - 1))
      isMet =
        try WatchedValue(query, in: document, check: check)
        != WatchedValue(query, in: before.document, check: check)
      if isMet {
        hit.old = try values(of: query, in: before.document)
        hit.new = try values(of: query, in: document)
      }
    }
    guard isMet, try point.condition?.holds(for: document, check: check) ?? true else {
      return nil
    }
    return hit
  }

  /// The way in which a step of a fork differs from the recorded one that it repeats; nil if it does not.
  ///
  /// A fork that begins with an edited state differs from the start. Only the step at which a store begins to differ
  /// diverges.
  private func divergence(of step: ForkStep) throws -> String? {
    guard let recorded = recordedPosition, let forkPlace else { return nil }
    let original = try timeline.step(at: recorded)
    switch (step.rejection, original.rejection) {
    case (let rejection?, nil):
      return "the step was rejected on the fork: \(rejection.message)"
    case (nil, .some): return "the step was rejected in the recording, and committed on the fork"
    case (.some, .some), (nil, nil): break
    }
    let now = try storesThatDiffer(fromPosition: recorded)
    guard !now.isEmpty else { return nil }
    let before = try standing(at: .fork(forkPlace.number, forkPlace.count - 1))
      .storesThatDiffer(fromPosition: recorded - 1)
    let new = now.filter { !before.contains($0) }
    guard !new.isEmpty else { return nil }
    return "\(new.joined(separator: ", ")) is not as recorded after step \(original.number)"
  }

  /// The stores whose states here are not those at a position; those that the log does not know are left out.
  private func storesThatDiffer(fromPosition position: Int) throws -> [String] {
    try log.storeNames.filter { store in
      try LogError.ifKnown {
        try currentState(of: store) != timeline.state(of: store, at: position)
      } ?? false
    }
  }
}

extension ForkHere {
  /// The numbers of steps beyond some, in a direction.
  fileprivate func counts(
    beyond count: Int, _ direction: SearchDirection
  ) -> StrideThrough<Int> {
    direction == .forwards
      ? stride(from: count + 1, through: steps.count, by: 1)
      : stride(from: count - 1, through: 1, by: -1)
  }
}

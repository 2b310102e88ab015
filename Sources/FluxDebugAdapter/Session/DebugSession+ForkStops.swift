import FluxInspector
import FluxJSON
import FluxLog

// The breakpoints that a step of a fork meets. A step that repeats a recorded one meets what that one meets.
extension DebugSession {
  /// The first stop point that a step of a fork meets, with remarks on it.
  func stopPoint(at place: Place) throws -> (hit: Hit, notes: [String])? {
    guard let console, let world else { return nil }
    let moment = Moment(place, in: world)
    guard let step = try moment.step() else { return nil }
    for point in console.session.stopPoints.breakpoints where point.isEnabled {
      var notes: [String] = []
      let isMet: Bool
      switch point.kind {
      case .breakpoint(let glob): isMet = glob.matches(step.type)
      case .rejection: isMet = step.rejection != nil
      case .steps(let positions, _):
        isMet = try moment.recordedPosition().map { positions.contains($0) } ?? false
      case .watchpoint(let query): isMet = try changes(query, at: place, in: world)
      case .gap:
        let recorded = try moment.recordedPosition()
        isMet = world.log.breaks.contains { $0.position == recorded }
      case .divergence:
        notes = try divergence(at: place, in: world).map { [$0] } ?? []
        isMet = !notes.isEmpty
      case .rule: isMet = false
      }
      guard isMet else { continue }
      if let condition = point.condition,
        try !condition.holds(for: moment.document(), check: world.check)
      {
        continue
      }
      return (Hit(point, breakpoints.breakpoint(of: point.number)), notes)
    }
    return nil
  }

  /// `true` if a step of a fork changes what a query selects.
  private func changes(_ query: ValueQuery, at place: Place, in world: World) throws -> Bool {
    guard case .fork(let fork, let count) = place, count > 0 else { return false }
    func value(at place: Place) throws -> WatchedValue {
      try WatchedValue(query, in: Moment(place, in: world).document(), check: world.check)
    }
    return try value(at: place) != value(at: .fork(fork, count - 1))
  }

  // MARK: Divergences

  /// The way in which a step of a fork differs from the recorded one that it repeats; nil if it does not.
  ///
  /// A fork that begins with an edited state differs from the start. Only the step at which a store begins to differ
  /// diverges.
  private func divergence(at place: Place, in world: World) throws -> String? {
    let moment = Moment(place, in: world)
    guard case .fork(let fork, let count) = place, count > 0,
      let recorded = try moment.recordedPosition()
    else { return nil }
    let other = Moment(.recording(recorded), in: world)
    guard
      let (step, original) = try moment.step().flatMap({ step in
        try other.step().map { (step, $0) }
      })
    else { return nil }
    switch (step.rejection, original.rejection) {
    case (let rejection?, nil):
      return "the step was rejected on the fork: \(rejection.message)"
    case (nil, .some): return "the step was rejected in the recording, and committed on the fork"
    case (.some, .some), (nil, nil): break
    }
    let now = try differingStores(moment, other)
    guard !now.isEmpty else { return nil }
    let before = try differingStores(
      Moment(.fork(fork, count - 1), in: world), Moment(.recording(recorded - 1), in: world))
    let new = now.filter { !before.contains($0) }
    guard !new.isEmpty else { return nil }
    return "\(new.joined(separator: ", ")) is not as recorded after step \(original.number)"
  }

  /// The stores whose states differ at two places; those that the log does not know are left out.
  private func differingStores(_ fork: Moment, _ recording: Moment) throws -> [String] {
    try recording.stores().filter { store in
      try LogError.ifKnown { try fork.state(of: store) != recording.state(of: store) } ?? false
    }
  }

  // MARK: Log points

  /// Prints the messages of the log points that a fork's thread has passed, in the order of the places.
  ///
  /// Hits count in the recording, as those of breakpoints do.
  func printLogPoints(passing places: [Place]) throws {
    let points = breakpoints.all.filter { $0.logMessage != nil && $0.target != nil }
    guard !points.isEmpty, !places.isEmpty else { return }
    let (reader, world) = try reader()
    for place in places {
      try world.check()
      let moment = Moment(place, in: world)
      guard let recorded = try moment.recordedPosition() else { continue }
      for point in points {
        guard let target = point.target, let message = point.logMessage,
          case .steps(let positions, _) = target.kind, positions.contains(recorded),
          target.hits?.filter(positions).contains(recorded) ?? true,
          try target.condition?.holds(for: moment.document(), check: world.check) ?? true
        else { continue }
        connection.print(try reader.message(message, at: place), .stdout)
      }
    }
  }
}

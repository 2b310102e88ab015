import FluxJSON
import FluxLog
import FluxReplay

// Stop points on a fork, which looks at each of its steps.
extension Session {
  /// The first step in a range of the fork here that meets stop points.
  func firstForkHits(
    of points: [StopPoint], in range: Range<Int>, _ direction: SearchDirection
  ) throws -> (step: Int, hits: [StopHit])? {
    for step in direction.indices(in: range) {
      try checkInterruption()
      let there = try standing(at: place(ofStep: step))
      let hits = try points.compactMap { try there.hit($0) }
      if !hits.isEmpty { return (step, hits) }
    }
    return nil
  }

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
    let now = try storesThatDiffer { try timeline.storeState($0, at: recorded) }
    guard !now.isEmpty else { return nil }
    let before = try standing(at: .fork(forkPlace.number, forkPlace.count - 1))
      .storesThatDiffer { try timeline.storeState($0, before: recorded) }
    let new = now.filter { !before.contains(exactly: $0) }
    guard !new.isEmpty else { return nil }
    return "\(new.joined(separator: ", ")) is not as recorded after step \(original.number)"
  }

  /// The stores whose states here are not the recorded ones; those that the log does not know are left out.
  private func storesThatDiffer(
    from recorded: (_ store: String) throws -> StoreState
  ) throws -> [String] {
    try log.storeNames.filter { store in
      let state = try recorded(store)
      return try state.isKnown && currentState(of: store) != state.json
    }
  }
}

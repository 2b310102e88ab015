import FluxLog

/// The replay of a log whose steps are written anew.
struct UpdateRun {
  let timeline: Timeline
  let app: any ReplayApp
  let description: AppDescription
  let options: Verification.Options

  /// Writes all steps; returns what has written them, whose file is complete but not in its place.
  func rewrite(
    to path: String, progress: (_ done: Int) throws -> Void
  ) throws -> LogRewriter {
    let log = timeline.log
    let redacted = try description.redactedPlaces(of: log.header)
    var tokens = try RedactedStates(redacted)
    let initial = try states(at: Timeline.start, &tokens)
    let rewriter = try LogRewriter(
      log, to: path, stores: stores(initial), redacted: redacted, writesWholeStates: try isFull())
    var next = 0
    for stretch in try StretchPlan(timeline, 0..<log.count).stretches {
      try resume(next..<stretch.base + 1, &tokens, rewriter)
      try replay(stretch, &tokens, rewriter, progress)
      next = stretch.positions.upperBound
    }
    try resume(next..<log.count, &tokens, rewriter)
    try rewriter.finish()
    return rewriter
  }

  // MARK: The header

  /// The stores of the log and those that are new in the app, by the app's names.
  private func stores(_ initial: StoreDictionary<JSON>) -> [LogHeader.Store] {
    let recorded = timeline.log.header.stores.map {
      BytewiseName(description.storeName(for: $0.name))
    }
    let known = recorded.compactMap { name in
      description.stores.first { BytewiseName($0.name) == name }
    }
    let added = description.stores.filter { !recorded.contains(BytewiseName($0.name)) }
    return (known + added).map { store in
      LogHeader.Store(
        name: store.name, type: store.type, isFeature: store.isFeature,
        initial: initial[store.name])
    }
  }

  /// Whether every state is written whole.
  private func isFull() throws -> Bool {
    try timeline.log.firstPosition(in: 0..<timeline.log.count) { shape in
      shape.writes.contains { $0.kind == .patch }
    } == nil
  }
}

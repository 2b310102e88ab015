import FluxJSON
import FluxLog

/// The replay of a log whose steps are rewritten.
struct UpdateRun {
  let timeline: Timeline
  let app: any ReplayApp
  let description: AppDescription
  let options: Verification.Options

  /// Writes all steps; returns the rewriter, whose file is complete but not renamed yet.
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

  /// Returns the stores of the log and the app's new ones, by the app's names.
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

  /// Returns `true` if the log has only whole states.
  private func isFull() throws -> Bool {
    try timeline.log.firstPosition(in: 0..<timeline.log.count) { shape in
      shape.writes.contains { $0.kind == .patch }
    } == nil
  }
}

extension UpdateRun {
  /// Replays a stretch, and writes its current steps.
  func replay(
    _ stretch: Stretch, _ tokens: inout RedactedStates, _ rewriter: LogRewriter,
    _ progress: (_ done: Int) throws -> Void
  ) throws {
    let model = try timeline.model(at: stretch.base)
    let session = try session(at: stretch, model)
    defer { session.end() }
    var walk = RecordedWalk(model)
    var recorded = byNamesOfApp(walk.states)
    var position = stretch.positions.lowerBound
    while position < stretch.positions.upperBound {
      let end = min(position + max(1, options.batchSize), stretch.positions.upperBound)
      let batch = try RecordedBatch(position..<end, timeline.log, &walk)
      let replayed = try ReplayedBatch(batch, in: session)
      for (place, (step, now)) in zip(batch.steps, replayed.steps).enumerated() {
        for change in batch.changes[place] {
          recorded[description.storeName(for: change.store)] = change.state
        }
        try write(step, now, recorded, &tokens, rewriter)
      }
      if let failure = replayed.failure { throw failure }
      if let finding = batch.damage { throw refusal(.damaged(finding)) }
      position += batch.steps.count
      try progress(position)
    }
  }

  private func write(
    _ step: LogStep, _ now: ReplayedStep?, _ recorded: StoreDictionary<JSON>,
    _ tokens: inout RedactedStates, _ rewriter: LogRewriter
  ) throws {
    // A middleware had rejected it, and a replay has no middleware.
    guard let now else { return try rewriter.keep() }
    switch now.verdict {
    case .accepted:
      var changes: [StepRecord.Change] = []
      for change in now.changes {
        let state = try change.state.map { state in
          try tokens.redacted(state, of: change.store, recorded: recorded[change.store])
        }
        changes.append(
          StepRecord.Change(store: change.store, state: state.map { LogValue(json: $0) }))
      }
      try rewriter.write(changes)
    case .rejected(var rejection):
      rejection.message = tokens.texts.replaced(inMessage: rejection.message)
      try rewriter.write([], rejection: rejection)
    case .undecodable where step.rejection?.neverRan == true:
      try rewriter.keep()
    case .undecodable(let why):
      throw refusal(.undecodable(step: step.number, action: step.type, why: why))
    }
  }

  // MARK: Gaps

  /// Writes the steps between two stretches: after a gap, the states before them are unknown.
  ///
  /// The first accepted step has the whole model, from which the replay continues.
  func resume(
    _ positions: Range<Int>, _ tokens: inout RedactedStates, _ rewriter: LogRewriter
  ) throws {
    for position in positions {
      guard try timeline.log.shape(at: position)?.isRejected == false else {
        try rewriter.keep()
        continue
      }
      try rewriter.write(model: try states(at: position, &tokens))
    }
  }

  /// Returns the recorded states at a position, in the app's current form.
  func states(at position: Int, _ tokens: inout RedactedStates) throws -> StoreDictionary<JSON> {
    let model = try timeline.model(at: position)
    let next = position + 1
    let session = try session(at: Stretch(base: position, positions: next..<next), model)
    defer { session.end() }
    let recorded = byNamesOfApp(model.states.compactMapValues(\.json))
    var states = try session.states()
    for (store, state) in states {
      states[store] = try tokens.redacted(state, of: store, recorded: recorded[store])
    }
    return states
  }

  // MARK: Sessions

  private func session(
    at stretch: Stretch, _ model: RecordedModel
  ) throws -> any ReplaySession {
    try app.start(
      SessionStart(
        replaying: stretch, from: model, of: timeline, in: description, timeout: options.timeout))
  }

  private func byNamesOfApp(_ states: StoreDictionary<JSON>) -> StoreDictionary<JSON> {
    StoreDictionary(
      states.map { (description.storeName(for: $0.key), $0.value) }, uniquingKeysWith: { $1 })
  }

  private func refusal(_ reason: UpdateError.Reason) -> UpdateError {
    UpdateError(path: timeline.log.path, reason: reason)
  }
}

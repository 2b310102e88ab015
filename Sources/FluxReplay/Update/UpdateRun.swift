import FluxJSON
import FluxLog

/// The replay of a log whose steps are rewritten.
struct UpdateRun {
  let timeline: Timeline
  let app: any ReplayApp
  let context: ComparisonContext
  /// The effects from which recorded steps came back.
  let returned: ReturnedEffects
  /// The header of the log, with the app's names for the stores in its redacted places.
  private let header: LogHeader
  /// Replaces secrets in the states that are written.
  private var tokens: RedactedStates
  /// `true` if a new state has the current time in the place of another value.
  private(set) var mayReadClock = false

  init(
    _ timeline: Timeline, in app: any ReplayApp, _ context: ComparisonContext,
    _ returned: ReturnedEffects
  ) throws(PointerError) {
    (self.timeline, self.app) = (timeline, app)
    (self.context, self.returned) = (context, returned)
    header = try context.app.renamingRedactedPlaces(of: timeline.log.header)
    tokens = try RedactedStates(header.redacted, only: header.only)
  }

  var description: AppDescription { context.app }
  var options: Verification.Options { context.options }

  /// Writes all steps; returns the rewriter, whose file is complete but not renamed yet.
  mutating func rewrite(
    to path: String, progress: (_ done: Int) throws -> Void
  ) throws -> LogRewriter {
    let log = timeline.log
    var initial = try states(at: Timeline.start)
    for change in try changedInitialStates(from: initial) { initial[change.store] = change.state }
    let rewriter = try LogRewriter(
      log, to: path, stores: stores(initial), redacted: header.redacted, only: header.only,
      writesWholeStates: isFull())
    var models = UpdatedModels(beginningIn: initial, of: log, writtenTo: rewriter)
    var next = 0
    for stretch in try StretchPlan(timeline, 0..<log.count).stretches {
      try resume(next..<stretch.lowerBound, &models)
      try replay(stretch, &models, progress)
      next = stretch.upperBound
    }
    try resume(next..<log.count, &models)
    try rewriter.finish()
    return rewriter
  }

  // MARK: The header

  /// Returns the app's initial states of the stores that verify reports as `initial`, by the app's names.
  ///
  /// They have tokens in the redacted places. If initial states are ignored, or those of the log are unknown, there are
  /// none: such a recording keeps the states that it has. `recorded` has those in the app's current form, by the same names.
  ///
  /// - Throws: `ReplayFailure` if the app cannot be run, and the errors of a comparison.
  mutating func changedInitialStates(
    from recorded: StoreDictionary<JSON>
  ) throws -> [ReplayedStep.Change] {
    let log = timeline.log
    guard options.initial == .compare, InitialStates.areRecorded(in: log, 0..<log.count) else {
      return []
    }
    var byLogNames: StoreDictionary<JSON> = [:]
    for (store, state) in recorded { byLogNames[context.logName(of: store)] = state }
    let other = app.elsewhere(at: log.header.created ?? .present)
    let found = try InitialStates(context: context, app: app, other: other).compare { _ in
      byLogNames
    }
    return try found.divergences.compactMap(\.store).map { store in
      let name = description.storeName(for: store)
      let state = try found.fresh[name].map { state in
        try tokens.redacted(state, of: name, recorded: recorded[name])
      }
      return ReplayedStep.Change(store: name, state: state)
    }
  }

  /// Returns the stores of the log and the app's new ones, by the app's names.
  private func stores(_ initial: StoreDictionary<JSON>) -> [LogHeader.Store] {
    var added = description.stores
    let known = timeline.log.header.stores.compactMap { recorded -> AppDescription.Store? in
      let name = BytewiseName(description.storeName(for: recorded.name))
      guard let place = added.firstIndex(where: { BytewiseName($0.name) == name }) else {
        return nil
      }
      var store = added.remove(at: place)
      // Not every app tells the types.
      store.type = store.type ?? recorded.type
      return store
    }
    return (known + added).map { store in
      LogHeader.Store(
        name: store.name, type: store.type, isFeature: store.isFeature,
        initial: initial[store.name])
    }
  }

  /// Returns `true` if the log has only whole states.
  private func isFull() -> Bool {
    timeline.log.position(in: 0..<timeline.log.count) { shape in
      shape.writes.contains { $0.kind == .patch }
    } == nil
  }
}

extension UpdateRun {
  /// Replays a stretch, and writes its current steps.
  ///
  /// It begins in the model as it is written.
  private mutating func replay(
    _ stretch: Range<Int>, _ models: inout UpdatedModels, _ progress: (_ done: Int) throws -> Void
  ) throws {
    let (log, first) = (timeline.log, stretch.lowerBound)
    let model = try timeline.model(before: first)
    if log.isRestored(before: first) {
      try models.goBack(to: log.restoredPosition(before: first)) {
        try states(in: model, after: first - 1)
      }
    }
    var start = try start(after: first - 1, model)
    start.begin(in: models.current, of: description)
    let session = try app.start(start)
    defer { session.end() }
    var recorded = byNamesOfApp(model.states.compactMapValues(\.json))
    let walk = ReplayWalk(
      stretch, of: log, from: model, for: description, size: options.batchSize, in: session
    )
    defer { walk.stop() }
    while let step = try walk.next({ _ in try progress(walk.position) }) {
      for change in step.changes {
        recorded[description.storeName(for: change.store)] = change.state
      }
      let replayed = walk.replayed
      if replayed == nil, description.needsDropped(step.step) {
        try write(dropped: step.step, step.changes, &models)
      } else {
        try write(step.step, replayed, recorded, &models)
      }
      models.keep(after: walk.position - 1)
    }
    if let failure = walk.failure { throw failure }
    if let finding = walk.damage { throw timeline.refusal(.damaged(finding)) }
  }

  /// Writes a step that needs what the app dropped, without its changes to dropped stores.
  private func write(
    dropped step: LogStep, _ changes: [RecordedChange], _ models: inout UpdatedModels
  ) throws {
    guard !changes.contains(where: { description.hasStore($0.store) }) else {
      throw timeline.refusal(.dropped(step: step.number, action: step.type))
    }
    if step.rejection == nil { try models.write([]) } else { try models.rewriter.keep() }
  }

  private mutating func write(
    _ step: LogStep, _ now: ReplayedStep?, _ recorded: StoreDictionary<JSON>,
    _ models: inout UpdatedModels
  ) throws {
    // A middleware had rejected it, and a replay has no middleware.
    guard let now else { return try models.rewriter.keep() }
    guard !now.needsSecret else {
      throw timeline.refusal(.needsSecret(step: step.number, action: step.type))
    }
    switch now.outcome {
    case .accepted:
      let changes = try now.changes.map { change in
        let state = try change.state.map { state in
          try tokens.redacted(state, of: change.store, recorded: recorded[change.store])
        }
        if let state, !mayReadClock {
          mayReadClock = try showsClock(state, recorded[change.store], change.store)
        }
        return ReplayedStep.Change(store: change.store, state: state)
      }
      try checkEffects(of: step, now)
      let tellsEffects = timeline.log.header.recordsEffects && description.tellsAllEffects
      try models.write(changes, effects: tellsEffects ? now.storeEffects ?? [] : nil)
    case .rejected(var rejection):
      try checkEffects(of: step, now)
      rejection.message = tokens.texts.replaced(inMessage: rejection.message)
      try models.rewriter.write([], rejection: rejection)
    case .undecodable where step.rejection?.neverRan == true:
      try models.rewriter.keep()
    case .undecodable(let why):
      throw timeline.refusal(.undecodable(step: step.number, action: step.type, why: why))
    }
  }

  /// `true` if a state has the current time in the place of a recorded value.
  private func showsClock(_ state: JSON, _ recorded: JSON?, _ store: String) throws -> Bool {
    guard let recorded, recorded != state else { return false }
    return try context.compare(recorded, state, store).places.contains { place in
      let place = place.withoutStore
      return HiddenInput(of: place, in: (recorded, state), now: context.now, areReplays: false)
        == .clock
    }
  }

  /// Refuses a step that no longer starts an effect from which a recorded step came back.
  private func checkEffects(of step: LogStep, _ now: ReplayedStep) throws(UpdateError) {
    guard description.tells.contains(.effects) else { return }
    for effect in returned.started(by: step.number)
    where !now.effects.contains(where: { $0.hasSameBytes(as: effect) }) {
      throw timeline.refusal(.effectNotStarted(effect, step: step.number, action: step.type))
    }
  }

  // MARK: Gaps

  /// Writes the steps between two stretches: after a gap, the states before them are unknown.
  ///
  /// The first accepted step has the whole model, from which the replay continues.
  private mutating func resume(_ positions: Range<Int>, _ models: inout UpdatedModels) throws {
    for position in positions {
      if timeline.log.shape(at: position)?.isRejected == false {
        try models.write(model: try states(at: position))
      } else {
        try models.rewriter.keep()
      }
      models.keep(after: position)
    }
  }

  /// Returns the recorded states at a position, in the app's current form.
  mutating func states(at position: Int) throws -> StoreDictionary<JSON> {
    try states(in: timeline.model(at: position), after: position)
  }

  /// Returns the states of a recorded model, in the app's current form.
  private mutating func states(
    in model: RecordedModel, after position: Int
  ) throws -> StoreDictionary<JSON> {
    let session = try app.start(start(after: position, model))
    defer { session.end() }
    let recorded = byNamesOfApp(model.states.compactMapValues(\.json))
    var states = try session.states()
    for (store, state) in states {
      states[store] = try tokens.redacted(state, of: store, recorded: recorded[store])
    }
    return states
  }

  // MARK: Sessions

  private func start(after position: Int, _ model: RecordedModel) throws -> SessionStart {
    try SessionStart(.replay, after: position, in: model, of: timeline, for: description)
  }

  private func byNamesOfApp(_ states: StoreDictionary<JSON>) -> StoreDictionary<JSON> {
    StoreDictionary(
      states.map { (description.storeName(for: $0.key), $0.value) }, uniquingKeysWith: { $1 })
  }
}

import FluxJSON
package import FluxLog

/// Rewrites a recording with the states that the current app computes.
///
/// Dispatches the actions of the whole log again, and writes each step's current changes, rejection and
/// removed features. A store that begins in another state now gets that state in the header, unless
/// ``Verification/Options/initial`` is ignored. Everything else stays: numbers, times, actions, causes, marks, gaps,
/// unknown kinds of line, and the tokens of redacted places. Use it for a recording that an intended change of the app
/// has made out of date, and review the result like code.
package struct RecordingUpdate: Sendable {
  /// The numbers of steps of a recording, and of those whose lines have changed.
  package struct Result: Sendable, Equatable {
    package let steps: Int
    package let changedSteps: Int

    package init(steps: Int, changedSteps: Int) {
      (self.steps, self.changedSteps) = (steps, changedSteps)
    }
  }

  let timeline: Timeline
  let app: any ReplayApp
  let options: Verification.Options

  /// Creates an update; the range of the options is ignored, because it replays the whole log.
  package init(
    of timeline: Timeline, in app: any ReplayApp,
    options: Verification.Options = Verification.Options()
  ) {
    (self.timeline, self.app, self.options) = (timeline, app, options)
  }

  /// Replays the recording, and writes the new one.
  ///
  /// The new file is written next to the path, verified, and then renamed over the old one. If the process
  /// ends on the way, the old file is intact. The timeline continues to read the old file. An existing file's permissions
  /// stay. `progress` is called after each batch; each step counts twice, for its replay and its verification.
  ///
  /// - Throws: ``UpdateError`` if new states alone cannot bring the recording up to date, ``ReplayFailure``
  ///   if the app cannot be run, `LogError` if the log is still being recorded or a file cannot be read or
  ///   written, and the errors of ``ReplayApp/verify(_:options:progress:)``. After an error, nothing has changed.
  @discardableResult
  package func write(
    to path: String, progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> Result {
    let log = timeline.log
    let total = 2 * log.count
    return try refusingUnfitStates {
      let rewriter = try preparedRun().rewrite(to: path) { try progress($0, total) }
      try verify(rewriter.path) { try progress(log.count + $0, total) }
      try rewriter.commit()
      return Result(steps: log.count, changedSteps: rewriter.changedSteps)
    }
  }

  /// Returns a replay of the whole log, which can be updated as far as it is known before the replay.
  func preparedRun() throws -> UpdateRun {
    guard !options.isCI else { throw timeline.refusal(.continuousIntegration) }
    let log = timeline.log
    try log.waitForIndex()
    try checkSoundness()
    let description = try app.describe()
    try check(description.incompatibilities(with: log, in: 0..<log.count))
    try checkRedactedInputs()
    let positions = 0..<log.count
    let returned = try ReturnedEffects(
      log, positions, stretches: StretchPlan(timeline, positions).stretches)
    return UpdateRun(
      timeline: timeline, app: app,
      context: try ComparisonContext(log: log, app: description, options), returned: returned)
  }

  // MARK: Refusals

  /// Calls `body`, and turns the failure of states that do not fit the app into a refusal.
  func refusingUnfitStates<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let failure as ReplayFailure {
      guard case .statesNotRestorable(let problems) = failure.reason else { throw failure }
      throw timeline.refusal(
        .incompatible(
          problems.map { Incompatibility(.unfitState(store: $0.store, why: $0.why)) }))
    }
  }

  /// Refuses a log with unusable lines, or one that may still be recorded.
  private func checkSoundness() throws(UpdateError) {
    let log = timeline.log
    let isUnusable: (Finding) -> Bool = { $0.problem == .torn || $0.problem.severity == .lost }
    if let finding = log.findings.first(where: isUnusable) {
      throw timeline.refusal(.damaged(finding))
    }
    // An update writes the states that an imported file did not have.
    let imports = log.imports(in: 0..<log.count + 1)
    for found in log.gaps where found.gap.why.hidesModel && !imports.contains(found.position) {
      throw timeline.refusal(.repaired(found.gap, line: found.line))
    }
  }

  private func check(_ incompatibilities: [Incompatibility]) throws(UpdateError) {
    let impossible = incompatibilities.filter { $0.severity == .impossible }
    guard impossible.isEmpty else { throw timeline.refusal(.incompatible(impossible)) }
  }

  /// Refuses a log with a step whose outcome depends on a redacted value, which the app would compute from the token.
  private func checkRedactedInputs() throws {
    guard try hasTokens() else { return }
    var options = options
    (options.range, options.runsTwice) = (nil, false)
    (options.stopsAtFirst, options.findsReasons) = (false, false)
    let report = try app.verifyHere(timeline, options: options)
    guard let step = report.undetermined else { return }
    throw timeline.refusal(
      .redactedInput(place: step.place, step: step.number, action: step.action))
  }

  /// Returns `true` if the log may have tokens: the header tells the redacted places of states, and not those of actions.
  private func hasTokens() throws(LogError) -> Bool {
    let log = timeline.log
    if !log.header.redacted.isEmpty || log.header.only != nil { return true }
    for position in 0..<log.count
    where try RedactionToken.isAnywhere(in: log.step(at: position).action) {
      return true
    }
    return false
  }

  /// Verifies the new recording before it replaces the old one.
  func verify(_ path: String, progress: (Int) throws -> Void) throws {
    var options = options
    options.range = nil
    let written = Timeline(try LogFile.open(path))
    var report = try app.verifyHere(written, options: options) { done, _ in
      try progress(done)
    }
    guard report.verdict != .passed, report.verdict != .empty else { return }
    report.log = timeline.log.path
    throw timeline.refusal(.doesNotVerify(report))
  }
}

/// The replay of a log whose steps are rewritten.
struct UpdateRun {
  let timeline: Timeline
  let app: any ReplayApp
  let context: ComparisonContext
  /// The effects from which recorded steps came back.
  let returned: ReturnedEffects

  var description: AppDescription { context.app }
  var options: Verification.Options { context.options }

  /// Writes all steps; returns the rewriter, whose file is complete but not renamed yet.
  func rewrite(
    to path: String, progress: (_ done: Int) throws -> Void
  ) throws -> LogRewriter {
    let log = timeline.log
    let header = try description.renamingRedactedPlaces(of: log.header)
    var tokens = try RedactedStates(header.redacted, only: header.only)
    var initial = try states(at: Timeline.start, &tokens)
    for change in try changedInitialStates(from: initial, &tokens) {
      initial[description.storeName(for: change.store)] = change.state
    }
    let rewriter = try LogRewriter(
      log, to: path, stores: stores(initial), redacted: header.redacted, only: header.only,
      writesWholeStates: isFull())
    var models = UpdatedModels(beginningIn: initial, of: log)
    var next = 0
    for stretch in try StretchPlan(timeline, 0..<log.count).stretches {
      try resume(next..<stretch.lowerBound, &models, &tokens, rewriter)
      try replay(stretch, &models, &tokens, rewriter, progress)
      next = stretch.upperBound
    }
    try resume(next..<log.count, &models, &tokens, rewriter)
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
  func replay(
    _ stretch: Range<Int>, _ models: inout UpdatedModels, _ tokens: inout RedactedStates,
    _ rewriter: LogRewriter,
    _ progress: (_ done: Int) throws -> Void
  ) throws {
    let (log, first) = (timeline.log, stretch.lowerBound)
    let model = try timeline.model(before: first)
    if log.isRestored(before: first) {
      try models.goBack(to: log.restoredPosition(before: first)) {
        try states(in: model, after: first - 1, &tokens)
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
        try write(dropped: step.step, step.changes, &models, rewriter)
      } else {
        try write(step.step, replayed, recorded, &models, &tokens, rewriter)
      }
      models.keep(after: walk.position - 1)
    }
    if let failure = walk.failure { throw failure }
    if let finding = walk.damage { throw timeline.refusal(.damaged(finding)) }
  }

  /// Writes a step that needs what the app dropped, without its changes to dropped stores.
  private func write(
    dropped step: LogStep, _ changes: [RecordedChange], _ models: inout UpdatedModels,
    _ rewriter: LogRewriter
  ) throws {
    guard !changes.contains(where: { description.hasStore($0.store) }) else {
      throw timeline.refusal(.dropped(step: step.number, action: step.type))
    }
    if step.rejection == nil { try models.write([], to: rewriter) } else { try rewriter.keep() }
  }

  private func write(
    _ step: LogStep, _ now: ReplayedStep?, _ recorded: StoreDictionary<JSON>,
    _ models: inout UpdatedModels, _ tokens: inout RedactedStates, _ rewriter: LogRewriter
  ) throws {
    // A middleware had rejected it, and a replay has no middleware.
    guard let now else { return try rewriter.keep() }
    guard !now.needsSecret else {
      throw timeline.refusal(.needsSecret(step: step.number, action: step.type))
    }
    switch now.outcome {
    case .accepted:
      let changes = try now.changes.map { change in
        let state = try change.state.map { state in
          try tokens.redacted(state, of: change.store, recorded: recorded[change.store])
        }
        return ReplayedStep.Change(store: change.store, state: state)
      }
      try checkEffects(of: step, now)
      let tellsEffects = timeline.log.header.recordsEffects && description.tellsAllEffects
      try models.write(
        changes, effects: tellsEffects ? now.storeEffects ?? [] : nil, to: rewriter)
    case .rejected(var rejection):
      try checkEffects(of: step, now)
      rejection.message = tokens.texts.replaced(inMessage: rejection.message)
      try rewriter.write([], rejection: rejection)
    case .undecodable where step.rejection?.neverRan == true:
      try rewriter.keep()
    case .undecodable(let why):
      throw timeline.refusal(.undecodable(step: step.number, action: step.type, why: why))
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
  func resume(
    _ positions: Range<Int>, _ models: inout UpdatedModels, _ tokens: inout RedactedStates,
    _ rewriter: LogRewriter
  ) throws {
    for position in positions {
      if timeline.log.shape(at: position)?.isRejected == false {
        try models.write(model: try states(at: position, &tokens), to: rewriter)
      } else {
        try rewriter.keep()
      }
      models.keep(after: position)
    }
  }

  /// Returns the recorded states at a position, in the app's current form.
  func states(at position: Int, _ tokens: inout RedactedStates) throws -> StoreDictionary<JSON> {
    try states(in: timeline.model(at: position), after: position, &tokens)
  }

  /// Returns the states of a recorded model, in the app's current form.
  private func states(
    in model: RecordedModel, after position: Int, _ tokens: inout RedactedStates
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

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
      var run = try preparedRun()
      let rewriter = try run.rewrite(to: path) { try progress($0, total) }
      // In the same second, a reducer that keeps whole seconds reaches the same states again.
      if run.mayReadClock { WallClock.waitForAnotherSecond() }
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
    let impossible = try description.incompatibilities(with: log, in: 0..<log.count)
      .filter { $0.severity == .impossible }
    guard impossible.isEmpty else { throw timeline.refusal(.incompatible(impossible)) }
    try checkRedactedInputs()
    let positions = 0..<log.count
    let returned = try ReturnedEffects(
      log, positions, stretches: StretchPlan(timeline, positions).stretches)
    return try UpdateRun(
      timeline, in: app, ComparisonContext(log: log, app: description, options), returned)
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

import FluxJSON
public import FluxLog

/// An app that can verify a log where it runs, so that neither actions nor states cross a process boundary.
package protocol SelfVerifyingApp: ReplayApp {
  /// Returns the report on a log that passes there; nil for any other log, and if the app does not verify.
  ///
  /// It equals that of ``ReplayApp/verifyHere(_:options:progress:)``, whose progress starts over if there is none.
  func passingReport(
    on timeline: Timeline, _ options: Verification.Options,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ReplayReport?
}

extension ReplayApp {
  /// Dispatches the actions of a log again in fresh stores, and compares the results with the recorded ones.
  ///
  /// ```swift
  /// let report = try app.verify(timeline)
  /// print(report.text)
  /// ```
  /// If the log does not pass in the app's own process, it is verified again here, so every reported divergence comes
  /// from this process.
  ///
  /// - Parameters:
  ///   - timeline: The log.
  ///   - options: The settings.
  ///   - progress: Called from time to time with the number of completed steps and of all steps to replay. An
  ///     error that it throws ends the replay.
  /// - Returns: The report.
  /// - Throws: ``ReplayFailure`` if the app cannot be run, `LogError` if the log cannot be read,
  ///   `PointerError` if the header has an invalid redacted path, `QueryError` if an ignored path exceeds the
  ///   limits of a query, and the errors of `progress`.
  public func verify(
    _ timeline: Timeline, options: Verification.Options = Verification.Options(),
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ReplayReport {
    // Two replays need two processes, and always run from here.
    if !options.runsTwice, let app = self as? any SelfVerifyingApp,
      let report = try app.passingReport(on: timeline, options, progress)
    {
      return report
    }
    var report = try verifyHere(timeline, options: options, progress: progress)
    report.app = executablePath
    return report
  }

  /// Does the same in sessions that this process drives, whatever the app can do itself.
  ///
  /// `progress` is called after each batch.
  package func verifyHere(
    _ timeline: Timeline, options: Verification.Options = Verification.Options(),
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ReplayReport {
    let log = timeline.log
    try log.waitForIndex()
    let range = (options.range ?? 0..<log.count).clamped(to: 0..<log.count)
    var report = ReplayReport(log: log.path)
    let description = try describe()
    try description.refuseReflectedStates(of: log)
    let constants = CircumstanceDifference.all(log.header.circumstances, description.circumstances)
    report.circumstances = constants.different
    var notCompared = NotComparedCounts()
    for name in constants.redacted { notCompared.add(.circumstances, at: name) }
    report.incompatibilities = try description.incompatibilities(with: log, in: range)
    guard report.severity != .impossible else {
      if let recorded = log.header.app?.name, let name = description.name, recorded != name {
        report.notes.append("this app is \(name), and the log was recorded by \(recorded)")
      }
      return report
    }
    // Stores that the app dropped on purpose are no reason to think that it is another app.
    if !log.storeNames.contains(where: description.drops(store:)) {
      try description.requireStore(of: log)
    }

    let plan = try StretchPlan(timeline, range)
    report.redacted = log.header.redacted
    report.damage = try plan.damage(in: log, range)
    report.notes += plan.notes(on: log, range)
    report.notes += try options.ignoring.notes(on: timeline, range)
    for store in log.storeNames.filter(description.drops(store:)) {
      notCompared.add(.droppedStores, at: store)
    }
    let hasInitial = InitialStates.areRecorded(in: log, range)
    if hasInitial, options.initial == .ignore {
      notCompared.add(.ignoredStart, count: log.header.stores.filter { $0.initial != nil }.count)
    }
    let returned = try ReturnedEffects(log, range, stretches: plan.stretches)
    notCompared.add(.causes, count: returned.stepsWithoutCause)
    notCompared.add(.effects, count: returned.steps)
    var run = VerificationRun(
      timeline: timeline, app: self,
      context: try ComparisonContext(log: log, app: description, options), returned: returned,
      other: elsewhere(at: log.header.created ?? .present), report: report,
      notCompared: notCompared)
    do {
      if hasInitial, options.initial == .compare { try run.verifyInitialStates() }
      try run.verify(plan, progress)
    } catch let failure as ReplayFailure {
      guard case .statesNotRestorable(let problems) = failure.reason else { throw failure }
      run.report.incompatibilities += problems.map {
        Incompatibility(.unfitState(store: $0.store, why: $0.why))
      }
    }
    run.report.notes += run.notCompared.notes
    if range.upperBound == log.count { run.report.noteEnd(of: log) }
    // What two replays prove comes first: it may be the reason for the others.
    run.report.divergences.sort { left, right in
      left.comparison == right.comparison
        ? left.step < right.step : left.comparison == .replays
    }
    if options.findsReasons { try run.findReasons() }
    return run.report
  }
}

extension CircumstanceDifference {
  /// Returns the circumstances that differ between a recording and an app, sorted by name.
  ///
  /// Nothing differs if either of the two tells none. Redacted values are not compared; `redacted` are the
  /// circumstances that have some.
  fileprivate static func all(
    _ recorded: [String: JSON], _ today: [String: JSON]
  ) -> (different: [CircumstanceDifference], redacted: [String]) {
    guard !recorded.isEmpty, !today.isEmpty else { return ([], []) }
    var different: [CircumstanceDifference] = []
    var redacted: [String] = []
    let comparison = StateComparison(tolerance: 0, ignored: nil)
    for name in Set(recorded.keys).union(today.keys).sorted() {
      let result = comparison.compare(recorded[name], today[name], at: [name])
      if result.redactedValues > 0 { redacted.append(name) }
      guard !result.places.isEmpty else { continue }
      different.append(CircumstanceDifference(name, recorded: recorded[name], today: today[name]))
    }
    return (different, redacted)
  }
}

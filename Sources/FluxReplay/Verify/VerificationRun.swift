import FluxJSON
import FluxLog

/// The replay of a log's stretches.
struct VerificationRun {
  let timeline: Timeline
  let app: any ReplayApp
  let options: Verification.Options
  let context: ComparisonContext
  let returned: ReturnedEffects
  /// The app with another environment; nil if it runs in this process.
  let other: (any ReplayApp)?

  func verify(
    _ plan: StretchPlan, into report: inout ReplayReport,
    _ notCompared: inout NotComparedCounts,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let total = plan.stretches.reduce(0) { $0 + $1.count }
    var done = 0
    try progress(0, total)
    for stretch in plan.stretches {
      var rest = stretch
      while !rest.isEmpty {
        let end = try verify(rest, into: &report, &notCompared) { count in
          done += count
          try progress(done, total)
        }
        guard let end else { return }
        rest = end..<stretch.upperBound
      }
    }
  }

  /// Compares the states in which the app begins with those of the header; replay goes on from the latter.
  func verifyInitialStates(
    into report: inout ReplayReport, _ notCompared: inout NotComparedCounts
  ) throws {
    let log = timeline.log
    let model = try timeline.model(at: Timeline.start)
    let start = SessionStart(
      mode: .replay, seed: log.header.seed ?? 0,
      created: log.header.created ?? LogInstant(microseconds: 0), timeout: options.timeout)
    let session = try app.start(start)
    defer { session.end() }
    let recorded = try today(model.states.compactMapValues(\.json), session)
    let result = try InitialStates(context: context).compare(recorded, with: session.states()) {
      if other != nil { WallClock.waitForAnotherSecond() }
      let session = try (other ?? app).start(start)
      defer { session.end() }
      return try session.states()
    }
    report.divergences += result.divergences
    report.addRedacted(result.redacted)
    notCompared.redactedValues += result.redactedValues
    if !result.unstable.isEmpty {
      let places = result.unstable.map { Pointer(tokens: $0).description }
      report.notes.append(NotCompared.unstableStart(places: places).note)
    }
  }

  /// Replays a stretch; returns the position at which replay should go on, or nil if it should not.
  ///
  /// That is the end of the stretch, or the position after a step that needed a value that the log does not have, or
  /// whose action the app dropped: the states of the replay are wrong then.
  private func verify(
    _ stretch: Range<Int>, into report: inout ReplayReport,
    _ notCompared: inout NotComparedCounts, _ advance: (Int) throws -> Void
  ) throws -> Int? {
    let base = stretch.lowerBound - 1
    let model = try timeline.model(before: stretch.lowerBound)
    var start = try SessionStart(
      .replay, after: base, in: model, of: timeline, for: context.app, timeout: options.timeout)
    let (session, problems) = try begin(&start)
    defer { session.end() }
    var context = context
    try skipUnfit(problems, at: base, model, session, &context, &report)
    let second = options.runsTwice ? try (other ?? app).start(start) : nil
    defer { second?.end() }

    let walk = RecordedWalk(
      model, awaitsWholeModel: try timeline.log.awaitsWholeModel(before: stretch.lowerBound))
    var comparer = StepComparer(
      context, recorded: try today(walk.states, session), first: start.next,
      returned: returned)
    var twins = second.map { _ in ReplayComparer(context) }
    defer {
      report.take(comparer, twins)
      notCompared += comparer.notCompared
    }
    let reader = BatchReader(
      stretch, of: timeline.log, walk, size: options.batchSize, for: context.app)
    defer { reader.stop() }
    var position = stretch.lowerBound
    while position < stretch.upperBound {
      let batch = try reader.next()
      position += batch.steps.count
      let changes = try today(batch.changes, session)
      let first = try ReplayedBatch(batch, in: session)
      let replayed = first.steps
      // Waiting before every batch would take hours for a long log.
      if second != nil, other != nil, position == batch.steps.count {
        WallClock.waitForAnotherSecond()
      }
      let twin = try second.map { try ReplayedBatch(batch, in: $0) }
      let again = twin?.steps
      let failure = first.failure ?? twin?.failure
      let known = min(replayed.count, again?.count ?? .max)
      for (place, step) in batch.steps.prefix(known).enumerated() {
        guard let now = replayed[place] else {
          guard context.app.needsDropped(step) else {
            try comparer.skip(step)
            continue
          }
          if try comparer.skip(droppedStep: step, changes[place]) { continue }
          return try leave(
            at: position - batch.steps.count + place + 1, after: place + 1, &comparer, advance)
        }
        if let hidden = HiddenValue(of: step, now, context) {
          try comparer.skip(step, needing: hidden)
          return try leave(
            at: position - batch.steps.count + place + 1, after: place + 1, &comparer, advance)
        }
        try comparer.compare(step, changes[place], with: now)
        if let twin = again?[place] { try twins?.compare(step, now, twin) }
        let isDifferent = !comparer.divergences.isEmpty || twins?.divergences.isEmpty == false
        if options.stopsAtFirst, isDifferent {
          report.note(failure)
          return nil
        }
      }
      if let failure {
        // An earlier divergence is probably the reason for the failure.
        guard !comparer.divergences.isEmpty || twins?.divergences.isEmpty == false else {
          throw failure
        }
        report.note(failure)
        return nil
      }
      try advance(batch.steps.count)
      if let finding = batch.damage {
        report.damage.append(finding)
        return nil
      }
    }
    let isLast = stretch.upperBound == timeline.log.count
    if timeline.log.isRestored(before: stretch.upperBound) {
      // The follow-ups that were still to come were dropped.
      return !options.stopsAtFirst || comparer.divergences.isEmpty ? stretch.upperBound : nil
    }
    let undecided = try comparer.finish(isClosed: isLast && isWhole)
    if isLast, !undecided.isEmpty {
      let part = NotCompared.followUps(of: undecided, isContinued: isContinued)
      report.notes.append(part.note)
    }
    return !options.stopsAtFirst || comparer.divergences.isEmpty ? stretch.upperBound : nil
  }

  /// Leaves a stretch on the way, because the states of the replay are wrong; returns the position at which replay
  /// should go on, or nil if it should not.
  private func leave(
    at position: Int, after count: Int, _ comparer: inout StepComparer,
    _ advance: (Int) throws -> Void
  ) throws -> Int? {
    try advance(count)
    _ = try comparer.finish(isClosed: false)
    return options.stopsAtFirst && !comparer.divergences.isEmpty ? nil : position
  }

  /// Gives the divergences the reasons that a test proves: an earlier divergence, an input that the log does not
  /// contain, or a change of a structure.
  ///
  /// The tests start sessions, so the number of divergences to test is limited.
  func findReasons(in report: inout ReplayReport) throws {
    let alone = LoneStep(timeline: timeline, context: context, timeout: options.timeout)
    let consequences = ConsequenceCheck(alone: alone, app: app, returned: returned)
    let candidates = report.divergences.indices.filter { canTest(report.divergences[$0]) }
    for index in candidates.prefix(Self.mostTested) {
      let divergence = report.divergences[index]
      if let suspect = divergence.suspect,
        try consequences.follows(divergence, today: today) == true
      {
        report.divergences[index].reason = LikelyReason.consequence(of: suspect)
      } else if let reason = try reason(for: divergence, alone) {
        report.divergences[index].reason = reason
      }
    }
    let untested = candidates.count - Self.mostTested
    if untested > 0 {
      report.notes.append(
        "the reasons of \(untested) \(untested == 1 ? "divergence" : "divergences") were not tested: only those of "
          + "the first \(Self.mostTested) were")
    }
  }

  /// The most divergences of a report whose reasons are tested.
  private static let mostTested = 32

  /// `true` if a test may find a reason: an earlier divergence, a change of a structure, or a hidden input.
  private func canTest(_ divergence: Divergence) -> Bool {
    guard divergence.comparison == .record else { return false }
    return divergence.suspect != nil || divergence.hint != nil || mayHaveHiddenInput(divergence)
  }

  private func mayHaveHiddenInput(_ divergence: Divergence) -> Bool {
    other != nil && divergence.kind == .different && divergence.reason == nil
  }

  /// Returns the reason of a divergence that does not follow from an earlier one; nil if no test shows it.
  private func reason(for divergence: Divergence, _ alone: LoneStep) throws -> String? {
    switch divergence.hint {
    case nil, .hiddenInput:
      guard let other, mayHaveHiddenInput(divergence) else { return nil }
      return try HiddenInputCheck(alone: alone, app: app, other: other).reason(for: divergence)
    case .member(let name, let isAdded, var others):
      guard let path = divergence.path, let store = divergence.store else { return nil }
      if !isAdded { others.insert(name) }
      let evidence = MemberEvidence(timeline: timeline)
      return try evidence.isStructure(around: path, of: store, names: others)
        ? LikelyReason.member(name, isAdded: isAdded) : nil
    }
  }

  /// `true` if the log has everything that followed its last step: it was closed, no other segment continues
  /// it, and no gap comes before its end.
  private var isWhole: Bool {
    timeline.log.end?.isComplete == true && !isContinued
      && timeline.log.breaks.last?.position != timeline.log.count
  }

  private var isContinued: Bool { timeline.log.end?.isContinued == true }

  // MARK: The form of today

  private func today(
    _ states: StoreDictionary<JSON>, _ session: any ReplaySession
  ) throws(ReplayFailure) -> StoreDictionary<JSON> {
    var states = states
    let changes = states.map { RecordedChange(store: $0.key, state: $0.value) }
    for change in try today([changes], session).joined() { states[change.store] = change.state }
    return states
  }

  private func today(
    _ changes: [[RecordedChange]], _ session: any ReplaySession
  ) throws(ReplayFailure) -> [[RecordedChange]] {
    guard !context.app.upcastStores.isEmpty else { return changes }
    var changes = changes
    var places: [(step: Int, change: Int)] = []
    var old: [RecordedState] = []
    for (step, changed) in changes.enumerated() {
      for (place, change) in changed.enumerated() {
        guard let state = change.state, context.app.upcastStores.contains(change.store) else {
          continue
        }
        places.append((step, place))
        old.append(RecordedState(store: change.store, state: state))
      }
    }
    guard !old.isEmpty else { return changes }
    let today = try session.upcast(old)
    guard today.count == old.count else {
      throw ReplayFailure(
        .protocolViolation(found: "\(today.count) upcast states", expected: "\(old.count)"))
    }
    for (place, state) in zip(places, today) { changes[place.step][place.change].state = state }
    return changes
  }
}

extension ReplayReport {
  fileprivate mutating func note(_ failure: ReplayFailure?) {
    guard let failure else { return }
    self.failure = failure
    notes.append("replay stopped: \(failure.headline)")
  }

  fileprivate mutating func take(_ comparer: StepComparer, _ twins: ReplayComparer?) {
    steps += comparer.comparedSteps
    divergences += comparer.divergences + (twins?.divergences ?? [])
    addRedacted(Array(comparer.redacted))
  }

  /// Adds places that were not compared, each once.
  fileprivate mutating func addRedacted(_ places: [[String]]) {
    for tokens in places.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let place = Pointer(tokens: tokens).description
      if !redacted.contains(place) { redacted.append(place) }
    }
  }
}

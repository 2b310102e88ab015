import FluxLog

/// The replay of the stretches of a log.
struct VerificationRun {
  let timeline: Timeline
  let app: any ReplayApp
  let options: Verification.Options
  let context: ComparisonContext

  /// Replays one stretch after the other, each in sessions of its own.
  func verify(
    _ plan: StretchPlan, into report: inout ReplayReport,
    _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let total = plan.stretches.reduce(0) { $0 + $1.positions.count }
    var done = 0
    try progress(0, total)
    for stretch in plan.stretches {
      let goesOn = try verify(stretch, into: &report) { count in
        done += count
        try progress(done, total)
      }
      if !goesOn { return }
    }
  }

  /// Replays a stretch; returns whether there is a point in replaying what comes after it.
  private func verify(
    _ stretch: Stretch, into report: inout ReplayReport, _ advance: (Int) throws -> Void
  ) throws -> Bool {
    let model = try timeline.model(at: stretch.base)
    let start = try start(at: stretch, model)
    let session = try app.start(start)
    defer { session.end() }
    let second = options.runsTwice ? try app.start(start) : nil
    defer { second?.end() }

    var walk = RecordedWalk(model)
    var comparer = StepComparer(
      context, recorded: try today(walk.states, session), first: start.next)
    var twins = second.map { _ in ReplayComparer(context) }
    defer { report.take(comparer, twins) }
    var position = stretch.positions.lowerBound
    while position < stretch.positions.upperBound {
      let end = min(position + max(1, options.batchSize), stretch.positions.upperBound)
      let batch = try RecordedBatch(position..<end, timeline.log, &walk)
      position += batch.steps.count
      let changes = try today(batch.changes, session)
      let replayed = try replay(batch, in: session)
      let again = try second.map { try replay(batch, in: $0) }
      for (place, step) in batch.steps.enumerated() {
        guard let now = replayed[place] else {
          try comparer.skip(step)
          continue
        }
        try comparer.compare(step, changes[place], with: now)
        if let other = again?[place] { try twins?.compare(step, now, other) }
        let isDifferent = !comparer.divergences.isEmpty || twins?.divergences.isEmpty == false
        if options.stopsAtFirst, isDifferent { return false }
      }
      try advance(batch.steps.count)
      if let finding = batch.damage {
        report.damage.append(finding)
        return false
      }
    }
    let isLast = stretch.positions.upperBound == timeline.log.count
    let undecided = try comparer.finish(
      isClosed: isLast && timeline.log.end?.isComplete == true)
    if isLast, !undecided.isEmpty {
      report.notes.append(
        "the log ends before the follow-ups of step \(undecided.map(String.init).joined(separator: ", "))"
      )
    }
    return !options.stopsAtFirst || comparer.divergences.isEmpty
  }

  private func start(at stretch: Stretch, _ model: RecordedModel) throws(LogError) -> SessionStart {
    let header = timeline.log.header
    let number = timeline.log.number(at: stretch.positions.lowerBound) ?? header.first
    let time =
      stretch.base >= 0
      ? try timeline.log.step(at: stretch.base).time : LogTime(microseconds: 0)
    let states = model.states.compactMapValues(\.json).filter { context.app.hasStore($0.key) }
    return SessionStart(
      mode: .replay, seed: header.seed ?? 0,
      created: header.created ?? LogInstant(microseconds: 0), states: states, next: number,
      time: time, timeout: options.timeout)
  }

  // MARK: The form of today

  private func today(
    _ states: [String: JSON], _ session: any ReplaySession
  ) throws(ReplayFailure) -> [String: JSON] {
    var states = states
    let old = states.filter { context.app.upcastStores.contains($0.key) }
      .map { RecordedState(store: $0.key, state: $0.value) }
    guard !old.isEmpty else { return states }
    for (recorded, state) in zip(old, try upcast(old, session)) { states[recorded.store] = state }
    return states
  }

  private func today(
    _ changes: [[RecordedChange]], _ session: any ReplaySession
  ) throws(ReplayFailure) -> [[RecordedChange]] {
    guard !context.app.upcastStores.isEmpty else { return changes }
    var changes = changes
    var places: [(step: Int, change: Int)] = []
    var old: [RecordedState] = []
    for step in changes.indices {
      for (place, change) in changes[step].enumerated() {
        guard let state = change.state, context.app.upcastStores.contains(change.store) else {
          continue
        }
        places.append((step, place))
        old.append(RecordedState(store: change.store, state: state))
      }
    }
    for (place, state) in zip(places, try upcast(old, session)) {
      changes[place.step][place.change].state = state
    }
    return changes
  }

  private func upcast(
    _ states: [RecordedState], _ session: any ReplaySession
  ) throws(ReplayFailure) -> [JSON] {
    let today = try session.upcast(states)
    guard today.count == states.count else {
      throw ReplayFailure(
        .protocolViolation(
          found: "\(today.count) states in today's form", expected: "\(states.count)"))
    }
    return today
  }

  // MARK: Replay

  /// Dispatches a batch; nil stands for a step that was not run.
  private func replay(
    _ batch: RecordedBatch, in session: any ReplaySession
  ) throws(ReplayFailure) -> [ReplayedStep?] {
    let steps = try session.dispatch(batch.actions)
    guard steps.count == batch.actions.count else {
      throw ReplayFailure(
        .protocolViolation(
          found: "\(steps.count) steps of \(batch.actions.count) actions",
          expected: "one step of each action"))
    }
    var replayed: [ReplayedStep?] = []
    replayed.reserveCapacity(batch.steps.count)
    var next = 0
    for step in batch.steps {
      guard step.rejection?.isIntercepted != true else {
        replayed.append(nil)
        continue
      }
      guard steps[next].number == step.number else {
        throw ReplayFailure(
          .protocolViolation(
            found: "an answer for step \(steps[next].number)", expected: "one for \(step.number)"),
          step: step.number, action: step.type)
      }
      replayed.append(steps[next])
      next += 1
    }
    return replayed
  }
}

extension ReplayReport {
  /// Takes in what comparing a stretch has shown.
  fileprivate mutating func take(_ comparer: StepComparer, _ twins: ReplayComparer?) {
    steps += comparer.comparedSteps
    divergences += comparer.divergences + (twins?.divergences ?? [])
    for tokens in comparer.redacted.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      redacted.append(Pointer(tokens: tokens).description)
    }
    if comparer.interceptedSteps > 0 {
      let count = comparer.interceptedSteps
      notes.append(
        "\(count) \(count == 1 ? "step" : "steps") that a middleware had rejected not run: a replay "
          + "has no middleware")
    }
  }
}

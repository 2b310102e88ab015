import FluxJSON
import FluxLog

/// The replay of a log's stretches.
struct VerificationRun {
  let timeline: Timeline
  let app: any ReplayApp
  let context: ComparisonContext
  let returned: ReturnedEffects
  /// The app with another environment; nil if it runs in this process.
  let other: (any ReplayApp)?
  var report: ReplayReport
  var notCompared: NotComparedCounts
  /// ``LogFile/mixesChains()``; nil until it matters.
  var mixesChains: Bool?

  mutating func verify(
    _ plan: StretchPlan, _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let total = plan.stretches.reduce(0) { $0 + $1.count }
    var done = 0
    try progress(0, total)
    for stretch in plan.stretches {
      var rest = stretch
      while !rest.isEmpty {
        let end = try verify(rest) { count in
          done += count
          try progress(done, total)
        }
        guard let end else { return }
        rest = resumption(end..<stretch.upperBound)
      }
    }
  }

  /// Returns the part of a rest that the replay can begin in: the recorded states before it have to be known.
  ///
  /// The states of the replay are wrong before the rest, so they cannot stand for a state that the recorder left out.
  private mutating func resumption(_ rest: Range<Int>) -> Range<Int> {
    guard !rest.isEmpty else { return rest }
    let known = timeline.firstKnownPosition(in: rest.lowerBound - 1..<rest.upperBound)
    let start = known.map { $0 + 1 } ?? rest.upperBound
    notCompared.add(.unknownStart, count: start - rest.lowerBound)
    return start..<rest.upperBound
  }

  /// Starts a second session, in another environment if there is one.
  private func startAgain(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    guard let other else { return try app.start(start) }
    do throws(ReplayFailure) {
      return try other.start(start)
    } catch {
      throw error.elsewhere
    }
  }

  /// Compares the states in which the app begins with those of the header; replay goes on from the latter.
  mutating func verifyInitialStates() throws {
    let model = try timeline.model(at: Timeline.start)
    let result = try InitialStates(context: context, app: app, other: other).compare { session in
      try session.upcast(model.states.compactMapValues(\.json), for: context.app)
    }
    report.divergences += result.divergences
    report.addRedacted(result.redacted)
    notCompared.add(.redacted, count: result.redactedValues)
    for store in result.unrecorded { notCompared.add(.initialStates, at: store) }
    for place in result.unstable.sortedTexts { notCompared.add(.unstableStart, at: place) }
  }

  /// Replays a stretch; returns the position at which replay should go on, or nil if it should not.
  ///
  /// That is the end of the stretch, or the position after a step that needed a value that the log does not have, or
  /// whose action the app dropped: the states of the replay are wrong then.
  private mutating func verify(
    _ stretch: Range<Int>, _ advance: (Int) throws -> Void
  ) throws -> Int? {
    let options = context.options
    let model = try timeline.model(before: stretch.lowerBound)
    var start = try SessionStart(
      .replay, after: stretch.lowerBound - 1, in: model, of: timeline, for: context.app)
    let (session, problems) = try begin(&start)
    defer { session.end() }
    var context = context
    try skipUnfit(problems, in: stretch, model, session, &context)
    let second = options.runsTwice ? try startAgain(start) : nil
    defer { second?.end() }

    let recorded = try session.upcast(model.states.compactMapValues(\.json), for: context.app)
    let comparesStart =
      options.initial == .compare && InitialStates.areRecorded(in: timeline.log, stretch)
    var comparer = StepComparer(
      context, recorded: recorded, first: start.next, returned: returned,
      lost: comparesStart ? [:] : try lostPlaces(in: recorded, session, context),
      redactedInputs: RedactedInputCheck(
        alone: LoneStep(timeline: timeline, context: context), app: app,
        begin: comparesStart ? [:] : start.states ?? [:]))
    var twins = try second.map { _ in
      ReplayComparer(context, beginningIn: try session.states())
    }
    defer {
      report.take(comparer, twins)
      notCompared += comparer.notCompared
      for place in report.unreported(comparer.states.lost) {
        notCompared.add(.lostStates, at: place)
      }
    }
    let walk = ReplayWalk(
      stretch, of: timeline.log, from: model, for: context.app, size: options.batchSize,
      in: session,
      twin: second, twinIsElsewhere: second != nil && other != nil, upcasts: true)
    defer { walk.stop() }
    var isDifferent: Bool {
      !comparer.divergences.isEmpty || twins?.divergences.isEmpty == false
    }
    while let recorded = try walk.next(advance) {
      let isRight: Bool
      if let replayed = walk.replayed {
        isRight = try comparer.compare(recorded, with: replayed)
        if isRight, let again = walk.replayedAgain {
          try twins?.compare(recorded.step, replayed, again)
        }
      } else {
        isRight = try comparer.skip(recorded)
      }
      if isRight, !options.stopsAtFirst || !isDifferent { continue }
      try advance(walk.yielded)
      try settle(&comparer, from: walk.position)
      guard options.stopsAtFirst, isDifferent else { return walk.position }
      report.note(walk.failure)
      return nil
    }
    try settle(&comparer, from: walk.position)
    if let failure = walk.failure {
      // An earlier divergence is probably the reason for the failure.
      guard isDifferent else { throw failure }
      report.note(failure)
      return nil
    }
    if let finding = walk.damage {
      report.damage.append(finding)
      return nil
    }
    return options.stopsAtFirst && !comparer.divergences.isEmpty ? nil : stretch.upperBound
  }

  // MARK: The start of a stretch

  /// Starts a session in recorded states; stores whose redacted states do not fit begin in their initial states.
  ///
  /// - Throws: ``ReplayFailure`` if the app cannot be run, or a state does not fit for another reason.
  private func begin(
    _ start: inout SessionStart
  ) throws(ReplayFailure) -> (any ReplaySession, [ReplayFailure.StateProblem]) {
    do throws(ReplayFailure) {
      return (try app.start(start), [])
    } catch {
      guard case .statesNotRestorable(let problems) = error.reason,
        problems.allSatisfy({ $0.redacted != nil })
      else { throw error }
      for problem in problems { _ = start.states?.removeValue(forKey: problem.store) }
      return (try app.start(start), problems)
    }
  }

  /// Takes stores that began in their initial states out of the comparison, and notes the places of the values that
  /// did not fit.
  ///
  /// At the start of a log, the app's own initial state is right if it is the recorded one apart from redacted values.
  /// Then the store is compared like the others.
  private mutating func skipUnfit(
    _ problems: [ReplayFailure.StateProblem], in stretch: Range<Int>, _ model: RecordedModel,
    _ session: any ReplaySession, _ context: inout ComparisonContext
  ) throws {
    guard !problems.isEmpty else { return }
    let own = try session.states()
    let isStart = InitialStates.areRecorded(in: timeline.log, stretch)
    for problem in problems {
      let store = problem.store
      if isStart, let state = context.appName(of: store).flatMap({ own[$0] }),
        try context.compare(model.states[store]?.json, state, store).places.isEmpty
      {
        continue
      }
      context.unfit.append(store)
      let place = Pointer(tokens: [store]).description + (problem.redacted ?? "")
      let note =
        "store \(store) not compared: the value at \(place) is redacted, and its type accepts no substitute; "
        + "stores that read its state may differ for that reason"
      if !report.notes.contains(note) { report.notes.append(note) }
    }
  }

  /// Returns the places, by store, of the values that the app drops or changes when it takes the recorded states.
  ///
  /// The states are compared only once a step changes their store.
  private func lostPlaces(
    in recorded: StoreDictionary<JSON>, _ session: any ReplaySession, _ context: ComparisonContext
  ) throws -> StoreDictionary<[[String]]> {
    let own = try session.states()
    var lost: StoreDictionary<[[String]]> = [:]
    for (store, state) in recorded.ordered where !context.skips(store) {
      guard let name = context.appName(of: store) else { continue }
      let places = try context.compare(state, own[name], store).places.map(\.tokens)
      if !places.isEmpty { lost[store] = places }
    }
    return lost
  }

  // MARK: The end of a stretch

  /// Settles the follow-ups that compared steps still owe, wherever the comparison of a stretch ends.
  ///
  /// The steps from a position to the next gap are not compared. They show which follow-ups have been dispatched.
  private mutating func settle(
    _ comparer: inout StepComparer, from position: Int
  ) throws {
    let log = timeline.log
    var position = position
    let end = log.breaks.first { $0.position >= position }?.position ?? log.count
    while comparer.owesFollowUps, position < end {
      let found = try LogError.unlessDamaged { () throws(LogError) in try log.step(at: position) }
      guard let step = found else { break }
      try comparer.pass(step)
      position += 1
    }
    let isEnd = position == log.count && !log.isRestored(before: position)
    try comparer.settle(
      isClosed: isEnd && isWhole,
      !isEnd ? .followUpsInGap : isContinued ? .followUpsInSegment : .followUpsAtEnd
    ) { () throws(LogError) in
      if let mixesChains { return mixesChains }
      let found = try log.mixesChains()
      mixesChains = found
      return found
    }
  }

  /// `true` if the log has everything that followed its last step: it was closed after the follow-ups, no other segment
  /// continues it, and no gap comes before its end.
  private var isWhole: Bool {
    guard let end = timeline.log.end, end.isComplete, !end.isCut else { return false }
    return !isContinued
      && timeline.log.breaks.last?.position != timeline.log.count
  }

  private var isContinued: Bool { timeline.log.end?.isContinued == true }
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
    addRedacted(comparer.states.redacted)
    undetermined = undetermined ?? comparer.firstUndetermined
  }

  /// Returns the places of states, apart from those of stores whose states are reported to differ.
  fileprivate func unreported(_ lost: StoreDictionary<[[String]]>) -> [String] {
    let reported = divergences.filter { [.initial, .different].contains($0.kind) }
      .compactMap(\.store)
    return lost.ordered.filter { lost in !reported.contains { $0.hasSameBytes(as: lost.key) } }
      .flatMap(\.value).map { Pointer(tokens: $0).description }
  }

  /// Adds places that were not compared, each once.
  fileprivate mutating func addRedacted(_ places: some Sequence<Pointer>) {
    for place in places.sortedTexts
    where !redacted.contains(where: { $0.hasSameBytes(as: place) }) {
      redacted.append(place)
    }
  }
}

extension Sequence<Pointer> {
  /// The texts of the pointers, in the order of their bytes.
  fileprivate var sortedTexts: [String] {
    map { BytewiseName($0.description) }.sorted().map(\.text)
  }
}

public import FluxJSON
import FluxLog
package import FluxReplay
import Foundation

extension Session {
  /// The app that dispatches actions again, with the time limit of the session.
  package func app() throws(CommandError) -> any ReplayApp {
    try refuseReflectedLog()
    guard let app = services.app else {
      throw CommandError(
        .noApp, "this replays actions, which needs the app", next: .openWithApp)
    }
    return app.limited(to: replayTimeout)
  }

  /// Refuses a log that no app can replay, before one is started or asked for.
  package func refuseReflectedLog() throws(CommandError) {
    guard let failure = log.reflectionFailure else { return }
    throw CommandError(
      .replayFailed, failure.description,
      next: .onlyRead)
  }

  /// The seconds that the app may take over a call; nil for no limit.
  package var replayTimeout: Double? { timeout > 0 ? timeout : nil }

  // MARK: Walking between forks

  /// The forks, and the current one.
  public var forks: ForkList {
    ForkList(forks: openForks.all.map { summary(of: $0) }, current: forkPlace?.number)
  }

  /// The fork that the session works on; nil on the recording.
  public var currentFork: ForkSummary? { forkHere.map { summary(of: $0.fork) } }

  /// The steps of the current fork around the place here.
  ///
  /// - Parameter count: The number of steps before and after the one here.
  /// - Returns: The steps; nil on the recording.
  public func forkSteps(around count: Int) -> ForkSteps? {
    guard let here = forkHere else { return nil }
    let count = min(max(0, count), here.steps.count)
    let first = max(0, here.count - 1 - count)
    let shown = here.steps[first..<min(here.steps.count, here.count + count)]
    return ForkSteps(
      fork: here.fork.number, base: number(at: here.fork.history.position),
      steps: ForkStepSummaries(Array(shown)), here: here.number, count: here.steps.count)
  }

  /// Makes a fork: fresh stores with the states at a position, to dispatch actions to.
  ///
  /// The position one step back stands for the states before the step here, even if the app went back to another model in
  /// between.
  public mutating func fork(at position: Position = .here) throws -> ForkSummary {
    let here = positionInRecording
    if position == .relative(.backwards, 1), log.isRestored(before: here) {
      var summary = stand(on: try Fork(before: here, of: timeline, in: try app()))
      summary.notes = [
        "the fork begins in the model to which the app went back before step \(number(at: here))"
      ]
      return summary
    }
    let resolved = try resolve(position)
    var summary = stand(
      on: try Fork(at: resolved.position, of: timeline, in: try app()))
    summary.notes = resolved.notes
    return summary
  }

  /// Goes to the newest step of a fork.
  public mutating func switchToFork(_ number: Int) throws(CommandError) -> ForkSummary {
    stand(on: try fork(number))
  }

  /// Adds a fork, and goes to its newest step.
  mutating func stand(on fork: Fork) -> ForkSummary { stand(on: openForks.add(fork)) }

  private mutating func stand(on fork: OpenFork) -> ForkSummary {
    forkPlace = (fork.number, fork.history.steps.count)
    return summary(of: fork)
  }

  /// Goes back to the recording.
  public mutating func switchToRecording() throws -> Move {
    let move = try standing(at: position).here()
    forkPlace = nil
    return move
  }

  /// Removes a fork; if the session works on it, it goes back to the recording.
  public mutating func dropFork(_ number: Int) throws(CommandError) -> ForkSummary {
    let fork = try fork(number)
    openForks.remove(number)
    if forkPlace?.number == number { forkPlace = nil }
    return summary(of: fork)
  }

  /// Ends the work on a fork, which stays; returns a remark.
  package mutating func leaveFork() -> Note? {
    guard let number = forkPlace?.number else { return nil }
    forkPlace = nil
    return Note("left fork \(number)", next: .returnToFork(number))
  }

  private func summary(of fork: OpenFork) -> ForkSummary {
    ForkSummary(
      number: fork.number, base: number(at: fork.history.position),
      stepCount: fork.history.steps.count)
  }

  /// The fork of a number, or the current one.
  func fork(_ number: Int?) throws(CommandError) -> OpenFork {
    let all = openForks.all
    guard let number else {
      if let fork = forkHere?.fork { return fork }
      throw CommandError(
        .notFound, "this is the recording, not a fork",
        next: all.isEmpty ? .fork : .chooseFork)
    }
    guard let fork = openForks[number] else {
      guard !all.isEmpty else { throw CommandError(.notFound, "no fork \(number)", next: .fork) }
      let numbers = all.map { String($0.number) }.joined(separator: ", ")
      throw CommandError(.notFound, "no fork \(number)", hint: "the forks are \(numbers)")
    }
    return fork
  }

  /// The steps of a fork as a value; nil if there is no such fork.
  package func history(ofFork number: Int) -> ForkHistory? { openForks[number]?.history }

  /// Takes the forks of a session that began as this one; this one stays where it is.
  package mutating func takeForks(of other: Session) {
    openForks = other.openForks
    if let forkPlace, openForks[forkPlace.number] == nil { self.forkPlace = nil }
  }

  /// Makes a fork here in edited states.
  ///
  /// On a fork, the new one leaves it.
  ///
  /// - Parameter edits: The states that replace those here.
  /// - Returns: The fork, which is the current one.
  /// - Throws: `ReplayFailure` if a state does not fit its store.
  public mutating func fork(editing edits: [(store: String, state: JSON)]) throws -> ForkSummary {
    let edits = edits.map { ReplayedStep.Change(store: $0.store, state: $0.state) }
    if let here = forkHere {
      return stand(on: try here.fork.leaving(afterSteps: here.count, editing: edits))
    }
    let recorded = try Fork(at: position, of: timeline, in: try app())
    defer { recorded.end() }
    return stand(on: try Fork(leaving: recorded, afterSteps: 0, editing: edits))
  }

  // MARK: Working on a fork

  /// Refuses what is no action, before an app gets it.
  ///
  /// - Throws: ``CommandError`` of code `usage`.
  package static func checkAction(_ action: JSON) throws(CommandError) {
    guard action.kind == .object, action["type"]?.string != nil else {
      throw CommandError(.usage, #"an action is an object with a type: {"type":"todo/add"}"#)
    }
  }

  /// Dispatches an action on the current fork; makes a fork here if there is none, or if this is an earlier step of it.
  ///
  /// - Parameters:
  ///   - action: An object with a `type`, and usually a `payload`.
  ///   - store: The store to address it to; nil for all that handle it.
  /// - Returns: The steps that it made, and what they changed.
  /// - Throws: ``CommandError`` of code `usage` for what is no action, and `ReplayFailure` if the app cannot decode the
  ///   action or fails; the fork is then as it was.
  public mutating func dispatch(_ action: JSON, to store: String? = nil) throws -> Dispatched {
    try Self.checkAction(action)
    // If nothing can be dispatched, the session stays as it is, and no fork is left behind.
    var session = self
    if let here = forkHere {
      if here.count < here.steps.count { _ = try session.fork(editing: []) }
    } else {
      _ = session.stand(
        on: try Fork(at: position, of: timeline, in: try app()))
    }
    var open = try session.fork(nil)
    let number = open.number
    let dispatched = try open.extend { fork in
      let before = fork.model
      let steps = try fork.dispatch(action, to: store).map(ForkStepSummary.init)
      let last = StepNumber(steps.last?.number)
      return Dispatched(
        fork: number, steps: steps,
        difference: Difference(from: last, before, to: last, fork.model, identities: identities))
    }
    session.openForks.replace(open)
    _ = session.stand(on: open)
    self = session
    return dispatched
  }

  /// Dispatches recorded steps again on a new fork, some left out or replaced, and compares it with the recording.
  ///
  /// - Parameters:
  ///   - range: The steps to dispatch, to which their follow-ups right after it belong; the fork begins before the first of
  ///     them.
  ///   - skipped: The numbers of the steps to leave out.
  ///   - replacements: Other actions by the numbers of the steps that they replace.
  ///   - dropsOrphans: `true` to leave out steps whose causes are left out or rejected on the fork.
  /// - Returns: The steps of the fork, and the comparison.
  /// - Throws: ``CommandError`` of code `usage` for what is no action or a step that is both skipped and replaced,
  ///   `RedispatchError` if a step cannot be skipped or replaced, and `ReplayFailure` if the app fails.
  public mutating func redispatch(
    _ range: PositionRange, skipping skipped: Set<UInt64> = [],
    replacing replacements: [UInt64: JSON] = [:], droppingOrphans dropsOrphans: Bool = false
  ) throws -> Redispatched {
    let app = try app()
    for action in replacements.values { try Self.checkAction(action) }
    if let step = skipped.intersection(replacements.keys).min() {
      throw CommandError(.usage, "step \(step) is both left out and replaced; choose one of them")
    }
    let positions = try addingFollowUps(to: resolve(range))
    guard !positions.isEmpty else { throw CommandError(.usage, "the range has no steps") }
    let number = stand(
      on: try Fork.redispatching(
        positions, of: timeline, in: app, skipping: skipped, replacing: replacements,
        droppingOrphans: dropsOrphans)
    ).number
    return try fork(number).use { fork in
      Redispatched(
        fork.steps, droppedOrphans: fork.droppedOrphans,
        ForkDifference(fork: number, try fork.compare(), identities: identities))
    }
  }

  /// Returns a range with the follow-ups of its steps that come right after it, which the steps dispatch again as well.
  ///
  /// They do not after a gap, nor in another model.
  private func addingFollowUps(to range: Range<Int>) throws -> Range<Int> {
    guard !range.isEmpty, let first = log.number(at: range.lowerBound) else { return range }
    var end = range.upperBound
    while try waitForIndex(beyond: end), log.parts(of: end - 1..<end + 1).count == 1,
      log.number(at: end - 1).map({ $0 + 1 }) == log.number(at: end),
      isFollowUp(at: end, ofStepsFrom: first)
    {
      end += 1
    }
    return range.lowerBound..<end
  }

  /// Returns `true` for a follow-up of a step from a number on; a step that cannot be read is not dispatched again.
  private func isFollowUp(at position: Int, ofStepsFrom first: UInt64) -> Bool {
    do throws(LogError) {
      return try log.step(at: position).followUpCause.map { $0 >= first } ?? false
    } catch {
      return false
    }
  }

  /// Repeats a recorded step and those after it on a fork, in place of the steps that it has.
  ///
  /// A part of them may be there already: begun anew, a fork finds the follow-ups and orphans of all. It ends where the
  /// app went back to another model.
  ///
  /// - Throws: As ``redispatch(_:skipping:replacing:droppingOrphans:)``; the fork is then as it was.
  package mutating func repeatRecording(from position: Int, onFork number: Int) throws {
    let fork = try fork(number)
    try waitForIndex()
    let range = log.parts(of: position..<max(position, log.count))[0]
    openForks.replace(
      OpenFork(
        number: fork.number, try Fork.redispatching(range, of: timeline, in: try app())))
  }

  /// Compares a fork with the recording; nil for the current one.
  public func compare(fork number: Int? = nil) throws -> ForkDifference {
    let fork = try fork(number)
    try waitForIndex()
    return ForkDifference(
      fork: fork.number, try fork.use { try $0.compare() }, identities: identities)
  }

  /// Writes the current fork as a separate log; returns the number of its steps.
  public func saveFork(to path: String, replacesExisting: Bool = false) throws -> Int {
    let fork = try fork(nil)
    try services.files.protect(log.path, from: path)
    do {
      return try fork.use { fork in
        try fork.save(
          to: path, log: UUID().uuidString.lowercased(), replacesExisting: replacesExisting)
        return fork.steps.count
      }
    } catch let error as LogError where error.reason == .exists {
      throw CommandError.exists(path)
    } catch let error as LogError {
      throw CommandError(.file, error.message)
    }
  }

  // MARK: Verifying

  /// Dispatches recorded actions in fresh stores, and compares the outcomes with the recording.
  ///
  /// - Parameter range: The steps to verify, to which their follow-ups right after it belong; nil for all.
  /// - Returns: The report.
  /// - Throws: ``CommandError`` of code `no-app`, and `ReplayFailure` if the app fails.
  public func verify(_ range: PositionRange? = nil) throws -> VerificationResult {
    let app = try app()
    var options = Verification.Options()
    options.range = try range.map { try addingFollowUps(to: resolve($0)) }
    try waitForIndex()
    let report = try app.verify(timeline, options: options, progress: work.reporting("replaying"))
    return VerificationResult(
      report: report, notes: options.range.map(notes(onEmpty:)) ?? [])
  }
}

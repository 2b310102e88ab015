import Foundation

extension Engine {
  /// Runs an action as one step: transaction, middleware, observers, then what the step asked for.
  func runStep(_ reference: ActionReference, _ call: Call) -> Outcome {
    if let origin = call.origin, origin.isCancelled { return .ignored }
    // Wraps, because a replayed log may have any number.
    turn.value.stepNumber &+= 1
    turn.value.random = nil
    turn.value.time = nil
    if let origin = call.origin { begin(origin) }
    let witness: Witness? = turn.value.middleware.isEmpty ? nil : witness(reference, call)
    var rejection: Rejection?
    do {
      try witness?.announce(from: self)
      try transact(reference, call)
    } catch {
      rejection = error
      rollBack()
    }
    let pass = commit()
    let outcome = outcome(rejection)
    witness?.report(outcome, from: self)
    if !turn.value.touched.isEmpty {
      notify(pass, reference)
      releaseOldStates()
    }
    end()
    return outcome
  }

  private func begin(_ origin: Call.Origin) {
    turn.value.activity = origin.activity
    guard let recorded = origin.recorded else { return }
    turn.value.stepNumber = recorded.step
    // The log is the authority here, also where this dispatcher has been at a later time.
    turn.value.time = quantised(recorded.time) ?? turn.value.lastTime
    turn.value.lastTime = turn.value.time ?? turn.value.lastTime
  }

  private func witness(_ reference: ActionReference, _ call: Call) -> Witness {
    if hasCancelledMiddleware { turn.value.middleware.removeAll { $0.cancellation.isCancelled } }
    return Witness(
      Envelope(
        step: turn.value.stepNumber, time: now(), action: reference.action, target: call.target,
        cause: call.origin?.cause, effect: call.origin?.effect?.name,
        isFromObserver: call.origin?.isFromObserver ?? false, source: call.source),
      middlewareCount: turn.value.middleware.count)
  }

  private var hasCancelledMiddleware: Bool {
    for place in turn.value.middleware.indices {
      // Held by the list, which nothing changes meanwhile.
      let middleware = unsafe Unmanaged.passUnretained(turn.value.middleware[place])
      if unsafe middleware._withUnsafeGuaranteedRef({ $0.cancellation.isCancelled }) { return true }
    }
    return false
  }

  @inline(__always)
  private func outcome(_ rejection: Rejection?) -> Outcome {
    if let rejection { return Outcome(turn.value.stepNumber, rejection) }
    let verdict: Outcome.Verdict = turn.value.touched.isEmpty ? .unchanged : .changed
    guard !turn.value.followUps.isEmpty || !turn.value.effectCommands.isEmpty else {
      return Outcome(turn.value.stepNumber, verdict)
    }
    return Outcome(
      turn.value.stepNumber, verdict, followUps: turn.value.followUps.map(\.followUp),
      effects: turn.value.effectCommands.compactMap(\.startedName))
  }

  private func notify(_ pass: borrowing ObserverPass, _ reference: ActionReference) {
    for index in pass.observers.indices {
      let slot = pass.slot(at: index, of: turn.value.touched)
      pass.observers[index].stepCommitted(StepEvent(slot, reference, self))
    }
  }

  /// Lets the old states go, one at a time: a deinitialiser may dispatch, which belongs to this step.
  private func releaseOldStates() {
    while let slot = turn.value.touched.popLast() {
      let old = turn.value.progress[slot].proposal.take()
      withExtendedLifetime(old) {}
    }
  }

  /// Queues the follow-ups and starts the effects, as far as the mode of the dispatcher has them.
  @inline(__always)
  private func end() {
    if !turn.value.followUps.isEmpty { queueFollowUps() }
    if !turn.value.effectCommands.isEmpty { startEffects() }
    if turn.value.activity != nil { turn.value.activity = nil }
  }

  private func queueFollowUps() {
    let due = turn.value.followUps
    turn.value.followUps = []
    for (followUp, call) in due { queueNested(followUp.action, call, isFollowUp: true) }
  }

  private func startEffects() {
    let due = turn.value.effectCommands
    turn.value.effectCommands = []
    guard mode == .live else { return }
    effects.run(due, cause: turn.value.stepNumber, activity: turn.value.activity, engine: self)
  }

  /// How things stand, for a middleware that is about to be added.
  func attachment() -> Attachment {
    Attachment(
      stores: slots.map {
        Attachment.Store(id: $0.id, typeName: $0.typeName, isFeature: $0.isFeature)
      },
      seed: seed, mode: mode, nextStep: turn.value.stepNumber &+ 1, time: laterOfLast(clock()),
      clock: clock, model: published.value)
  }

  // MARK: What a step can ask

  /// The time of the present step, read from the clock when first asked for.
  func now() -> Date {
    if let time = turn.value.time { return time }
    let time = laterOfLast(clock())
    turn.value.time = time
    return time
  }

  /// Quantises a time to microseconds, which is what a log can hold, and never goes back.
  private func laterOfLast(_ time: Date) -> Date {
    if let time = quantised(time) { turn.value.lastTime = max(turn.value.lastTime, time) }
    return turn.value.lastTime
  }

  /// The time in whole microseconds; nil where it is not finite.
  private func quantised(_ time: Date) -> Date? {
    let microseconds = (time.timeIntervalSinceReferenceDate * 1e6).rounded()
    guard microseconds.isFinite else { return nil }
    return Date(timeIntervalSinceReferenceDate: microseconds / 1e6)
  }

  var random: SplitMix64 {
    get { turn.value.random ?? SplitMix64(seed: seed, step: turn.value.stepNumber) }
    set { turn.value.random = newValue }
  }
}

/// What the middleware of a step sees, and how much of it there is: there is one for each step, so it must not be
/// copied.
private struct Witness: ~Copyable {
  private let envelope: Envelope
  private let middlewareCount: Int

  init(_ envelope: Envelope, middlewareCount: Int) {
    self.envelope = envelope
    self.middlewareCount = middlewareCount
  }

  func announce(from engine: Engine) throws(Rejection) {
    for place in 0..<middlewareCount {
      let failure = engine.lendModel(toMiddlewareAt: place) { middleware, model in
        middleware.failureOfWillDispatch(envelope, model)
      }
      if let failure { throw failure }
    }
  }

  func report(_ outcome: Outcome, from engine: Engine) {
    engine.layout.lendIDs(of: engine.turn.value.touched) { changed in
      for place in 0..<middlewareCount {
        engine.lendModel(toMiddlewareAt: place) { middleware, model in
          middleware.didDispatch(envelope, outcome, changed, model)
        }
      }
    }
  }
}

extension Engine {
  /// Calls `body` with a middleware and the committed states, without counting a reference of either.
  ///
  /// Both are held by the engine until `body` returns: inside a step middleware is only added, behind what is there, and
  /// no state is committed while middleware runs.
  @inline(__always)
  fileprivate func lendModel<Result>(
    toMiddlewareAt place: Int, _ body: (InstalledMiddleware, Model) -> Result
  ) -> Result {
    let middleware = unsafe Unmanaged.passUnretained(turn.value.middleware[place])
    let contents = unsafe Unmanaged.passUnretained(published.value.contents)
    return unsafe middleware._withUnsafeGuaranteedRef { middleware in
      unsafe contents._withUnsafeGuaranteedRef { body(middleware, Model($0)) }
    }
  }
}

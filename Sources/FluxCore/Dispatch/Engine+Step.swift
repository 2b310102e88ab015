extension Engine {
  /// Runs an action as one step: transaction, middleware, observers, then follow-ups and effects.
  func runStep(_ reference: ActionReference, _ call: Call) -> Outcome {
    if mustIgnore(call) { return .ignored }
    // Wraps, because a replayed log may contain any number.
    turn.value.stepNumber &+= 1
    turn.value.random = nil
    turn.value.time = nil
    if turn.value.secrets != nil { turn.value.secrets = nil }
    if let origin = call.origin { begin(origin) }
    var pass = middleware.value == nil ? nil : middlewarePass(reference, call)
    var rejection: Rejection?
    do {
      if pass?.looksAhead == true { try pass?.announce(published.value) }
      try transact(reference, call)
    } catch {
      rejection = error
      rollBack()
    }
    let observers = commit()
    let outcome = outcome(rejection)
    pass?.report(outcome, layout.ids(of: turn.value.touched), published.value)
    if !turn.value.touched.isEmpty {
      notify(observers, reference)
      if effects.hasEffectsOfElements { cancelEffectsOfMissingElements() }
      releaseOldStates()
    }
    end()
    return outcome
  }

  @inline(__always)
  private func mustIgnore(_ call: Call) -> Bool {
    if let origin = call.origin, origin.isCancelled(restores: turn.value.restoreCount) {
      return true
    }
    return turn.value.ignoresActions && call.origin?.cause == nil
  }

  private func begin(_ origin: Call.Origin) {
    turn.value.activity = origin.activity
    guard let recorded = origin.recorded else { return }
    turn.value.secrets = SecretDraws(recorded: origin.secrets)
    turn.value.stepNumber = recorded.step
    // The log decides, even if this dispatcher has already reached a later time.
    turn.value.time = quantised(recorded.time) ?? turn.value.lastTime
    turn.value.lastTime = turn.value.time ?? turn.value.lastTime
  }

  private func middlewarePass(_ reference: ActionReference, _ call: Call) -> MiddlewarePass? {
    guard let chain = uncancelledMiddleware() else { return nil }
    return MiddlewarePass(
      Envelope(
        step: turn.value.stepNumber, time: now(), action: reference.action, target: call.target,
        cause: call.origin?.cause, effect: call.origin?.effect?.name,
        isFromObserver: call.origin?.isFromObserver ?? false, source: call.source),
      layout, chain)
  }

  private func uncancelledMiddleware() -> MiddlewareChain? {
    let chain = middleware.value
    guard let chain, chain.hasCancelled else { return chain }
    let rest = chain.withoutCancelled
    // Released after the exchange, because a middleware may have a deinitialiser that dispatches.
    withExtendedLifetime(middleware.exchange(rest)) {}
    return rest
  }

  /// Commits all proposals at once: from here on, every thread sees them.
  ///
  /// Until the step ends, `touched` lists the changed stores in the order of the dispatcher. Their old states
  /// take the place of the proposals. They are not released under the lock, because a state's content may
  /// have a deinitialiser that dispatches.
  ///
  /// - Returns: The observers to call, in the order of registration.
  private func commit() -> [RegisteredObserver] {
    guard !turn.value.touched.isEmpty else { return [] }
    guard let slot = turn.value.onlyTouched else { return commitMany() }
    lock.lock()
    turn.value.exchange(slot, with: &published.value)
    published.value.step = turn.value.stepNumber
    let registered = observers.value.observers(of: slot)
    lock.unlock()
    return registered
  }

  private func commitMany() -> [RegisteredObserver] {
    dropRevertedProposals()
    guard !turn.value.touched.isEmpty else { return [] }
    return commitTouched(as: turn.value.stepNumber)
  }

  /// Commits the proposals of all touched stores as the model of a step.
  func commitTouched(as step: UInt64?) -> [RegisteredObserver] {
    lock.lock()
    defer { lock.unlock() }
    for slot in turn.value.touched { turn.value.exchange(slot, with: &published.value) }
    published.value.step = step
    return observers.value.observers(of: turn.value.touched)
  }

  @inline(__always)
  private func outcome(_ rejection: Rejection?) -> Outcome {
    if let rejection { return Outcome(turn.value.stepNumber, rejection) }
    let verdict: Outcome.Verdict = turn.value.touched.isEmpty ? .unchanged : .changed
    var outcome: Outcome
    if turn.value.followUps.isEmpty, turn.value.effectCommands.isEmpty, turn.value.secrets == nil {
      outcome = Outcome(turn.value.stepNumber, verdict)
    } else {
      outcome = Outcome(
        turn.value.stepNumber, verdict, followUps: turn.value.followUps.map(\.followUp),
        requestedEffects: turn.value.effectCommands.map { $0.request(layout.ids) },
        secrets: turn.value.secrets?.drawn ?? [])
    }
    outcome.usesRandomNumbers = turn.value.random != nil
    return outcome
  }

  func notify(_ observers: [RegisteredObserver], _ reference: ActionReference?) {
    for registered in observers {
      registered.observer.stepCommitted(StepEvent(registered.slot, reference, self))
      if let following = registered.observer.following, let slots = following.takeMove() {
        move(following, to: slots)
      }
    }
  }

  private func cancelEffectsOfMissingElements() {
    for slot in turn.value.touched {
      effects.cancelEffectsOfMissingElements(of: slot, in: published.value.snapshots[slot].value)
    }
  }

  /// Queues the follow-ups and starts the effects that the mode of the dispatcher allows.
  @inline(__always)
  private func end() {
    if !turn.value.followUps.isEmpty { queueFollowUps() }
    if !turn.value.effectCommands.isEmpty { startEffects() }
    if turn.value.activity != nil { turn.value.activity = nil }
  }

  private func queueFollowUps() {
    let followUps = turn.value.followUps
    turn.value.followUps = []
    for (followUp, call) in followUps { queueNested(followUp.action, call, isFollowUp: true) }
  }

  private func startEffects() {
    let commands = turn.value.effectCommands.filter { !isOfMissingElement($0) }
    turn.value.effectCommands = []
    guard mode == .live, !commands.isEmpty else { return }
    let host = EffectHost(
      dispatch: { [self] action, slot, call in dispatch(action, fromEffectOf: slot, call) },
      model: { [self] in publishedModel })
    effects.run(commands, cause: turn.value.stepNumber, activity: turn.value.activity, host: host)
  }
}

extension Engine {
  /// `true` if a command starts an effect of an element that has left its list in the same step.
  private func isOfMissingElement(_ command: EffectCommand) -> Bool {
    guard case .start(let request) = command, let isPresent = request.isPresent else {
      return false
    }
    return !isPresent(published.value.snapshots[request.key.slot].value)
  }
}

/// The middleware of one step with the value that it sees.
///
/// There is one value from the beginning of the step, because an envelope that is copied counts references, and
/// each takes six nanoseconds. The model is not kept in it meanwhile: the commit would have to copy the list of states.
private struct MiddlewarePass: ~Copyable {
  private var step: CompletedStep
  private let chain: MiddlewareChain

  init(
    _ envelope: consuming Envelope, _ layout: Layout, _ chain: consuming MiddlewareChain
  ) {
    step = CompletedStep(
      envelope: envelope, outcome: .queued, changed: [], model: Model(layout, []))
    self.chain = chain
  }

  var looksAhead: Bool { chain.looksAhead }

  func announce(_ model: Model) throws(Rejection) {
    try chain.willDispatch(step.envelope, model)
  }

  mutating func report(
    _ outcome: Outcome, _ changed: consuming [StoreID], _ model: consuming Model
  ) {
    step.complete(outcome, changed, model)
    chain.didDispatch(step)
  }
}

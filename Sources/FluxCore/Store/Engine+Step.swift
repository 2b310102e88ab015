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
    if let chain = middleware.value {
      if !chain.hasCancelled { return runStep(reference, call, reportingTo: chain) }
      if let rest = withoutCancelled(chain) {
        return runStep(reference, call, reportingTo: rest)
      }
    }
    let rejection = transactOrRollBack(reference, call)
    let observers = commit()
    let outcome = outcome(rejection)
    end(observers, reference)
    return outcome
  }

  /// Runs an action as one step that middleware sees.
  ///
  /// There is one envelope, which the last middleware may take over: one that is copied counts references, and each
  /// takes six nanoseconds.
  private func runStep(
    _ reference: ActionReference, _ call: Call, reportingTo chain: MiddlewareChain
  ) -> Outcome {
    let envelope = envelope(reference, call)
    var rejection: Rejection?
    if chain.looksAhead {
      turn.value.isLookingAhead = true
      defer { turn.value.isLookingAhead = false }
      do {
        try chain.willDispatch(envelope, published.value)
      } catch {
        rejection = error
        rollBack()
      }
    }
    if rejection == nil { rejection = transactOrRollBack(reference, call) }
    let observers = commit()
    let outcome = outcome(rejection)
    chain.didDispatch(consume envelope, outcome, ChangedStores(turn, published))
    end(observers, reference)
    return outcome
  }

  /// Runs an action through its stores; returns the rejection, after which nothing is left of the step.
  @inline(__always)
  private func transactOrRollBack(_ reference: ActionReference, _ call: Call) -> Rejection? {
    do {
      try transact(reference, call)
      return nil
    } catch {
      rollBack()
      return error
    }
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

  @inline(__always)
  private func envelope(_ reference: ActionReference, _ call: borrowing Call) -> Envelope {
    // The target and the source are read so that the call is not copied.
    var target: StoreID?
    if let id = call.target { target = id }
    return Envelope(
      step: turn.value.stepNumber, time: now(), action: reference.action, target: target,
      cause: call.origin?.cause, effect: call.origin?.effect?.name,
      isFromObserver: call.origin?.isFromObserver ?? false,
      source: CallSite(file: call.file, line: call.line))
  }

  /// Drops the middleware that was removed; returns the others.
  private func withoutCancelled(_ chain: MiddlewareChain) -> MiddlewareChain? {
    let rest = chain.withoutCancelled
    // Released after the exchange, because a middleware may have a deinitializer that dispatches.
    withExtendedLifetime(middleware.exchange(rest)) {}
    return rest
  }

  /// Commits all proposals at once: from here on, every thread sees them.
  ///
  /// Until the step ends, `touched` lists the changed stores in the order of the dispatcher. Their old states
  /// take the place of the proposals. They are not released under the lock, because a state's content may
  /// have a deinitializer that dispatches.
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
    if let rejection { return Outcome(turn.value.stepNumber, .rejected, rejection: rejection) }
    let result: Outcome.Result = turn.value.touched.isEmpty ? .unchanged : .changed
    var outcome: Outcome
    if turn.value.followUps.isEmpty, turn.value.effectCommands.isEmpty, turn.value.secrets == nil {
      outcome = Outcome(turn.value.stepNumber, result)
    } else {
      outcome = Outcome(
        turn.value.stepNumber, result, rejection: nil,
        followUps: turn.value.followUps.map(\.followUp),
        requestedEffects: turn.value.effectCommands.map { $0.request(layout.ids) },
        secrets: turn.value.secrets?.drawn ?? [])
    }
    outcome.usesRandomNumbers = turn.value.random != nil
    return outcome
  }

  func notify(_ observers: [RegisteredObserver], _ reference: ActionReference?) {
    for registered in observers {
      registered.observer.stepCommitted(StepEvent(registered.slot, reference, turn, published))
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

  /// Calls the observers, queues the follow-ups, and starts the effects that the mode of the dispatcher allows.
  @inline(__always)
  private func end(_ observers: [RegisteredObserver], _ reference: ActionReference) {
    attachNewMiddleware()
    if !turn.value.touched.isEmpty {
      notify(observers, reference)
      if effects.hasEffectsOfElements { cancelEffectsOfMissingElements() }
      releaseOldStates()
    }
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
    guard runsEffects, !commands.isEmpty else { return }
    let host = EffectHost(
      dispatch: { [self] action, slot, call in dispatch(action, fromEffectOf: slot, call) },
      model: { [self] in publishedModel })
    effects.run(commands, cause: turn.value.stepNumber, activity: turn.value.activity, host: host)
  }

  /// `true` if a command starts an effect of an element that has left its list in the same step.
  private func isOfMissingElement(_ command: EffectCommand) -> Bool {
    guard case .start(let request) = command, let isPresent = request.isPresent else {
      return false
    }
    return !isPresent(published.value.snapshots[request.key.slot].value)
  }
}

import Foundation

// One action as a transaction over the stores that handle it: what reducers can reach of the engine.

extension Engine {
  /// Runs an action, or the actions of a batch, through the stores that handle it; commits nothing yet.
  func transact(_ reference: ActionReference, _ call: Call) throws(Rejection) {
    turn.value.target = nil
    if let slot = call.slot {
      turn.value.target = slot
    } else if let id = call.target {
      turn.value.target = try slot(withID: id)
    }
    guard reference.actionType == Batch.self else { return try run(reference) }
    try run(reference.load(as: Batch.self))
  }

  /// The target of an action that the store at `slot` dispatches without naming one.
  ///
  /// An own action goes back to the same store if other stores have the same type of own actions: an effect
  /// of one instance must not change another one.
  func target(of action: any Action.Type, from slot: Int) -> StoreID? {
    slots[slot].sharesOwnAction && slots[slot].ownAction == action ? slots[slot].id : nil
  }

  private func slot(withID id: StoreID) throws(Rejection) -> Int {
    guard let index = layout.indices[id] else {
      throw Rejection(
        reason: .unknownStore, store: id,
        message: "there is no such store; the stores are \(layout.ids.names)"
      )
    }
    return index
  }

  private func run(_ batch: Batch) throws(Rejection) {
    for action in batch.actions {
      if let inner = action as? Batch {
        try run(inner)
      } else {
        try runOpened(action)
      }
    }
  }

  private func runOpened(_ action: some Action) throws(Rejection) {
    try ActionReference.withReference(to: action) { (reference) throws(Rejection) in
      try run(reference)
    }
  }

  private func run(_ reference: ActionReference) throws(Rejection) {
    let isHandled = try routes.withRoute(of: ObjectIdentifier(reference.actionType)) {
      (route) throws(Rejection) in
      if let target = turn.value.target, !route.includes(target) {
        throw Rejection(
          reason: .unhandled, store: layout.ids[target],
          message: "the store does not handle \(describe(reference.action))")
      }
      turn.value.begin(reference)
      defer { turn.value.reference = nil }
      try route.run(reference, self)
      if let failedRead = turn.value.failedRead { throw failedRead }
    }
    guard isHandled else {
      throw Rejection(reason: .unhandled, message: "no store handles \(describe(reference.action))")
    }
  }

  /// `true` if the current action is meant for a store's own reducer.
  func isAddressed(_ slot: Int) -> Bool {
    guard let target = turn.value.target else { return true }
    return target == slots[slot].addressee
  }

  /// The state that the store's next reducer in this step starts from.
  @inlinable
  func latestState<State: Codable & Equatable & Sendable>(
    of slot: Int, as type: State.Type
  ) -> State {
    if let proposal = turn.value.progress[slot].proposal { return proposal.state(as: type) }
    return published.value.snapshots[slot].state(as: type)
  }

  @usableFromInline
  func propose(_ snapshot: consuming StateSnapshot, for slot: Int) {
    let replaced = turn.value.propose(snapshot, for: slot)
    withExtendedLifetime(replaced) {}
  }

  @usableFromInline
  func rejection(
    _ error: any Error, in slot: Int, action: any Action
  ) -> Rejection {
    let snapshot = turn.value.progress[slot].proposal ?? published.value.snapshots[slot]
    return Rejection(error, store: layout.ids[slot], state: snapshot.value, action: action)
  }

  // MARK: Reading other stores

  /// Runs the current action through a store before its place in the order, because another store reads it.
  func runEarly(_ slot: Int, for reader: Int) throws(Rejection) {
    guard slot >= turn.value.handlingSlot, !turn.value.hasHandledEarly(slot),
      let reference = turn.value.reference
    else { return }
    if turn.value.isHandling(slot) { throw circle(slot, reader) }
    turn.value.beginEarly(slot)
    _ = try routes.withRoute(of: ObjectIdentifier(reference.actionType)) {
      (route) throws(Rejection) in
      try route.run(reference, onlyIn: slot, self)
    }
    turn.value.endEarly(slot)
  }

  /// Keeps the rejection of a failed read, so that a reducer cannot commit the step by catching it.
  func keepingFailedRead<Result>(
    _ read: () throws(Rejection) -> Result
  ) throws(Rejection) -> Result {
    do {
      return try read()
    } catch {
      turn.value.failedRead = turn.value.failedRead ?? error
      throw error
    }
  }

  private func circle(_ slot: Int, _ reader: Int) -> Rejection {
    let (read, reading) = (layout.ids[slot], layout.ids[reader])
    return Rejection(
      reason: .circularRead, store: reading,
      message: slot == reader
        ? "\(reading) reads itself; use the state that was passed to the reducer"
        : """
        \(reading) reads \(read), which waits for \(reading) in the same step; \
        remove one of the two reads
        """)
  }

  // MARK: Ending a step

  /// Discards the proposals and requests of the step.
  func rollBack() {
    // Moved out before they are released, because a deinitializer may dispatch.
    var discarded: [StateSnapshot?] = []
    for slot in turn.value.touched { discarded.append(turn.value.progress[slot].proposal.take()) }
    let followUps = turn.value.followUps
    let effectCommands = turn.value.effectCommands
    turn.value.touched.removeAll(keepingCapacity: true)
    turn.value.followUps = []
    turn.value.effectCommands = []
    turn.value.failedRead = nil
    withExtendedLifetime((discarded, followUps, effectCommands)) {}
  }

  /// Discards the proposals of stores whose several proposals in this step lead back to the old state.
  func dropRevertedProposals() {
    var changed: [Int] = []
    for slot in turn.value.touched.sorted() {
      let progress = turn.value.progress[slot]
      if progress.isReproposed, let proposal = progress.proposal,
        slots[slot].areEqual(proposal, published.value.snapshots[slot])
      {
        turn.value.progress[slot].proposal = nil
      } else {
        changed.append(slot)
      }
    }
    turn.value.touched = changed
  }

  /// Releases the old states one by one; a deinitializer may dispatch, and that belongs to this step.
  func releaseOldStates() {
    while let slot = turn.value.touched.popLast() {
      let old = turn.value.progress[slot].proposal.take()
      withExtendedLifetime(old) {}
    }
  }

  // MARK: Time and randomness

  /// The time of the current step; the first call reads the clock.
  func now() -> Date {
    if let time = turn.value.time { return time }
    let time = laterOfLast(clock())
    turn.value.time = time
    return time
  }

  /// Quantises a time to the microseconds that a log can store; returns the last time if that is later.
  func laterOfLast(_ time: Date) -> Date {
    if let time = quantised(time) { turn.value.lastTime = max(turn.value.lastTime, time) }
    return turn.value.lastTime
  }

  /// Rounds a time to whole microseconds; returns nil if the time is not finite.
  func quantised(_ time: Date) -> Date? {
    let microseconds = (time.timeIntervalSinceReferenceDate * 1e6).rounded()
    guard microseconds.isFinite else { return nil }
    return Date(timeIntervalSinceReferenceDate: microseconds / 1e6)
  }

  var random: SplitMix64 {
    get {
      let number = turn.value.stepNumber
      return turn.value.random
        ?? SplitMix64(seed: seed, step: turn.value.randomStep?(number) ?? number)
    }
    set { turn.value.random = newValue }
  }
}

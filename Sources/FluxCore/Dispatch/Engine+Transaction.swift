extension Engine {
  /// Lets the stores take an action, or the actions of a batch; nothing is committed yet.
  func transact(_ reference: ActionReference, _ call: Call) throws(Rejection) {
    turn.value.target = nil
    if let slot = call.slot {
      turn.value.target = slot
    } else if let id = call.target {
      turn.value.target = try slot(called: id)
    }
    guard reference.actionType == Batch.self else { return try take(reference) }
    try take(reference.load(as: Batch.self))
  }

  /// The store that an action is for which a store itself dispatches to nobody in particular.
  ///
  /// An own action goes back to the store that asked, where others take it as their own too: the effect of
  /// one instance must not change another one.
  func target(of action: any Action.Type, from slot: Int) -> StoreID? {
    slots[slot].sharesOwnAction && slots[slot].ownAction == action ? slots[slot].id : nil
  }

  private func slot(called id: StoreID) throws(Rejection) -> Int {
    guard let index = layout.indices[id] else {
      let names = layout.ids.map(\.rawValue).joined(separator: ", ")
      throw Rejection(
        reason: .unknownStore, store: id, message: "there is no such store; the stores are \(names)"
      )
    }
    return index
  }

  private func take(_ batch: Batch) throws(Rejection) {
    for action in batch.actions {
      if let inner = action as? Batch {
        try take(inner)
      } else {
        try takeOpened(action)
      }
    }
  }

  private func takeOpened(_ action: some Action) throws(Rejection) {
    try ActionReference.withReference(to: action) { (reference) throws(Rejection) in
      try take(reference)
    }
  }

  /// Lets every store that takes an action have it.
  private func take(_ reference: ActionReference) throws(Rejection) {
    let rejection = routes.withRoute(of: ObjectIdentifier(reference.actionType)) { route in
      self.rejection(of: reference, by: route)
    }
    guard let rejection else {
      throw Rejection(reason: .unhandled, message: "no store takes \(describe(reference.action))")
    }
    if let rejection { throw rejection }
  }

  /// Runs an action through its route; returns why that failed, because who lends a route hands on no errors.
  @inline(__always)
  private func rejection(of reference: ActionReference, by route: Route) -> Rejection? {
    if let target = turn.value.target, !route.includes(target) {
      return Rejection(
        reason: .unhandled, store: layout.ids[target],
        message: "the store does not take \(describe(reference.action))")
    }
    turn.value.begin(reference)
    defer { turn.value.reference = nil }
    do {
      try route.run(reference, self)
    } catch {
      return error
    }
    return turn.value.failedRead
  }

  /// Whether an action that is under way is for a store's own reducer.
  func isAddressed(_ slot: Int) -> Bool {
    guard let target = turn.value.target else { return true }
    return target == slots[slot].addressee
  }

  /// The state that the next reducer of this step starts from.
  @inlinable
  func latestState<State: Codable & Equatable & Sendable>(
    of slot: Int, as type: State.Type
  ) -> State {
    if let proposal = turn.value.progress[slot].proposal { return proposal.state(as: type) }
    return published.value.snapshots[slot].state(as: type)
  }

  /// Takes note of a state that a reducer has come to.
  @usableFromInline
  func propose(_ snapshot: consuming StateSnapshot, for slot: Int) {
    let replaced = turn.value.propose(snapshot, for: slot)
    withExtendedLifetime(replaced) {}
  }

  /// Makes a rejection of what a reducer threw.
  @usableFromInline
  func rejection(
    _ error: any Error, in slot: Int, action: any Action
  ) -> Rejection {
    let snapshot = turn.value.progress[slot].proposal ?? published.value.snapshots[slot]
    return Rejection(error, store: layout.ids[slot], state: snapshot.value, action: action)
  }

  /// Sees to it that a store has taken the present action, because another one reads it.
  func settle(_ slot: Int, for reader: Int) throws(Rejection) {
    guard slot >= turn.value.takingSlot, !turn.value.hasTakenEarly(slot),
      let reference = turn.value.reference
    else { return }
    if turn.value.isTaking(slot) { throw circle(slot, reader) }
    turn.value.beginEarly(slot)
    let rejection = routes.withRoute(of: ObjectIdentifier(reference.actionType)) { route in
      route.rejection(of: reference, onlyIn: slot, self)
    }
    if let rejection = rejection ?? nil { throw rejection }
    turn.value.endEarly(slot)
  }

  /// Remembers why a read failed, so that no reducer can make the step commit by catching it.
  func noting<Result>(_ read: () throws(Rejection) -> Result) throws(Rejection) -> Result {
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
        ? "\(reading) reads itself; its state is the one it was given"
        : """
        \(reading) reads \(read), which waits for \(reading) in the same step; \
        one of them must do without the other's new state
        """)
  }

  /// Forgets everything that the step has come to.
  func rollBack() {
    // Taken out first: what is let go may have a deinitialiser that dispatches.
    var forgotten: [StateSnapshot?] = []
    for slot in turn.value.touched { forgotten.append(turn.value.progress[slot].proposal.take()) }
    let followUps = turn.value.followUps
    let effectCommands = turn.value.effectCommands
    turn.value.touched.removeAll(keepingCapacity: true)
    turn.value.followUps = []
    turn.value.effectCommands = []
    turn.value.failedRead = nil
    withExtendedLifetime((forgotten, followUps, effectCommands)) {}
  }

  /// Makes all proposals the states that everybody sees, at one stroke.
  ///
  /// From here to the end of the step, `touched` lists the stores that changed, in the order of the
  /// dispatcher, and their old states stand where the proposals stood: they are not let go under the
  /// lock, because what a state holds may have a deinitialiser that dispatches.
  ///
  /// - Returns: Who is to be told.
  func commit() -> ObserverPass {
    guard !turn.value.touched.isEmpty else { return ObserverPass() }
    guard let slot = turn.value.onlyTouched else { return commitMany() }
    lock.lock()
    turn.value.exchange(slot, with: &published.value)
    let pass =
      observers.value[slot].isEmpty ? ObserverPass() : ObserverPass(observers.value[slot])
    lock.unlock()
    return pass
  }

  private func commitMany() -> ObserverPass {
    dropRevertedProposals()
    lock.lock()
    defer { lock.unlock() }
    for slot in turn.value.touched { turn.value.exchange(slot, with: &published.value) }
    return ObserverPass(of: turn.value.touched, observers.value)
  }

  /// Leaves out the stores whose several proposals in this step have led back to where they were.
  private func dropRevertedProposals() {
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
}

/// Who is to be told of a step, in the order of registration.
struct ObserverPass {
  private(set) var observers: [Observer] = []
  /// The store that each observer observes; empty where all observe the first that changed.
  private var slots: [Int] = []

  init() {}

  /// One store's observers.
  init(_ observers: [Observer]) {
    self.observers = observers
  }

  init(of changed: [Int], _ observers: [[Observer]]) {
    guard changed.count > 1 else {
      if let slot = changed.first { self.observers = observers[slot] }
      return
    }
    let pass = changed.flatMap { slot in observers[slot].map { (observer: $0, slot: slot) } }
      .sorted { $0.observer.order < $1.observer.order }
    self.observers = pass.map(\.observer)
    slots = pass.map(\.slot)
  }

  func slot(at index: Int, of changed: [Int]) -> Int {
    slots.isEmpty ? changed[0] : slots[index]
  }
}

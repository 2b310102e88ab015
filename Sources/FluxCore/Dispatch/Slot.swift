/// What a dispatcher knows of one of its stores for good.
struct Slot {
  let id: StoreID
  let storeType: any Store.Type
  /// The store whose identifier addresses this one too: itself, or the one that it comes with.
  let addressee: Int
  /// The type of the store's own actions.
  let ownAction: any Action.Type
  /// Whether other stores of the dispatcher have actions of that type as their own, too.
  var sharesOwnAction = false
  let areEqual: @Sendable (StateSnapshot, StateSnapshot) -> Bool

  var isFeature: Bool { storeType is any Feature.Type }

  /// The name of a feature's own type, or of a store's state; of a state that is called just that, as many
  /// are, with the store's in front of it.
  var typeName: String {
    func stateType<S: Store>(_ type: S.Type) -> Any.Type { S.State.self }
    let name = String(describing: isFeature ? storeType : stateType(storeType))
    return name == "State" ? "\(storeType).State" : name
  }
}

/// What a store has come to in the present step.
@usableFromInline
struct SlotProgress {
  /// The state that its reducers have come to so far; nil where they have not changed it.
  @usableFromInline var proposal: StateSnapshot?
  /// Whether there was more than one proposal, which together may come to no change.
  var isReproposed = false
  /// The transaction in which the store began to take its action before its turn, because another one read
  /// it, and the one in which it has done so; a circle shows as a read of one that has only begun.
  var beganEarlyIn: UInt64 = 0
  var takenEarlyIn: UInt64 = 0

  /// Takes a proposal; returns the one before it.
  mutating func propose(_ snapshot: consuming StateSnapshot) -> StateSnapshot? {
    let replaced = proposal.take()
    isReproposed = replaced != nil
    proposal = snapshot
    return replaced
  }

  mutating func exchange(with committed: inout StateSnapshot) {
    guard var state = proposal.take() else { return }
    swap(&committed, &state)
    proposal = state
  }
}

/// Collects the stores of a dispatcher while it is made: a slot for each, and who takes which action.
///
/// It is public only because a requirement of `Store` names it.
public final class StoreInstaller {
  private(set) var slots: [Slot] = []
  private(set) var actionTypes: [String: any Action.Type] = [Batch.kind: Batch.self]
  /// For each type of action, the stores that take it, in order.
  private var takers: [ObjectIdentifier: [Taker]] = [:]
  private(set) var initialStates: [StateSnapshot] = []

  /// The store whose companions are being added.
  private var companionsOf: Int?

  init(_ stores: [any Store]) {
    for store in stores {
      let index = slots.count
      store._install(in: self)
      companionsOf = index
      for companion in store._companions { companion._install(in: self) }
      companionsOf = nil
    }
    let owners = Dictionary(grouping: slots.indices) { ObjectIdentifier(slots[$0].ownAction) }
    for sharers in owners.values where sharers.count > 1 {
      for index in sharers { slots[index].sharesOwnAction = true }
    }
  }

  var routes: [ObjectIdentifier: Route] {
    takers.mapValues { Route($0[0], Array($0.dropFirst())) }
  }

  /// Adds a store: its slot, its reducer, then its reactions.
  @inlinable
  func install<S: Store>(_ store: S) {
    let slot = addSlot(
      store.id, S.self, S.OwnAction.self, TypedSnapshot(store.initialState)
    ) { left, right in
      left.state(as: S.State.self) == right.state(as: S.State.self)
    }
    if S.OwnAction.self != Never.self {
      let body = Taker.body { (state: inout S.State, action: S.OwnAction, step: inout Step) in
        try store.reduce(&state, action, &step)
      }
      add(S.OwnAction.self, to: slot, body, isReducer: true)
    }
    for reaction in store._ownReactions {
      add(reaction.actionType, to: slot, reaction.body, isReducer: true)
    }
    for reaction in store.reactions {
      add(reaction.actionType, to: slot, reaction.body, isReducer: false)
    }
  }

  /// Makes the place of a store and returns its index.
  @usableFromInline
  func addSlot(
    _ id: StoreID, _ type: any Store.Type, _ ownAction: any Action.Type, _ initial: StateSnapshot,
    areEqual: @escaping @Sendable (StateSnapshot, StateSnapshot) -> Bool
  ) -> Int {
    if let other = slots.first(where: { $0.id == id }) {
      fatalError(
        """
        Two stores are called "\(id)": a \(other.storeType) and a \(type). \
        Give one of them an id of its own.
        """)
    }
    slots.append(
      Slot(
        id: id, storeType: type, addressee: companionsOf ?? slots.count,
        ownAction: ownAction, areEqual: areEqual))
    initialStates.append(initial)
    return slots.count - 1
  }

  /// Notes that a store takes the actions of a type.
  @usableFromInline
  func add(
    _ type: any Action.Type, to slot: Int, _ body: @escaping Taker.Body, isReducer: Bool
  ) {
    if type == Batch.self {
      fatalError(
        """
        The store "\(slots[slot].id)" takes Batch, but a batch is taken apart before stores see it. \
        React to the actions in it.
        """)
    }
    if let other = actionTypes.updateValue(type, forKey: type.kind), other != type {
      fatalError(
        """
        Two types of actions are of the kind "\(type.kind)": \(other) and \(type). \
        Declare `static var kind` in one of them.
        """)
    }
    let taker = Taker(slot: slot, isReducer: isReducer, body: body)
    var route = takers[ObjectIdentifier(type)] ?? []
    if let last = route.last, last.slot == slot {
      route[route.count - 1] = last.then(taker)
    } else {
      route.append(taker)
    }
    takers[ObjectIdentifier(type)] = route
  }
}

/// Collects the stores of a new dispatcher: a slot for each store, and the handlers of each action type.
@usableFromInline
final class StoreInstaller {
  private(set) var slots: [Slot] = []
  private(set) var actionTypes: [String: any Action.Type] = [Batch.kind: Batch.self]
  private(set) var initialStates: [StateSnapshot] = []
  /// The handlers of each action type, in the order of the stores.
  private var handlers: [ObjectIdentifier: [Handler]] = [:]
  private var companionOwner: Int?

  init(_ stores: [any Store]) {
    for store in stores {
      let index = slots.count
      store._install(in: self)
      guard let store = store as? any QueryStore else { continue }
      companionOwner = index
      installCompanion(of: store)
      companionOwner = nil
    }
    let owners = Dictionary(grouping: slots.indices) { ObjectIdentifier(slots[$0].ownAction) }
    for sharers in owners.values where sharers.count > 1 {
      for index in sharers { slots[index].sharesOwnAction = true }
    }
  }

  var routes: [ObjectIdentifier: Route] {
    handlers.mapValues { Route($0[0], Array($0.dropFirst())) }
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
      let body = Handler.body { (state: inout S.State, action: S.OwnAction, step: inout Step) in
        try store.reduce(&state, action, &step)
      }
      add(S.OwnAction.self, to: slot, body, isReducer: true)
    }
    addQueryHandler(of: store, to: slot)
    for reaction in store.reactions {
      add(reaction.actionType, to: slot, reaction.body, isReducer: false)
    }
  }

  /// Adds the handler of opened and closed queries if the store is a query store.
  @usableFromInline
  func addQueryHandler(of store: any Store, to slot: Int) {
    func add<S: QueryStore>(_ store: S) {
      let body = Handler.body { (state: inout S.State, action: QueryAction<S>, step: inout Step) in
        try store.reduceQueries(&state, action, &step)
      }
      self.add(QueryAction<S>.self, to: slot, body, isReducer: true)
    }
    if let store = store as? any QueryStore { add(store) }
  }

  private func installCompanion<S: QueryStore>(of store: S) {
    OpenQueries(of: store)._install(in: self)
  }

  @usableFromInline
  func addSlot(
    _ id: StoreID, _ type: any Store.Type, _ ownAction: any Action.Type, _ initial: StateSnapshot,
    areEqual: @escaping @Sendable (StateSnapshot, StateSnapshot) -> Bool
  ) -> Int {
    if let other = slots.first(where: { $0.id == id }) {
      fatalError(
        """
        Two stores have the id "\(id)": a \(other.storeType) and a \(type). \
        Give one of them a different id.
        """)
    }
    slots.append(
      Slot(
        id: id, storeType: type, addressee: companionOwner ?? slots.count,
        ownAction: ownAction, areEqual: areEqual))
    initialStates.append(initial)
    return slots.count - 1
  }

  @usableFromInline
  func add(
    _ type: any Action.Type, to slot: Int, _ body: @escaping Handler.Body, isReducer: Bool
  ) {
    if type == Batch.self {
      fatalError(
        """
        The store "\(slots[slot].id)" reacts to Batch, but stores never see a batch itself. \
        React to the actions in it.
        """)
    }
    if let other = actionTypes.updateValue(type, forKey: type.kind), other != type {
      fatalError(
        """
        Two action types have the kind "\(type.kind)": \(String(reflecting: other)) and \(String(reflecting: type)). \
        Declare `static var kind` in one of them.
        """)
    }
    handlers[ObjectIdentifier(type), default: []].append(
      Handler(slot: slot, isReducer: isReducer, body: body))
  }
}

/// The constant properties of a store in its dispatcher.
struct Slot {
  let id: StoreID
  let storeType: any Store.Type
  /// The store whose identifier also addresses this one: itself, or the store whose companion it is.
  let addressee: Int
  let ownAction: any Action.Type
  var sharesOwnAction = false
  let areEqual: @Sendable (StateSnapshot, StateSnapshot) -> Bool

  var isFeature: Bool { storeType is any Feature.Type }

  /// The name of a feature's type, or of a store's state type.
  ///
  /// If a state type is simply called `State`, the store type's name precedes it.
  var typeName: String {
    func stateType<S: Store>(_ type: S.Type) -> Any.Type { S.State.self }
    let name = String(describing: isFeature ? storeType : stateType(storeType))
    return name == "State" ? "\(storeType).State" : name
  }
}

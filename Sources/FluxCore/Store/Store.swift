/// A state and the rules by which actions change it.
///
/// A store is a value: what it needs of the world it gets as `let`s, and uses only inside effects. Which
/// actions it takes is declared by the types of ``reduce(_:_:_:)`` and ``reactions``, so that a log can be
/// decoded by the same stores that handle it.
/// ```swift
/// struct CounterStore: Store {
///   let initialState = 0
///   func reduce(_ count: inout Int, _ action: CounterAction, _ step: inout Step) {
///     switch action {
///     case .increase: count += 1
///     case .add(let amount): count += amount
///     }
///   }
/// }
/// ```
public protocol Store<State>: Sendable {
  /// What the store holds: a value all through, as ``StateValue`` says, whether it conforms to that or not.
  associatedtype State: Codable & Equatable & Sendable
  /// The actions that are this store's own; inferred from ``reduce(_:_:_:)``.
  associatedtype OwnAction: Action

  /// The store's name in its dispatcher and in a log; by default the type's, `TodoStore` being `todo`.
  ///
  /// Two instances of one type in a dispatcher need two identifiers.
  var id: StoreID { get }

  /// The state before the first step.
  var initialState: State { get }

  /// Changes the state as an action asks, or throws and thereby rejects the whole step.
  ///
  /// It must depend on nothing but its arguments and the store's constants: time, randomness and other
  /// stores' states come from the step, so that the same action can be run again later.
  ///
  /// - Parameters:
  ///   - state: The state to change in place.
  ///   - action: The action.
  ///   - step: Time, randomness, other stores, follow-ups and effects.
  /// - Throws: A ``Rejection``, or any error, which counts as one.
  func reduce(_ state: inout State, _ action: OwnAction, _ step: inout Step) throws

  /// What the store does at actions that are not its own; none by default.
  var reactions: [Reaction<State>] { get }

  /// Puts the store into a dispatcher; not for calling or implementing.
  ///
  /// It is a requirement so that each store's own module compiles it, specialised for that store.
  func _install(in installer: StoreInstaller)

  /// Reactions that an action addressed to another instance passes by; not for calling or implementing.
  var _ownReactions: [Reaction<State>] { get }

  /// The stores that come with this one; not for calling or implementing.
  var _companions: [any Store] { get }
}

extension Store {
  /// The type's name without `Store`, as in `todo` for `TodoStore`.
  public var id: StoreID { StoreID(typeName(of: Self.self, droppingSuffix: "Store")) }

  /// None.
  public var reactions: [Reaction<State>] { [] }

  /// Puts the store into a dispatcher; not for calling.
  @inlinable
  public func _install(in installer: StoreInstaller) {
    installer.install(self)
  }

  /// None.
  public var _ownReactions: [Reaction<State>] { [] }

  /// None.
  public var _companions: [any Store] { [] }
}

/// A store without actions of its own: its state follows from other stores' actions alone.
public protocol Projection<State>: Store where OwnAction == Never {}

extension Projection {
  /// Never called: there is no such action.
  @inlinable
  public func reduce(_ state: inout State, _ action: Never, _ step: inout Step) {}
}

/// A state and the rules by which actions change it.
///
/// A store is a value. The services it needs are `let`s, and only its effects use them. The signatures of
/// ``reduce(_:_:_:)`` and ``reactions`` declare which actions the store handles, so the stores that handle a
/// log's actions can also decode them.
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
  /// The state of the store: a value as described in ``StateValue``, even if it does not conform to that.
  associatedtype State: Codable & Equatable & Sendable
  /// The store's own actions, inferred from ``reduce(_:_:_:)``.
  associatedtype OwnAction: Action

  /// The store's name in its dispatcher and in logs.
  ///
  /// The default is derived from the type's name: `TodoStore` is `todo`. Two instances of one type in a
  /// dispatcher need different identifiers.
  var id: StoreID { get }

  /// The state before the first step.
  var initialState: State { get }

  /// Changes the state as the action requires, or throws to reject the whole step.
  ///
  /// The result must depend only on the arguments and the store's constants. Time, randomness and the states
  /// of other stores come from the step, so the same action can be replayed later.
  ///
  /// - Parameters:
  ///   - state: The state to change in place.
  ///   - action: The action.
  ///   - step: Gives time, randomness, other stores' states, follow-ups and effects.
  /// - Throws: A ``Rejection``, or any other error, which becomes one.
  func reduce(_ state: inout State, _ action: OwnAction, _ step: inout Step) throws

  /// The store's reactions to actions that are not its own; empty by default.
  var reactions: [Reaction<State>] { get }

  /// Adds the store to a dispatcher; do not call or implement it.
  ///
  /// It is a requirement so that each store's own module compiles it, specialised for that store. A
  /// requirement behind an SPI is no alternative: stores outside this package could not conform. The
  /// installer has no type here, so that its type need not be public.
  func _install(in installer: AnyObject)
}

extension Store {
  /// The type's name without `Store`, for example `todo` for `TodoStore`.
  public var id: StoreID { StoreID(typeName(of: Self.self, droppingSuffix: "Store")) }

  /// No reactions.
  public var reactions: [Reaction<State>] { [] }

  /// Adds the store to a dispatcher; do not call it.
  @inlinable
  public func _install(in installer: AnyObject) {
    guard let installer = installer as? StoreInstaller else {
      preconditionFailure("Only a dispatcher installs stores")
    }
    installer.install(self)
  }
}

/// A store without own actions: its state follows from other stores' actions.
public protocol Projection<State>: Store where OwnAction == Never {}

extension Projection {
  /// Never called, because no such action exists.
  @inlinable
  public func reduce(_ state: inout State, _ action: Never, _ step: inout Step) {}
}

/// A state machine that is either absent or present in one of its phases.
///
/// A feature is a store whose state is optional. Its transition table is one `switch` over phase and action.
/// It rejects everything else with `throw Rejection.impossible`:
/// ```swift
/// switch (search, action) {
/// case (nil, .setup): search = .preparing
/// case (.preparing, .begin(let keyword)): search = .inProgress(keyword: keyword)
/// default: throw Rejection.impossible
/// }
/// ```
public protocol Feature<Phase>: Store where State == Phase? {
  /// The phases of the state machine, usually an enum.
  associatedtype Phase: Codable & Equatable & Sendable
}

extension Feature {
  /// Nil: the feature is absent.
  public var initialState: Phase? { nil }
}

/// A store's rule for actions that are not its own.
public struct Reaction<State: Codable & Equatable & Sendable>: Sendable {
  @usableFromInline let actionType: any Action.Type
  @usableFromInline let body: Handler.Body

  @inlinable
  init(actionType: any Action.Type, body: @escaping Handler.Body) {
    self.actionType = actionType
    self.body = body
  }

  /// Creates a reaction to all actions of a type.
  ///
  /// - Parameters:
  ///   - type: The type of the actions.
  ///   - handler: Changes the state; the rules of ``Store/reduce(_:_:_:)`` apply.
  /// - Returns: A reaction for ``Store/reactions``.
  @inlinable
  public static func on<A: Action>(
    _ type: A.Type, _ handler: @escaping @Sendable (inout State, A, inout Step) throws -> Void
  ) -> Self {
    Reaction(actionType: type, body: Handler.body(handler))
  }
}

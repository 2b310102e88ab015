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

/// One store's code for actions of one type: its reducer, its reactions, or both.
@usableFromInline
struct Handler: Sendable {
  @usableFromInline
  typealias Body = @Sendable (ActionReference, _ slot: Int, Kernel) throws(Rejection) -> Void

  /// The index of the store.
  let slot: Int
  private let body: Body
  /// `true` for the store's reducer alone, which skips actions that were sent to another instance.
  private let isReducer: Bool

  init(slot: Int, isReducer: Bool, body: @escaping Body) {
    self.slot = slot
    self.isReducer = isReducer
    self.body = body
  }

  /// A handler that runs this one and then another one of the same store.
  func then(_ next: Handler) -> Handler {
    let first = body
    let isReducer = isReducer
    return Handler(slot: slot, isReducer: isReducer && next.isReducer) {
      (reference: ActionReference, slot: Int, kernel: Kernel) throws(Rejection) -> Void in
      if !isReducer || kernel.isAddressed(slot) { try first(reference, slot, kernel) }
      if !next.isReducer || kernel.isAddressed(slot) { try next.body(reference, slot, kernel) }
    }
  }

  /// Runs an action through the store.
  @inline(__always)
  func run(_ reference: ActionReference, _ kernel: Kernel) throws(Rejection) {
    if !isReducer || kernel.isAddressed(slot) { try body(reference, slot, kernel) }
  }
}

extension Handler {
  /// Makes the body of a handler: it runs the reducer on a copy of the state and proposes the result if it
  /// differs.
  ///
  /// The body is a closure because the compiler specialises closures for the types at hand. The methods of a
  /// generic class run unspecialised, which tripled the cost of a dispatch.
  @inlinable
  static func body<State: Codable & Equatable & Sendable, A: Action>(
    _ reduce: @escaping @Sendable (inout State, A, inout Step) throws -> Void
  ) -> Body {
    { (reference, slot, kernel) throws(Rejection) in
      var state = kernel.latestState(of: slot, as: State.self)
      let action = reference.load(as: A.self)
      var step = Step(kernel: kernel, slot: slot)
      do {
        try reduce(&state, action, &step)
      } catch {
        throw kernel.rejection(error, in: slot, action: action)
      }
      guard state != kernel.latestState(of: slot, as: State.self) else { return }
      kernel.propose(TypedSnapshot(consume state), for: slot)
    }
  }
}

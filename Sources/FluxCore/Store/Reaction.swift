/// What a store does when an action arrives that is not its own.
public struct Reaction<State: Codable & Equatable & Sendable>: Sendable {
  @usableFromInline let actionType: any Action.Type
  @usableFromInline let body: Taker.Body

  @inlinable
  init(actionType: any Action.Type, body: @escaping Taker.Body) {
    self.actionType = actionType
    self.body = body
  }

  /// Creates a reaction to all actions of a type.
  ///
  /// - Parameters:
  ///   - type: The type of the actions.
  ///   - handler: Changes the state, under the rules of ``Store/reduce(_:_:_:)``.
  /// - Returns: The reaction, for ``Store/reactions``.
  @inlinable
  public static func on<A: Action>(
    _ type: A.Type, _ handler: @escaping @Sendable (inout State, A, inout Step) throws -> Void
  ) -> Self {
    Reaction(actionType: type, body: Taker.body(handler))
  }
}

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

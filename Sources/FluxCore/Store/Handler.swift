/// One store's code for actions of one type: its reducer or a reaction.
@usableFromInline
struct Handler: Sendable {
  @usableFromInline
  typealias Body = @Sendable (ActionReference, _ slot: Int, Engine) throws(Rejection) -> Void

  let slot: Int
  /// `true` for the store's reducer, which skips actions that were sent to another instance.
  let isReducer: Bool
  let body: Body

  @inline(__always)
  func run(_ reference: ActionReference, _ engine: Engine) throws(Rejection) {
    if !isReducer || engine.isAddressed(slot) { try body(reference, slot, engine) }
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
    { (reference, slot, engine) throws(Rejection) in
      var state = engine.latestState(of: slot, as: State.self)
      let action = reference.load(as: A.self)
      var step = Step(engine: engine, slot: slot)
      do {
        try reduce(&state, action, &step)
      } catch {
        throw engine.rejection(error, in: slot, action: action)
      }
      guard state != engine.latestState(of: slot, as: State.self) else { return }
      engine.propose(TypedSnapshot(consume state), for: slot)
    }
  }
}

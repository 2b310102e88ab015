/// One store's way to take actions of one type: its reducer, or a reaction.
@usableFromInline
struct Taker: Sendable {
  @usableFromInline
  typealias Body = @Sendable (ActionReference, _ slot: Int, Engine) throws(Rejection) -> Void

  /// The index of the store.
  let slot: Int
  /// Whether it is the store's own reducer, which an action addressed to another instance passes by.
  let isReducer: Bool
  let body: Body

  @usableFromInline
  init(slot: Int, isReducer: Bool, body: @escaping Body) {
    self.slot = slot
    self.isReducer = isReducer
    self.body = body
  }
}

extension Taker {
  /// Makes the body of a taker: the reducer runs on a copy of the state, and what came out is proposed if
  /// it differs.
  ///
  /// It is a closure and not a method of a generic class because only a closure is compiled for the types
  /// at hand: the methods of generic classes run unspecialised, which tripled the cost of a dispatch.
  @inlinable
  static func body<State: Codable & Equatable & Sendable, A: Action>(
    _ reduce: @escaping @Sendable (inout State, A, inout Step) throws -> Void
  ) -> Body {
    { (reference, slot, engine) throws(Rejection) in
      let base = engine.latest(slot)
      var state = base.state(as: State.self)
      let action = reference.load(as: A.self)
      var step = Step(engine: engine, slot: slot)
      do {
        try reduce(&state, action, &step)
      } catch {
        throw engine.rejection(error, in: slot, state: base.value, action: action)
      }
      guard state != base.state(as: State.self) else { return }
      engine.propose(TypedSnapshot(state), for: slot)
    }
  }
}

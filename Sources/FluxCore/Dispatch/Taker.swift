/// One store's way to take actions of one type: by its reducer, by reactions, or by both.
@usableFromInline
struct Taker: Sendable {
  @usableFromInline
  typealias Body = @Sendable (ActionReference, _ slot: Int, Engine) throws(Rejection) -> Void

  /// The index of the store.
  let slot: Int
  private let body: Body
  /// Whether it is the store's own reducer alone, which an action addressed to another instance passes by.
  private let isReducer: Bool

  init(slot: Int, isReducer: Bool, body: @escaping Body) {
    self.slot = slot
    self.isReducer = isReducer
    self.body = body
  }

  /// The taker that does what this one does, and then what another one of the same store does.
  func then(_ next: Taker) -> Taker {
    let reducerOrReaction = body
    let isReducer = isReducer
    return Taker(slot: slot, isReducer: isReducer && next.isReducer) {
      (reference: ActionReference, slot: Int, engine: Engine) throws(Rejection) -> Void in
      if !isReducer || engine.isAddressed(slot) { try reducerOrReaction(reference, slot, engine) }
      if !next.isReducer || engine.isAddressed(slot) { try next.body(reference, slot, engine) }
    }
  }

  /// Lets the store take an action.
  @inline(__always)
  func take(_ reference: ActionReference, _ engine: Engine) throws(Rejection) {
    if !isReducer || engine.isAddressed(slot) { try body(reference, slot, engine) }
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
      var state = engine.latestState(of: slot, as: State.self)
      let action = reference.load(as: A.self)
      var step = Step(engine: engine, slot: slot)
      do {
        try reduce(&state, action, &step)
      } catch {
        throw engine.rejection(error, in: slot, action: action)
      }
      guard state != engine.latestState(of: slot, as: State.self) else { return }
      engine.propose(TypedSnapshot(state), for: slot)
    }
  }
}

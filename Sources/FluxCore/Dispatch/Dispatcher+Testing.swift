package import Foundation

// The parts of a dispatcher that tests of apps need, through FluxTesting.

extension Dispatcher {
  /// The effects that have not ended, cancelled ones included.
  package var runningEffects: [RunningEffect] { engine.effects.running(engine.layout.ids) }

  /// `true` if no thread has the turn and nothing is queued.
  package var isIdle: Bool { engine.turnstile.isIdle }

  /// The clock that delays effects.
  package var clock: any Clock<Duration> { engine.effects.clock }

  /// Adds a middleware; returns a closure that removes it.
  package func install(_ middleware: any Middleware) -> @Sendable () -> Void {
    let cancellation = engine.use(middleware)
    return { cancellation.cancel() }
  }
}

extension Model {
  /// The state of a store; setting it changes this copy of the model only.
  ///
  /// The program stops with a message if the model does not have the store, or if it has several of the type and
  /// `id` is nil.
  package subscript<S: Store>(copied type: S.Type, _ id: StoreID?) -> S.State {
    get { self[type, id] }
    set { snapshots[layout.requireIndex(of: type, id)] = TypedSnapshot(newValue) }
  }

  /// Returns the stores whose states differ in another model of the same dispatcher.
  package func differences(from other: Model) -> [StoreID] {
    func isEqual<State: Equatable>(_ state: State, _ other: Any) -> Bool {
      state == other as? State
    }
    return layout.ids.indices.filter { index in
      let (state, other) = (snapshots[index].value, other.snapshots[index].value)
      return !isEqual(state, other)
    }.map { layout.ids[$0] }
  }
}

extension Step {
  /// Calls `body` with a step that belongs to no dispatcher.
  package static func detached<Result, Failure: Error>(
    seed: UInt64, number: UInt64, at time: Date, _ body: (inout Step) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let engine = Engine(
      [NoStore()], dispatchesFollowUps: false, runsEffects: false, seed: seed,
      clock: ContinuousClock(), now: { time })
    engine.turn.value.stepNumber = number
    var step = Step(engine: engine, slot: 0)
    defer { withExtendedLifetime(engine) {} }
    return try body(&step)
  }
}

private struct NoStore: Projection {
  let initialState = 0
}

package import Foundation

/// Gives stores the states that they continue from.
package protocol StateSource: Sendable {
  /// Returns the state of a store; nil for its initial state. A nil optional inside means an absent feature.
  func state<State: Codable & Equatable & Sendable>(
    of store: StoreID, isFeature: Bool, as type: State.Type
  ) -> State?
}

extension Dispatcher {
  /// Creates a dispatcher that continues after a step; without `states`, from its stores' initial states.
  ///
  /// `time` is that of the step; no later step has an earlier time.
  package convenience init(
    _ stores: [any Store], states: (any StateSource)?, after step: UInt64, at time: Date,
    mode: Mode,
    seed: UInt64, now: @escaping @Sendable () -> Date
  ) {
    self.init(stores, mode: mode, seed: seed, now: now)
    // No other thread can reach the engine yet.
    if let states { engine.published.value.take(states, engine.slots) }
    engine.published.value.step = step
    engine.turn.value.stepNumber = step
    engine.turn.value.lastTime = time
  }

  /// Lets the steps from here on draw the random numbers of other steps.
  ///
  /// - Parameter step: Returns the step whose numbers a step draws, by its number; nil to let each draw its own.
  package func drawRandomNumbers(of step: (@Sendable (UInt64) -> UInt64)?) {
    engine.withTurn { engine.turn.value.randomStep = step }
  }

  /// Returns a model of given states, which can be presented and restored.
  ///
  /// A store without a state there has its current one. The model has no step, as one of another dispatcher.
  package func model(of states: any StateSource) -> Model {
    var model = engine.publishedModel
    model.take(states, engine.slots)
    model.step = nil
    return model
  }

  /// The setup and the current state; the thread that has the turn must not call it.
  package var context: DispatcherContext {
    var context: DispatcherContext?
    engine.withTurn { context = engine.context() }
    guard let context else { preconditionFailure("withTurn runs its body before it returns") }
    return context
  }
}

extension Model {
  /// Takes the states of a source; stores that it does not have keep theirs.
  fileprivate mutating func take(_ states: any StateSource, _ slots: [Slot]) {
    for (index, slot) in slots.enumerated() {
      func snapshot<S: Store>(of type: S.Type) -> StateSnapshot? {
        states.state(of: slot.id, isFeature: slot.isFeature, as: S.State.self)
          .map { TypedSnapshot($0) }
      }
      if let snapshot = snapshot(of: slot.storeType) { snapshots[index] = snapshot }
    }
  }
}

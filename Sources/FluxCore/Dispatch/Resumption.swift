package import Foundation

/// A starting point for a dispatcher other than its stores' initial states.
package struct Resumption: Sendable {
  package let states: any StateSource
  /// The number of the last completed step.
  package let step: UInt64
  /// The time of that step; no later step has an earlier time.
  package let time: Date

  package init(states: any StateSource, step: UInt64, time: Date) {
    self.states = states
    self.step = step
    self.time = time
  }
}

/// Gives stores the states that they continue from.
package protocol StateSource: Sendable {
  /// Returns the state of a store; nil for its initial state. A nil optional inside means an absent feature.
  func state<State: Codable & Equatable & Sendable>(
    of store: StoreID, isFeature: Bool, as type: State.Type
  ) -> State?
}

extension Dispatcher {
  /// Creates a dispatcher that continues from a given step.
  package convenience init(
    _ stores: [any Store], resuming resumption: Resumption, mode: Mode, seed: UInt64,
    now: @escaping @Sendable () -> Date
  ) {
    self.init(stores, mode: mode, seed: seed, now: now)
    engine.resume(resumption)
  }

  /// Returns a model of given states, which can be presented and restored.
  ///
  /// A store without a state there has its current one. The model has no step, as one of another dispatcher.
  package func model(of states: any StateSource) -> Model {
    var model = engine.publishedModel
    for (index, slot) in engine.slots.enumerated() {
      guard let snapshot = slot.snapshot(from: states) else { continue }
      model.snapshots[index] = snapshot
    }
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

extension Engine {
  /// Sets the starting point; called before another thread can reach the engine.
  fileprivate func resume(_ resumption: Resumption) {
    for (index, slot) in slots.enumerated() {
      guard let snapshot = slot.snapshot(from: resumption.states) else { continue }
      published.value.snapshots[index] = snapshot
    }
    published.value.step = resumption.step
    turn.value.stepNumber = resumption.step
    turn.value.lastTime = resumption.time
  }
}

extension Slot {
  fileprivate func snapshot(from states: any StateSource) -> StateSnapshot? {
    func snapshot<S: Store>(of type: S.Type) -> StateSnapshot? {
      states.state(of: id, isFeature: isFeature, as: S.State.self).map { TypedSnapshot($0) }
    }
    return snapshot(of: storeType)
  }
}

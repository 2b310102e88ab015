package import Foundation

/// Where a dispatcher goes on from, instead of beginning with its stores' initial states.
package struct Resumption: Sendable {
  /// Where the states come from.
  package let states: any StateSource
  /// The number of the last step that is over.
  package let step: UInt64
  /// The time of that step; no later one is before it.
  package let time: Date

  package init(states: any StateSource, step: UInt64, time: Date) {
    self.states = states
    self.step = step
    self.time = time
  }
}

/// Gives stores the states that they go on from.
package protocol StateSource: Sendable {
  /// The state of a store, or of a feature, which is absent where that is a nil optional; nil for the
  /// initial state.
  func state<State: Codable & Equatable & Sendable>(
    of store: StoreID, isFeature: Bool, as type: State.Type
  ) -> State?
}

extension Dispatcher {
  /// Creates a dispatcher that goes on from where another one was.
  ///
  /// - Parameters:
  ///   - stores: The stores, in the order in which they take actions.
  ///   - resumption: Where it goes on from.
  ///   - mode: What is done with follow-ups and effects.
  ///   - seed: The seed of all random numbers that steps give out.
  ///   - now: The clock of ``Step/now``.
  package convenience init(
    _ stores: [any Store], resuming resumption: Resumption, mode: Mode, seed: UInt64,
    now: @escaping @Sendable () -> Date
  ) {
    self.init(stores, mode: mode, seed: seed, now: now)
    engine.resume(resumption)
  }
}

extension Dispatcher {
  /// The stores, and how things stand; not for the thread that has the turn.
  package var attachment: Attachment {
    var found: Attachment?
    engine.withTurn { found = engine.attachment() }
    guard let found else { preconditionFailure("a turn runs what it is given") }
    return found
  }
}

extension Engine {
  /// Goes on from elsewhere; called before anybody else knows the engine.
  fileprivate func resume(_ resumption: Resumption) {
    for (index, slot) in slots.enumerated() {
      guard let snapshot = slot.snapshot(from: resumption.states) else { continue }
      published.value.withOwnSnapshots { $0[index] = snapshot }
    }
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

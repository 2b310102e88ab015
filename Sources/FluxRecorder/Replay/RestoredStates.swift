import FluxCore
import FluxJSON
import FluxLog
import FluxReplay

/// Decodes the states of a log for the current stores, and collects those that do not fit.
final class RestoredStates: StateSource, @unchecked Sendable {
  // Sendable: everything is constant except `found`, which `lock` guards.

  /// The states by the current names of their stores, with the recorded names for messages.
  private let states: StoreDictionary<(recordedName: String, state: JSON)>
  private let lock = Lock()
  private var found: [ReplayFailure.StateProblem] = []

  init(_ recorded: StoreDictionary<JSON>, _ evolution: Evolution) {
    var states: StoreDictionary<(recordedName: String, state: JSON)> = [:]
    for (name, state) in evolution.stateDefaults { states[name] = (name, state) }
    for (name, state) in recorded {
      do {
        states[evolution.storeName(for: name)] = (name, try evolution.state(state, of: name))
      } catch {
        found.append(ReplayFailure.StateProblem(store: name, why: "its upcaster threw \(error)"))
      }
    }
    self.states = states
  }

  /// Takes the states in which a session begins; nil if it begins in the app's own initial states.
  convenience init?(_ start: SessionStart, _ evolution: Evolution) {
    guard let states = start.states else { return nil }
    self.init(states, start.areStatesCurrent ? Evolution() : evolution)
  }

  /// The states that did not fit, sorted by the names of their stores.
  var problems: [ReplayFailure.StateProblem] {
    lock.withLock { found.sorted { $0.store < $1.store } }
  }

  func state<State: Codable & Equatable & Sendable>(
    of store: StoreID, isFeature: Bool, as type: State.Type
  ) -> State? {
    // The state of a feature is an optional, and null decodes as nil.
    state(of: store.rawValue, isFeature: isFeature) { state in
      try LogDecoder.replaying.decode(type, from: state ?? .null)
    }
  }

  /// Decodes the state of a store, which is nil for an absent feature.
  ///
  /// Returns nil for a store that keeps its initial state, because the log does not have it or its state does not fit.
  @discardableResult
  func state<State>(
    of store: String, isFeature: Bool, decode: (JSON?) throws -> State
  ) -> State? {
    let recorded = states[store]
    if recorded == nil, !isFeature { return nil }
    do {
      return try decode(recorded?.state)
    } catch {
      let problem = ReplayFailure.StateProblem(
        store: recorded?.recordedName ?? store, unfit: recorded?.state, error)
      lock.withLock { found.append(problem) }
      return nil
    }
  }
}

package import FluxLog
import FluxReplay
import FluxSystem

/// The models that a session has rebuilt, which copies of the session share.
final class RebuiltModels: Sendable {
  /// The result of a replay.
  enum Outcome: Sendable {
    case rebuilt(RebuiltModel)
    /// The reason why the states cannot be rebuilt.
    case failed(String)
  }

  /// A step and the one before it are looked at together; each model has few states.
  private static let capacity = 8
  private let outcomes = Monitor<[(position: Int, outcome: Outcome)]>([])

  /// Returns the outcome at a position, which `make` computes once.
  func outcome(at position: Int, _ make: () throws -> Outcome) rethrows -> Outcome {
    let known = outcomes.withLock { $0.first { $0.position == position }?.outcome }
    if let known { return known }
    let made = try make()
    outcomes.withLock { outcomes in
      if outcomes.count >= Self.capacity { outcomes.removeFirst() }
      outcomes.append((position, made))
    }
    return made
  }
}

// States that the recorder left out, or that the file that was imported did not have. With an app, a replay rebuilds them,
// and results say so.
extension Session {
  /// The outcome of rebuilding the states that are not written at a position; nil without an app, or if all are written.
  private func outcome(at position: Int) throws -> RebuiltModels.Outcome? {
    guard services.app != nil, !timeline.unwrittenStores(at: position).isEmpty else { return nil }
    return try rebuiltModels.outcome(at: position) {
      do {
        let model = try RebuiltModel(
          at: position, of: timeline, in: app(), check: { try checkInterruption() })
        return model.map { .rebuilt($0) }
          ?? .failed("a state before it is unknown, or a step on the way cannot run again")
      } catch let failure as ReplayFailure where failure.reason != .cancelled {
        return .failed(failure.headline)
      }
    }
  }

  /// The rebuilt states at a position; nil if there are none.
  func rebuiltModel(at position: Int) throws -> RebuiltModel? {
    guard case .rebuilt(let model)? = try outcome(at: position) else { return nil }
    return model
  }

  /// The state of a store at a position, rebuilt by replay if the log lacks it and there is an app.
  package func storeState(_ store: String, at position: Int) throws -> StoreState {
    let state = try timeline.storeState(store, at: position)
    guard !state.isKnown, timeline.isUnwritten(store, at: position) else { return state }
    return try rebuiltModel(at: position)?.state(of: store) ?? state
  }

  /// The origin of the states of some stores at a position; nil if none of them was rebuilt.
  package func rebuilt(_ stores: [String], at position: Int) throws -> RebuiltStates? {
    let unwritten = timeline.unwrittenStores(of: stores, at: position)
    guard !unwritten.isEmpty, let model = try rebuiltModel(at: position) else { return nil }
    let rebuilt = unwritten.filter { model.state(of: $0) != nil }
    guard !rebuilt.isEmpty else { return nil }
    return RebuiltStates(
      model, of: rebuilt, from: model.base ?? log.header.first &- 1,
      isImported: rebuilt.contains { timeline.importHiding($0, at: position) != nil })
  }

  /// The reason why the states that are not written at a position cannot be rebuilt; nil if they are, or without an app.
  package func rebuildFailure(at position: Int) throws -> String? {
    guard case .failed(let why)? = try outcome(at: position) else { return nil }
    return why
  }

  /// Ends a call that needs states which are not written at a position, and which the app cannot rebuild.
  func requireRebuilt(_ stores: [String], at position: Int) throws {
    let unwritten = timeline.unwrittenStores(of: stores, at: position)
    guard !unwritten.isEmpty, let why = try rebuildFailure(at: position) else { return }
    throw CommandError(
      .unknownState,
      "the state of \(unwritten.joined(separator: ", ")) is not written at step \(number(at: position)), and a replay "
        + "cannot rebuild it: \(why)",
      hint: timeline.nearestKnownStates(of: unwritten, around: position))
  }

  /// The states of stores at a position, in the same order; an error if one is unknown.
  func knownStates(of stores: [String], at position: Int) throws -> [StoreState] {
    try requireRebuilt(stores, at: position)
    let states = try stores.map { try storeState($0, at: position) }
    let unknown = zip(stores, states).filter { !$1.isKnown }.map(\.0)
    guard unknown.isEmpty else { throw timeline.unknown(unknown, at: position) }
    return states
  }
}

extension Timeline {
  /// The nearest steps at which stores that are not written at a position are known, in a sentence; nil if there is none.
  package func nearestKnownStates(of stores: [String], around position: Int) -> String? {
    let sentences = stores.compactMap { store -> String? in
      let places: (before: Int?, after: Int?)
      do throws(LogError) {
        places = try knownPositions(of: store, around: position)
      } catch {
        // The error at hand says what cannot be read here.
        return nil
      }
      let steps = [places.before, places.after].compactMap { $0 }.map {
        "\(stepNumber(at: $0))"
      }
      guard !steps.isEmpty else { return nil }
      let name = stores.count > 1 ? "\(store) " : ""
      let noun = steps.count > 1 ? "steps" : "step"
      return "\(name)\(noun) \(steps.joined(separator: " and "))"
    }
    return sentences.isEmpty
      ? nil : "the nearest known states are those of \(sentences.joined(separator: ", "))"
  }
}

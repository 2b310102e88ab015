public import FluxJSON
import FluxLog

/// The result of comparing a fork with its recording.
public struct ForkComparison: Sendable, Equatable {
  /// The first step after which the fork's states differ.
  public struct First: Sendable, Equatable {
    /// The number of the step on the fork.
    public var step: UInt64
    /// The number of the corresponding recorded step.
    public var recordedStep: UInt64
    /// The changes from the recorded states to those of the fork, with pointers from the model.
    public var changes: [ValueChange]
  }

  /// The first step that differs; nil if none does.
  public var first: First?
  /// The recorded step that corresponds to the fork's last states.
  public var lastRecordedStep: UInt64
  /// The changes from the recorded states there to the fork's last states.
  public var final: [ValueChange]

  /// `true` if the fork has the recorded states after every step.
  public var isSame: Bool { first == nil && final.isEmpty }
}

extension Fork {
  /// Compares the fork with the recording.
  ///
  /// Each step is compared with the recorded step that it repeats; on a fork that repeats none, with the
  /// one of the same number. Stores have the app's names; stores that the app lacks are left out.
  ///
  /// - Returns: The first step with different states, and the differences of the last states.
  /// - Throws: `LogError` if recorded states are unknown or cannot be read, ``ReplayFailure`` if they cannot
  ///   be upcast.
  public func compare() throws -> ForkComparison {
    var states = baseStates
    var first: ForkComparison.First?
    var last = position
    for step in steps {
      for change in step.changes { states[change.store] = change.state }
      guard let counterpart = counterpart(of: step) else { continue }
      last = counterpart
      guard first == nil else { continue }
      let changes = try changes(at: counterpart, to: states)
      guard !changes.isEmpty else { continue }
      first = ForkComparison.First(
        step: step.number, recordedStep: timeline.number(at: counterpart) ?? 0, changes: changes)
    }
    return ForkComparison(
      first: first, lastRecordedStep: timeline.number(at: last) ?? 0,
      final: try changes(at: last, to: states))
  }

  /// Returns the position of the recorded step that corresponds to a step.
  private func counterpart(of step: ForkStep) -> Int? {
    let number: UInt64
    if let repeated = step.repeats {
      number = repeated
    } else if steps.contains(where: { $0.repeats != nil }) {
      return nil
    } else {
      number = step.number
    }
    guard let position = timeline.log.position(atOrBefore: number),
      timeline.log.number(at: position) == number
    else { return nil }
    return position
  }

  /// Returns the changes from the recorded states at a position to `states`.
  private func changes(at position: Int, to states: StoreDictionary<JSON>) throws -> [ValueChange] {
    var recorded: StoreDictionary<JSON> = [:]
    for (store, state) in try timeline.model(at: position).states where app.hasStore(store) {
      guard state.isKnown else {
        throw LogError(
          path: timeline.log.path,
          reason: .unknownStates([store], step: timeline.number(at: position) ?? 0))
      }
      guard let json = state.json else { continue }
      recorded[app.storeName(for: store)] = try today(store, json)
    }
    return Fork.model(of: recorded).changes(to: Fork.model(of: states))
  }
}

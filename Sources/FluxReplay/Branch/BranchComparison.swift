public import FluxLog

/// A branch beside the recording that it left.
public struct BranchComparison: Sendable, Equatable {
  /// The first step at which the branch comes to other states.
  public struct First: Sendable, Equatable {
    /// The number of the step on the branch.
    public var step: UInt64
    /// The number of the recorded step that it stands for.
    public var recordedStep: UInt64
    /// What turns the recorded states into those of the branch, with pointers from the model.
    public var changes: [ValueChange]
  }

  /// The first step that differs; nil where none does.
  public var first: First?
  /// The recorded step whose states the last ones of the branch are compared with.
  public var lastRecordedStep: UInt64
  /// What turns the recorded states there into those that the branch has come to.
  public var final: [ValueChange]

  /// Whether the branch has come to the recorded states at every step.
  public var isSame: Bool { first == nil && final.isEmpty }
}

extension Branch {
  /// Compares the branch with the recording.
  ///
  /// Each step is held against the recorded step that it repeats; on a branch that repeats none, against
  /// the one of the same number. Stores go by the names that the app has for them; those that it does
  /// not have are left out.
  ///
  /// - Returns: The first step that comes to other states, and in what the last states differ.
  /// - Throws: `LogError` where recorded states are not known or cannot be read, ``ReplayFailure`` where
  ///   they cannot be brought into today's form.
  public func compare() throws -> BranchComparison {
    var states = baseStates
    var first: BranchComparison.First?
    var last = position
    for step in steps {
      for change in step.changes { states[change.store] = change.state }
      guard let counterpart = counterpart(of: step) else { continue }
      last = counterpart
      guard first == nil else { continue }
      let changes = try changes(at: counterpart, to: states)
      guard !changes.isEmpty else { continue }
      first = BranchComparison.First(
        step: step.number, recordedStep: timeline.number(at: counterpart) ?? 0, changes: changes)
    }
    return BranchComparison(
      first: first, lastRecordedStep: timeline.number(at: last) ?? 0,
      final: try changes(at: last, to: states))
  }

  /// The position of the recorded step that a step stands for.
  private func counterpart(of step: BranchStep) -> Int? {
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

  /// What turns the recorded states at a position into others.
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
    return Branch.model(of: recorded).changes(to: Branch.model(of: states))
  }
}

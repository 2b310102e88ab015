package import FluxJSON
package import FluxLog

/// The steps of a fork as a value, which can be read on any thread while the fork itself is used.
package struct ForkHistory: Sendable {
  /// The position at which the fork leaves the recording.
  package let position: Int
  /// The number of its first step.
  package let first: UInt64
  package internal(set) var steps: [ForkStep] = []
  /// The indices of the steps of the last action: its own step, and those of its follow-ups.
  package private(set) var stepsOfLastAction = 0..<0
  /// The states after each step, by the app's names for its stores.
  private(set) var states: ForkStates

  /// Begins a history in the states before its first step, by the app's names for its stores.
  ///
  /// It leaves a recording at `position`: at the start for fresh stores that no recording leads to.
  package init(
    beginningIn states: StoreDictionary<JSON>, first: UInt64, at position: Int = Timeline.start
  ) {
    (self.position, self.first, self.states) = (position, first, ForkStates(states))
  }

  mutating func append(_ step: ForkStep, _ replayed: ReplayedStep) {
    let isFollowUp = replayed.cause != nil
    let start = isFollowUp ? stepsOfLastAction.lowerBound : steps.count
    steps.append(step)
    states.append(replayed.changes)
    stepsOfLastAction = start..<steps.count
  }

  /// Adds the steps that actions led to in a session of the mode `simulate`.
  package mutating func append(_ replayed: [ReplayedStep], of actions: [ReplayAction]) {
    var actions = actions[...]
    for step in replayed {
      let action = step.cause == nil ? actions.popFirst() : nil
      var added = ForkStep(step, action: action?.action ?? .null)
      if let action { added.target = action.target }
      // The collection counts; a session that counts otherwise is refused by a fork, and is not shown here.
      added.number = first + UInt64(steps.count)
      append(added, step)
    }
  }

  /// Returns the number of steps up to the first one of the last action at which an expression is true.
  ///
  /// The step of the action itself is evaluated, and then each of its follow-ups. Without a step, the states at the start
  /// are.
  ///
  /// - Returns: The number of steps; 0 for the start, nil if the expression is false at all of them.
  /// - Throws: `QueryError` if the expression takes too much work.
  package func stepCount(where expression: QueryExpression) throws -> Int? {
    guard !steps.isEmpty else {
      return try expression.holds(for: document(afterSteps: 0)) ? 0 : nil
    }
    for index in stepsOfLastAction
    where try expression.holds(for: document(afterSteps: index + 1)) {
      return index + 1
    }
    return nil
  }

  /// Returns the states after some steps, by the app's names for its stores; 0 for the initial states.
  package func states(afterSteps count: Int) -> StoreDictionary<JSON> {
    states.states(afterSteps: count)
  }

  /// Returns a step as a document for queries, with the states after and before it.
  ///
  /// It has the members of a recorded step; see `Timeline.document(at:)`. States have the app's names for its stores. The
  /// step is the last one of `count`; 0 for the initial states.
  package func document(afterSteps count: Int) -> QueryDocument {
    let (after, before) = (states(afterSteps: count), states(afterSteps: count - 1))
    let isStep = count > 0 && count <= steps.count
    let changed = isStep ? steps[count - 1].changed : []
    func document(of states: StoreDictionary<JSON>) -> QueryDocument {
      QueryDocument(
        members: states.ordered.map { store, state in .init(store) { QueryDocument(state) } })
    }
    return QueryDocument(
      number: { isStep ? steps[count - 1].number : first &- 1 }, isStep: { isStep },
      step: { steps[count - 1].logStep }, changed: { changed },
      changes: { store in changed.contains { $0.hasSameBytes(as: store) } },
      after: { document(of: after) }, before: { document(of: before) })
  }
}

extension ForkStep {
  /// The step as a log has it, without its changes.
  package var logStep: LogStep {
    var step = LogStep(number: number, time: time, action: action, type: type)
    (step.target, step.cause, step.effect, step.from) = (target, cause, effect, from)
    (step.effects, step.rejection) = (storeEffects, rejection)
    return step
  }
}

public import FluxJSON
public import FluxLog

/// The steps of a fork as a value, which can be read on any thread while the fork itself is used.
public struct ForkHistory: Sendable {
  /// The position at which the fork leaves the recording.
  public let position: Int
  /// The number of its first step.
  public let first: UInt64
  /// The steps.
  public private(set) var steps: [ForkStep]
  /// The indices of the steps of the last action: its own step, and those of its follow-ups.
  public private(set) var stepsOfLastAction: Range<Int>
  private var states: ForkStates

  init(_ fork: Fork) {
    (position, first, steps, states) = (fork.position, fork.first, fork.steps, fork.states)
    stepsOfLastAction = fork.stepsOfLastAction
  }

  /// Begins the history of fresh stores that no recording leads to.
  ///
  /// - Parameters:
  ///   - states: The states before the first step.
  ///   - first: The number of the first step.
  package init(beginningIn states: StoreDictionary<JSON>, first: UInt64) {
    (position, self.first) = (Timeline.start, first)
    (steps, self.states) = ([], ForkStates(states))
    stepsOfLastAction = 0..<0
  }

  /// Adds the steps that actions led to in a session of the mode `simulate`.
  package mutating func append(_ replayed: [ReplayedStep], of actions: [ReplayAction]) {
    var actions = actions[...]
    for step in replayed {
      let isFollowUp = step.cause != nil
      var added = ForkStep(step, action: step.action ?? .null)
      if !isFollowUp, let action = actions.popFirst() {
        (added.action, added.target) = (step.action ?? action.action, action.target)
      }
      // The collection counts; a session that counts otherwise is refused by a fork, and is not shown here.
      added.number = first + UInt64(steps.count)
      let start = isFollowUp ? stepsOfLastAction.lowerBound : steps.count
      steps.append(added)
      states.append(step.changes)
      stepsOfLastAction = start..<steps.count
    }
  }

  /// Returns the number of steps up to the first one of the last action at which an expression is true.
  ///
  /// The step of the action itself is judged, and then each of its follow-ups. Without a step, the states at the start
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

  /// Returns the states after some steps, by the app's names for its stores.
  ///
  /// - Parameter count: The number of steps; 0 for the initial states.
  /// - Returns: The states.
  public func states(afterSteps count: Int) -> StoreDictionary<JSON> {
    states.states(afterSteps: count)
  }

  /// Returns a step as a document for queries, with the states after and before it.
  ///
  /// It has the members of a recorded step; see `Timeline.document(at:)`. States have the app's names for its stores.
  ///
  /// - Parameter count: The number of steps up to and with it; 0 for the initial states.
  /// - Returns: The document.
  public func document(afterSteps count: Int) -> QueryDocument {
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

extension Fork {
  /// The steps of the fork as a value.
  public var history: ForkHistory { ForkHistory(self) }

  /// The fork's last step as a document for queries; see ``ForkHistory/document(afterSteps:)``.
  public var document: QueryDocument { history.document(afterSteps: steps.count) }
}

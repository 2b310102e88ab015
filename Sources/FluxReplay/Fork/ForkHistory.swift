public import FluxJSON
public import FluxLog

/// The steps of a fork as a value, which can be read on any thread while the fork itself is used.
public struct ForkHistory: Sendable {
  /// The position at which the fork leaves the recording.
  public let position: Int
  /// The number of its first step.
  public let first: UInt64
  /// The steps.
  public let steps: ForkSteps
  private let states: ForkStates

  init(_ fork: Fork) {
    (position, first, steps, states) = (fork.position, fork.first, fork.steps, fork.states)
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
  /// It has the members of a recorded step: `{"n","t","action","target","cause","effect","from","effects",
  /// "rejected","changed","state","before"}`. Before the first step there are only the number and the states. States
  /// have the app's names for its stores.
  ///
  /// - Parameter count: The number of steps up to and with it; 0 for the initial states.
  /// - Returns: The document.
  public func document(afterSteps count: Int) -> QueryDocument {
    let (after, before) = (states(afterSteps: count), states(afterSteps: count - 1))
    guard count > 0, count <= steps.count else {
      return QueryDocument(members: [number(first &- 1), states("state", after)])
    }
    let step = steps[count - 1]
    return QueryDocument(
      members: [
        number(step.number),
        .init("t") { QueryDocument(try JSON.parse(step.time.description)) },
        .init("action") { QueryDocument(step.action) },
        text("target", step.target),
        .init("cause") {
          step.cause.map { cause in QueryDocument(JSON(writing: { $0.uint(cause) })) }
        },
        text("effect", step.effect), text("from", step.from),
        .init("effects") { step.storeEffects.json.map { QueryDocument($0) } },
        .init("rejected") { step.rejection.map { QueryDocument($0.json) } },
        .init("changed") {
          QueryDocument(JSON(writing: { $0.strings(step.changed) }))
        },
        states("state", after), states("before", before),
      ])
  }

  private func number(_ number: UInt64) -> QueryDocument.Member {
    .init("n") { QueryDocument(JSON(writing: { $0.uint(number) })) }
  }

  private func text(_ name: String, _ text: String?) -> QueryDocument.Member {
    .init(name) { text.map { QueryDocument(JSON(stringLiteral: $0)) } }
  }

  private func states(_ name: String, _ states: StoreDictionary<JSON>) -> QueryDocument.Member {
    .init(name) {
      QueryDocument(
        members: states.ordered.map { store, state in
          .init(store) { QueryDocument(state) }
        })
    }
  }
}

extension Fork {
  /// The steps of the fork as a value.
  public var history: ForkHistory { ForkHistory(self) }

  /// The fork's last step as a document for queries; see ``ForkHistory/document(afterSteps:)``.
  public var document: QueryDocument { history.document(afterSteps: steps.count) }
}

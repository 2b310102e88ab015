public import FluxJSON
public import FluxLog

/// A step of a fork: a dispatched action or a follow-up.
public struct ForkStep: Sendable, Equatable {
  /// The number of the step, one more than the previous one.
  public var number: UInt64
  /// The time of the step.
  public var time: LogTime
  /// The action in the app's current form.
  public var action: JSON
  /// The store that it was addressed to.
  public var target: String?
  /// The step that caused it, on the fork or before it.
  public var cause: UInt64?
  /// The effect that dispatched it in the recording.
  public var effect: String?
  /// The origin of its dispatch in the recording, as in `LogStep.from`.
  public var from: String?
  /// The rejection; nil if it committed.
  public var rejection: LogRejection?
  /// The changed stores, by the app's names.
  public var changes: [ReplayedStep.Change]
  /// The names of the effects that it starts; they do not run.
  public var effects: [String]
  /// The recorded step that it repeats, with the same action or another one.
  public var repeats: UInt64?

  /// The type of its action.
  public var type: String { action["type"]?.string ?? "" }
}

extension ForkStep {
  /// Converts a session's step; `action` is the dispatched one.
  init(_ step: ReplayedStep, action: JSON) {
    number = step.number
    time = step.time
    self.action = step.action ?? action
    target = step.target
    cause = step.cause
    changes = step.changes
    effects = step.effects
    if case .rejected(let rejection) = step.verdict { self.rejection = rejection }
  }
}

extension Fork {
  /// The fork's last step as a document for queries, with the states after and before it.
  ///
  /// It has the members of a recorded step: `{"n","t","action","cause","rejected","changed","state",
  /// "before"}`. On a fork without steps, it has only the number of the step before the fork, and the
  /// states. States have the app's names for its stores.
  public var document: QueryDocument {
    let (after, before) = (
      states(afterSteps: steps.count), states(afterSteps: steps.count - 1)
    )
    guard let step = steps.last else {
      return QueryDocument(members: [number(first &- 1), states("state", after)])
    }
    return QueryDocument(
      members: [
        number(step.number),
        .init("t") { QueryDocument(try JSON.parse(step.time.description)) },
        .init("action") { QueryDocument(step.action) },
        .init("cause") {
          step.cause.map { cause in QueryDocument(JSON(writing: { $0.uint(cause) })) }
        },
        .init("rejected") { step.rejection.map { QueryDocument($0.json) } },
        .init("changed") {
          QueryDocument(JSON(writing: { $0.strings(step.changes.map(\.store)) }))
        },
        states("state", after), states("before", before),
      ])
  }

  private func number(_ number: UInt64) -> QueryDocument.Member {
    .init("n") { QueryDocument(JSON(writing: { $0.uint(number) })) }
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

public import FluxJSON
import FluxLog

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

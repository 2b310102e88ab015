import FluxJSON
import FluxLog
import Foundation
import Harness
import Inputs

/// Asking a state or a step.
func querySuite(_ conditions: Conditions) -> Suite {
  let state = Prepared {
    try LogEncoder().encode(TodoStore(count: 1_000, seed: conditions.seed).initialState)
  }
  return Suite(
    "query",
    [
      path("$.items[?@.isDone == true].title", of: state),
      path("$..*", of: state),
      Figure("expression on a small step", in: .nanoseconds) {
        let step = QueryDocument(
          try JSON.parse(
            #"{"n":7,"action":{"type":"todo/toggle","payload":{"id":1}},"state":{"search":{"text":"mi"}}}"#
          ))
        let expression = try QueryExpression(
          "$.action.type == 'todo/toggle' && search.text != 'milk'")
        return Contest(.repeated { try expression.holds(for: step) })
      },
    ])
}

private func path(_ text: String, of state: Prepared<JSON>) -> Figure {
  Figure(text, in: .microseconds) {
    let (path, state) = (try Path(text), try state.value())
    return Contest(.repeated { try path.nodes(in: state) }, on: "1,000 todos")
  }
}

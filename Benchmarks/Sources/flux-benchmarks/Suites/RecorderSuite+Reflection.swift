import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import Harness
import Inputs

/// The cost of recording states and actions without conformances.
func reflectionFigures(_ conditions: Conditions) -> [Figure] {
  [
    Figure("reflecting 1,000 todos", in: .microseconds, on: .all, target: .timesRival(0.4)) {
      let recording = ReflectedTodos(
        count: 1_000, url: conditions.scratch("reflected.jsonl"), seed: conditions.seed)
      let steps = conditions.scale(100, quick: 30)
      let todos = TodoStore(count: 1_000, seed: conditions.seed).initialState
      let (foundation, own) = (JSONEncoder(), LogEncoder())
      return Contest(
        .timed(amount: steps, rounds: 5) { [try recording.lap(steps: steps)] },
        on: "one call of record, which reads six members each",
        beside: [
          Rival("JSONEncoder", .repeated { try foundation.encode(todos) }),
          Rival("LogEncoder", .repeated { try own.bytes(of: todos) }),
        ])
    },
    Figure(
      "added to a dispatch, reflecting two todos, mean", in: .nanoseconds, on: .all,
      target: .timesRival(0.33)
    ) {
      let recording = ReflectedTodos(
        count: 2, url: conditions.scratch("reflected.jsonl"), seed: conditions.seed)
      let steps = conditions.scale(50_000, quick: 5_000)
      let todos = TodoStore(count: 2, seed: conditions.seed).initialState
      let foundation = JSONEncoder()
      return Contest(
        .timed(amount: steps, rounds: 5) { [try recording.lap(steps: steps)] },
        beside: [Rival("JSONEncoder", .repeated { try foundation.encode(todos) })])
    },
  ]
}

extension ReflectedTodos {
  /// Returns the time of the calls that record steps; the writing thread catches up between them.
  fileprivate func lap(steps: Int) throws -> Lap {
    let clock = ContinuousClock()
    var time = Duration.zero
    try record(steps: steps) { call in
      let begin = clock.now
      call()
      time += clock.now - begin
    }
    return Lap(seconds: time / .seconds(1))
  }
}

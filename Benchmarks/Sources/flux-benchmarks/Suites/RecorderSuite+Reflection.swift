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

/// Todos that nothing can encode, recorded by reflection.
private struct ReflectedTodos {
  private struct Todo {
    let id: Int
    let title: String
    let note: String
    let tags: [String]
    let created: Double
    var isDone: Bool
  }

  private enum TodoAction { case toggle(id: Int) }

  private let todos: [Todo]
  private let url: URL

  init(count: Int, url: URL, seed: UInt64) {
    todos = TodoStore(count: count, seed: seed).initialState.items.map { todo in
      Todo(
        id: todo.id, title: todo.title, note: todo.note, tags: todo.tags, created: todo.created,
        isDone: todo.isDone)
    }
    self.url = url
  }

  /// Returns the time of the calls that record steps; the writing thread catches up between them.
  func lap(steps: Int) throws -> Lap {
    var options = Recorder.Options()
    options.log.existing = .replace
    options.log.durability = .buffered
    let recorder = Recorder(to: url, options: options)
    var todos = todos
    recorder.start(reflecting: ["todos": todos])
    let clock = ContinuousClock()
    var time = Duration.zero
    for step in 0..<steps {
      let place = step % todos.count
      todos[place].isDone.toggle()
      let begin = clock.now
      recorder.record(TodoAction.toggle(id: place), reflecting: ["todos": todos])
      time += clock.now - begin
      if step % 100 == 99 || todos.count > 100 { try recorder.flush() }
    }
    try recorder.close()
    return Lap(seconds: time / .seconds(1))
  }
}

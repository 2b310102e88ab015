import FluxLog
import FluxRecorder
package import Foundation

/// Todos that nothing can encode, recorded by reflection.
package struct ReflectedTodos {
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

  package init(count: Int, url: URL, seed: UInt64) {
    todos = TodoStore(count: count, seed: seed).initialState.items.map { todo in
      Todo(
        id: todo.id, title: todo.title, note: todo.note, tags: todo.tags, created: todo.created,
        isDone: todo.isDone)
    }
    self.url = url
  }

  /// Records steps; each call of the recorder goes through `measure`.
  package func record(steps: Int, _ measure: (() -> Void) -> Void = { $0() }) throws {
    var options = Recorder.Options()
    options.log.existing = .replace
    options.log.durability = .buffered
    let recorder = Recorder(to: url, options: options)
    var todos = todos
    recorder.start(reflecting: ["todos": todos])
    for step in 0..<steps {
      let place = step % todos.count
      todos[place].isDone.toggle()
      measure { recorder.record(TodoAction.toggle(id: place), reflecting: ["todos": todos]) }
      if step % 100 == 99 || todos.count > 100 { try recorder.flush() }
    }
    try recorder.close()
  }
}

import FluxCore
import Harness

enum TodoAction: Action {
  case toggle(id: Int)
}

/// The state of a larger app: todos of about 142 bytes of JSON each.
struct TodoStore: Store {
  struct Todo: StateValue {
    let id: Int
    let title: String
    let note: String
    let tags: [String]
    let created: Double
    var isDone = false
  }

  struct Todos: StateValue {
    var items: [Todo]
  }

  let initialState: Todos

  init(count: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = ["buy", "milk", "call", "about", "the", "new", "roof", "before", "friday", "café"]
    func phrase(_ count: Int) -> String {
      (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }
    initialState = Todos(
      items: (0..<count).map { id in
        Todo(
          id: id, title: phrase(4), note: phrase(6), tags: [phrase(1), phrase(1)],
          created: 780_000_000.5 + Double(id))
      })
  }

  func reduce(_ todos: inout Todos, _ action: TodoAction, _ step: inout Step) {
    switch action {
    case .toggle(let id): todos.items[id].isDone.toggle()
    }
  }
}

package import FluxCore
package import Harness

package enum TodoAction: Action {
  case toggle(id: Int)
  case rename(id: Int, title: String)
}

/// The state of an app with todos of about 142 bytes of JSON each.
package struct TodoStore: Store {
  package struct Todo: StateValue {
    package let id: Int
    package var title: String
    package let note: String
    package let tags: [String]
    package let created: Double
    package var isDone = false
  }

  package struct Todos: StateValue {
    package var items: [Todo]

    package init(items: [Todo]) { self.items = items }
  }

  package let initialState: Todos

  package init(count: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    initialState = Todos(items: (0..<count).map { Todo(id: $0, random: &random) })
  }

  package func reduce(_ todos: inout Todos, _ action: TodoAction, _ step: inout Step) {
    switch action {
    case .toggle(let id): todos.items[id].isDone.toggle()
    case .rename(let id, let title): todos.items[id].title = title
    }
  }
}

extension TodoStore.Todo {
  private static let words = [
    "buy", "milk", "call", "about", "the", "new", "roof", "before", "friday", "café",
  ]

  /// A todo with a title and a note of random words.
  package init(id: Int, random: inout SeededGenerator) {
    func phrase(_ count: Int) -> String {
      (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }
        .joined(separator: " ")
    }
    self.init(
      id: id, title: phrase(4), note: phrase(6), tags: [phrase(1), phrase(1)],
      created: 780_000_000.5 + Double(id))
  }
}

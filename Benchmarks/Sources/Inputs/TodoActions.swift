package import Harness

/// What the user of a session does, one after another: a session of any length needs no memory for it.
package struct TodoActions: Sequence, IteratorProtocol {
  private let steps: Int
  private let todos: Int
  private var random: SeededGenerator
  private var step = 0

  package init(steps: Int, todos: Int, random: SeededGenerator) {
    self.steps = steps
    self.todos = todos
    self.random = random
  }

  package mutating func next() -> TodoAction? {
    guard step < steps else { return nil }
    defer { step += 1 }
    let id = Int.random(in: 0..<todos, using: &random)
    return step.isMultiple(of: 2) ? .toggle(id: id) : .rename(id: id, title: "title \(step)")
  }
}

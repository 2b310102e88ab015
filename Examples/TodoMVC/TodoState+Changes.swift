import FluxCore

extension TodoState {
  /// Returns the change that an action requests; it has no edits if the list already matches.
  mutating func change(for action: TodoAction) throws -> TodoChange {
    switch action {
    case .add(let title):
      let todo = Todo(id: nextID, title: try Self.required(title))
      nextID += 1
      return TodoChange([.insert(todo, at: items.count)])
    case .toggle(let id):
      return try replacing(id) { $0.done.toggle() }
    case .rename(let id, let title):
      // Clearing the title removes the todo.
      guard let title = title.trimmed else { return try removing(id) }
      return try replacing(id) { $0.title = title }
    case .remove(let id):
      return try removing(id)
    case .toggleAll(let done):
      return replacing { $0.done = done }
    case .clearCompleted:
      let completed = items.indices.filter { items[$0].done }
      // From the end, so that a removal does not move the next one.
      return TodoChange(completed.reversed().map { .remove(at: $0) })
    case .show, .undo, .redo, .load, .loaded, .failedToLoad, .saved, .failedToSave:
      return TodoChange([])
    }
  }

  private static func required(_ title: String) throws -> String {
    guard let title = title.trimmed else { throw Rejection("a todo needs a title") }
    return title
  }

  private func index(of id: Int) throws -> Int {
    guard let index = items.firstIndex(where: { $0.id == id }) else {
      throw Rejection("there is no todo \(id)")
    }
    return index
  }

  private func removing(_ id: Int) throws -> TodoChange {
    TodoChange([.remove(at: try index(of: id))])
  }

  private func replacing(_ id: Int, _ edit: (inout Todo) -> Void) throws -> TodoChange {
    replacing(at: [try index(of: id)], edit)
  }

  private func replacing(_ edit: (inout Todo) -> Void) -> TodoChange {
    replacing(at: Array(items.indices), edit)
  }

  private func replacing(at indices: [Int], _ edit: (inout Todo) -> Void) -> TodoChange {
    TodoChange(
      indices.compactMap { index in
        var todo = items[index]
        edit(&todo)
        return todo == items[index] ? nil : .replace(at: index, with: todo)
      })
  }
}

extension String {
  /// The text without surrounding blanks; nil if it is blank.
  fileprivate var trimmed: String? {
    let head = drop { $0.isWhitespace }
    let text = head.reversed().drop { $0.isWhitespace }.reversed()
    return text.isEmpty ? nil : String(text)
  }
}

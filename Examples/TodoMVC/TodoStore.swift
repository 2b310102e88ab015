public import FluxCore

/// The store of a todo list.
public struct TodoStore: Store {
  /// The name of the list in logs.
  public let id: StoreID = "todos"
  /// An empty list.
  public let initialState = TodoState()
  private let storage: any TodoStorage

  /// Creates the store.
  ///
  /// - Parameter storage: The storage of the todos.
  public init(storage: any TodoStorage) {
    self.storage = storage
  }

  /// Edits the list; every edit is saved and can be undone.
  public func reduce(_ state: inout TodoState, _ action: TodoAction, _ step: inout Step) throws {
    switch action {
    case .load: load(&step)
    case .loaded(let items): receive(items, &state)
    case .failedToLoad(let reason), .failedToSave(let reason):
      state.saving = .failed(reason: reason)
    case .saved: state.saving = .saved
    case .show(let filter): state.filter = filter
    case .undo, .redo:
      try travel(action, &state)
      save(&state, &step)
    case .add, .toggle, .rename, .remove, .toggleAll, .clearCompleted:
      let change = try state.change(for: action)
      guard !change.edits.isEmpty else { return }
      state.undo.append(state.items.make(change))
      state.redo = []
      save(&state, &step)
    }
  }

  private func travel(_ action: TodoAction, _ state: inout TodoState) throws {
    if action == .undo {
      guard let change = state.undo.popLast() else { throw Rejection("there is nothing to undo") }
      state.redo.append(state.items.make(change))
    } else {
      guard let change = state.redo.popLast() else { throw Rejection("there is nothing to redo") }
      state.undo.append(state.items.make(change))
    }
  }

  private func load(_ step: inout Step) {
    step.effect(
      "load", then: TodoAction.loaded, catch: { .failedToLoad(reason: "\($0)") }
    ) { [storage] in try await storage.load() }
  }

  /// Replaces the list with the saved one, and clears undo and redo, which belong to the old list.
  private func receive(_ items: [Todo], _ state: inout TodoState) {
    state.items = items
    state.undo = []
    state.redo = []
    state.nextID = max(state.nextID, (items.map(\.id).max() ?? 0) + 1)
    state.saving = .saved
  }

  /// The latest list wins: a new save cancels a running one.
  private func save(_ state: inout TodoState, _ step: inout Step) {
    state.saving = .inProgress
    step.effect(
      "save", then: { (_: Void) in TodoAction.saved }, catch: { .failedToSave(reason: "\($0)") }
    ) { [storage, items = state.items] in try await storage.save(items) }
  }
}

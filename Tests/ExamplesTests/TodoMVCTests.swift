import FluxCore
import Testing
import TodoMVCExample

@Suite struct TodoMVCTests {
  let storage = MemoryStorage()
  let todos: StoreHandle<TodoStore>

  init() {
    todos = Dispatcher([TodoStore(storage: storage)]).store(TodoStore.self)
  }

  private func items(after actions: [TodoAction]) -> [Todo] {
    for action in actions { todos.dispatch(action) }
    return todos.items
  }

  private static let milk: [TodoAction] = [.add(title: "milk"), .add(title: "eggs")]

  @Test(
    "every edit leads to the list that its name promises",
    arguments: [
      ([.add(title: "  milk ")], [Todo(id: 1, title: "milk")]),
      (
        milk + [.toggle(id: 2)],
        [Todo(id: 1, title: "milk"), Todo(id: 2, title: "eggs", done: true)]
      ),
      (
        milk + [.rename(id: 1, title: "oat milk"), .remove(id: 2)], [Todo(id: 1, title: "oat milk")]
      ),
      (milk + [.rename(id: 1, title: "  ")], [Todo(id: 2, title: "eggs")]),
      (
        milk + [.toggleAll(done: true)],
        [Todo(id: 1, title: "milk", done: true), Todo(id: 2, title: "eggs", done: true)]
      ),
      (milk + [.toggle(id: 1), .clearCompleted], [Todo(id: 2, title: "eggs")]),
      (milk + [.toggleAll(done: true), .clearCompleted], []),
      (
        milk + [.remove(id: 2), .add(title: "tea")],
        [Todo(id: 1, title: "milk"), Todo(id: 3, title: "tea")]
      ),
    ] as [([TodoAction], [Todo])])
  func edit(actions: [TodoAction], expected: [Todo]) {
    #expect(items(after: actions) == expected)
  }

  @Test(
    "an invalid action is rejected with a sentence and changes nothing",
    arguments: [
      ([], .add(title: " \n"), "a todo needs a title"),
      ([], .toggle(id: 7), "there is no todo 7"),
      (milk + [.remove(id: 1)], .rename(id: 1, title: "tea"), "there is no todo 1"),
      ([], .undo, "there is nothing to undo"),
      (milk, .redo, "there is nothing to redo"),
    ] as [([TodoAction], TodoAction, String)])
  func reject(before: [TodoAction], action: TodoAction, message: String) {
    let items = items(after: before)
    #expect(todos.dispatch(action).rejection?.message == message)
    #expect(todos.items == items)
  }

  @Test("undo reverts every edit down to the empty list, and redo repeats them")
  func travel() {
    let edits =
      Self.milk + [
        .toggle(id: 1), .rename(id: 2, title: "six eggs"), .toggleAll(done: true),
        .add(title: "tea"), .clearCompleted, .remove(id: 3),
      ]
    var lists = [todos.items]
    for edit in edits { lists.append(items(after: [edit])) }
    #expect(edits.indices.reversed().allSatisfy { items(after: [.undo]) == lists[$0] })
    #expect(edits.indices.allSatisfy { items(after: [.redo]) == lists[$0 + 1] })
    #expect(todos.dispatch(.redo).result == .rejected)
  }

  @Test("a new edit clears redo; an edit that changes nothing does not")
  func forget() {
    _ = items(after: Self.milk + [.undo, .toggleAll(done: false)])
    #expect(todos.redo.count == 1)
    _ = items(after: [.add(title: "tea")])
    #expect(todos.redo.isEmpty)
  }

  @Test("the filter decides what is shown, and the footer counts what is left")
  func show() {
    _ = items(after: Self.milk + [.toggle(id: 1)])
    let shown = TodoState.Filter.allCases.map { filter in
      todos.dispatch(.show(filter: filter))
      return todos.state.shown.map(\.title)
    }
    #expect(shown == [["milk", "eggs"], ["eggs"], ["milk"]])
    #expect(todos.state.footer == "1 item left")
  }

  @Test("every edit is saved, and another app begins with the saved list")
  func persist() async {
    await todos.run(.add(title: "milk"))
    await todos.run(.toggle(id: 1))
    #expect(todos.saving == .saved)
    let other = Dispatcher([TodoStore(storage: storage)]).store(TodoStore.self)
    await other.run(.load)
    await other.run(.add(title: "eggs"))
    #expect(other.items == [Todo(id: 1, title: "milk", done: true), Todo(id: 2, title: "eggs")])
    #expect(await storage.load() == other.items)
  }

  /// A storage that is full or unreachable.
  struct BrokenStorage: TodoStorage {
    struct Full: Error {}

    func load() throws -> [Todo] { throw Full() }
    func save(_ todos: [Todo]) throws { throw Full() }
  }

  @Test("a failing storage is reported, and the list on the screen does not change")
  func fail() async {
    let todos = Dispatcher([TodoStore(storage: BrokenStorage())]).store(TodoStore.self)
    await todos.run(.load)
    #expect(todos.saving == .failed(reason: "Full()"))
    await todos.run(.add(title: "milk"))
    #expect(todos.saving == .failed(reason: "Full()"))
    #expect(todos.items == [Todo(id: 1, title: "milk")])
  }
}

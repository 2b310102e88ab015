import FluxCore
import Testing

/// The code of the page "Coming from ReSwift".
@Suite struct ComingFromReSwiftTests {
  struct Todo: StateValue {
    let title: String
    var isDone = false
  }

  struct Todos: StateValue {
    var items: [Todo] = []
    var isLoading = false
  }

  enum TodoAction: Action, Equatable {
    case add(title: String)
    case toggle(Int)
    case load
    case loaded([String])
    case loadingFailed
  }

  protocol TodoService: Sendable {
    func titles() async throws -> [String]
  }

  struct TodoStore: Store {
    let service: any TodoService
    let initialState = Todos()

    func reduce(_ todos: inout Todos, _ action: TodoAction, _ step: inout Step) throws {
      switch action {
      case .add(let title):
        todos.items.append(Todo(title: title))
      case .toggle(let index):
        guard todos.items.indices.contains(index) else { throw Rejection("no item \(index)") }
        todos.items[index].isDone.toggle()
      case .load:
        todos.isLoading = true
        step.effect("load", then: TodoAction.loaded, catch: { _ in .loadingFailed }) { [service] in
          try await service.titles()
        }
      case .loaded(let titles):
        todos.isLoading = false
        for title in titles { step.dispatch(TodoAction.add(title: title)) }
      case .loadingFailed:
        todos.isLoading = false
      }
    }
  }

  enum FilterAction: Action { case show(onlyOpen: Bool) }

  struct FilterStore: Store {
    let initialState = false

    func reduce(_ onlyOpen: inout Bool, _ action: FilterAction, _ step: inout Step) {
      if case .show(let value) = action { onlyOpen = value }
    }
  }

  struct NoEmptyTitles: Middleware {
    func willDispatch(_ envelope: Envelope, _ model: Model) throws {
      guard envelope.action as? TodoAction == .add(title: "") else { return }
      throw Rejection("a todo needs a title")
    }
  }

  @MainActor final class TodoView {
    var count = 0

    init(todos: StoreHandle<TodoStore>) {
      todos.observe(for: self, \.items.count) { view, count in view.newState(count) }
    }

    func newState(_ count: Int) { self.count = count }
  }

  struct FixedTitles: TodoService {
    func titles() -> [String] { ["milk", "bread"] }
  }

  let service = FixedTitles()
  let dispatcher: Dispatcher
  let todos: StoreHandle<TodoStore>

  init() {
    dispatcher = Dispatcher([TodoStore(service: service), FilterStore()])
    dispatcher.use(NoEmptyTitles())
    todos = dispatcher.store(TodoStore.self)
  }

  @Test("its store, its reducers and its middleware")
  func stores() {
    dispatcher.dispatch(TodoAction.add(title: "milk"))
    dispatcher.dispatch(FilterAction.show(onlyOpen: true))
    todos.dispatch(.toggle(0))
    #expect(todos.items == [Todo(title: "milk", isDone: true)])
    #expect(dispatcher[FilterStore.self])
    #expect(dispatcher.model[TodoStore.self].items.count == 1)
    let outcome = todos.dispatch(.add(title: ""))
    #expect(outcome.rejection?.message == "a todo needs a title")
    #expect(todos.items.count == 1)
  }

  @Test("its subscribers")
  @MainActor
  func subscribers() {
    let hints = Recorded<Bool>()
    let hint = dispatcher.observe({ $0[TodoStore.self].items.isEmpty && $0[FilterStore.self] }) {
      hints.append($0)
    }
    dispatcher.dispatch(FilterAction.show(onlyOpen: true))
    hint.cancel()
    #expect(hints.all == [false, true])
    let view = TodoView(todos: todos)
    todos.dispatch(.add(title: "milk"))
    #expect(view.count == 1)
    let counts = Recorded<Int>()
    let receipt = todos.observe(\.items.count) { count in counts.append(count) }
    todos.dispatch(.toggle(0))
    todos.dispatch(.add(title: "bread"))
    receipt.cancel()
    todos.dispatch(.add(title: "butter"))
    #expect(counts.all == [1, 2])
    #expect(view.count == 3)
  }

  @Test("its action creators and thunks")
  func effects() async {
    await todos.run(.load)
    #expect(todos.items.map(\.title) == ["milk", "bread"])
    #expect(!todos.isLoading)
  }
}

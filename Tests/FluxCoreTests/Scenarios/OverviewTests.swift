import FluxCore
import Testing

// The app of the overview, as the page shows it.

enum TodoAction: Action { case add(title: String), toggle(id: Int) }

struct TodoStore: Store {
  struct Item: StateValue {
    let id: Int
    let title: String
    var done = false
  }

  let initialState: [Item] = []

  func reduce(_ items: inout [Item], _ action: TodoAction, _ step: inout Step) throws {
    switch action {
    case .add(let title): items.append(Item(id: items.count + 1, title: title))
    case .toggle(let id):
      guard let index = items.firstIndex(where: { $0.id == id }) else {
        throw Rejection("there is no item \(id)")
      }
      items[index].done.toggle()
    }
  }
}

enum FilterAction: Action { case show(String) }

struct FilterStore: Store {
  let initialState = "all"

  func reduce(_ filter: inout String, _ action: FilterAction, _ step: inout Step) {
    if case .show(let name) = action { filter = name }
  }
}

@Suite struct OverviewTests {
  @Test("a selector over two stores follows both")
  func severalStores() {
    let printed = Recorded<String>()
    @Sendable func print(_ line: String) { printed.append(line) }
    let dispatcher = Dispatcher([TodoStore(), FilterStore()])
    let summary = dispatcher.observe { model in
      "\(model[TodoStore.self].count) items, \(model[FilterStore.self])"
    } _: { text in
      print(text)
    }
    dispatcher.dispatch(TodoAction.add(title: "milk"))
    dispatcher.dispatch(FilterAction.show("open"))
    #expect(printed.all == ["0 items, all", "1 items, all", "1 items, open"])
    withExtendedLifetime(summary) {}
  }

  @Test("the app of the overview does what it says")
  func app() {
    let printed = Recorded<String>()
    @Sendable func print(_ line: String) { printed.append(line) }
    let dispatcher = Dispatcher([TodoStore()])
    let todos = dispatcher.store(TodoStore.self)
    let receipt = todos.observe(\.count) { count in print("\(count) items") }
    todos.dispatch(.add(title: "milk"))
    #expect(printed.all == ["0 items", "1 items"])
    #expect(todos.dispatch(.toggle(id: 7)).rejection?.message == "there is no item 7")
    withExtendedLifetime(receipt) {}
  }
}

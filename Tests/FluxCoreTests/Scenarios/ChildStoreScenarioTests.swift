import FluxCore
import Testing

/// Stores for parts of a state, like Dispatch's child stores: scenarios D9 and D10.
@Suite struct ChildStoreScenarioTests {
  struct Item: StateValue {
    let title: String
    var isDone = false
  }

  struct Root: StateValue {
    var title = "Groceries"
    var items: [Item] = []
  }

  enum TitleAction: Action { case rename(String) }

  struct TitleStore: Store {
    let initialState = ""

    func reduce(_ title: inout String, _ action: TitleAction, _ step: inout Step) {
      switch action {
      case .rename(let newTitle): title = newTitle
      }
    }
  }

  enum ItemAction: Action { case markDone }

  struct ItemStore: Store {
    let initialState = Item(title: "")

    func reduce(_ item: inout Item, _ action: ItemAction, _ step: inout Step) {
      item.isDone = true
    }
  }

  enum ListAction: Action {
    case append(String)
    case item(at: Int, ItemAction)
  }

  struct ListStore: Store {
    let initialState: [Item] = []

    func reduce(_ items: inout [Item], _ action: ListAction, _ step: inout Step) throws {
      switch action {
      case .append(let title):
        items.append(Item(title: title))
      case .item(let index, let action):
        guard items.indices.contains(index) else { throw Rejection("no item \(index)") }
        ItemStore().reduce(&items[index], action, &step)
      }
    }
  }

  struct RootStore: Projection {
    let initialState = Root()
    var reactions: [Reaction<Root>] {
      [.child(\.title, TitleStore()), .child(\.items, ListStore())]
    }
  }

  let dispatcher = Dispatcher([RootStore()])

  @Test("D9: a child store by key path: child and root are both updated before any observer runs")
  func child() {
    let root = dispatcher.store(RootStore.self)
    let title = root.child(\.title)
    let seen = Recorded<[String]>()
    let ofChild = title.observe(initial: false, { $0 }) { seen.append([$0, root.title]) }
    let ofRoot = root.onChange { seen.append([title.state, $0.new.title]) }
    withExtendedLifetime((ofChild, ofRoot)) {
      _ = dispatcher.dispatch(TitleAction.rename("Books"))
    }
    #expect(seen.all == [["Books", "Books"], ["Books", "Books"]])
  }

  @Test("D10: an item that a list child appended and an item child marks is done in all three")
  func list() {
    let root = dispatcher.store(RootStore.self)
    let list = root.child(\.items)
    dispatcher.dispatch(ListAction.append("milk"))
    let item = list.child(\.[0])
    #expect(item.state == Item(title: "milk", isDone: false))
    dispatcher.dispatch(ListAction.item(at: 0, .markDone))
    #expect(item.isDone)
    #expect(list.state == [Item(title: "milk", isDone: true)])
    #expect(root.items == [Item(title: "milk", isDone: true)])
  }
}

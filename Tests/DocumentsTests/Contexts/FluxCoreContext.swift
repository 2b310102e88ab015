import FluxCore
import Foundation

/// The context of the code in FluxCore's documentation: a view model, its dispatcher, and its stores.
///
/// Pages that need more have a suite, such as `ComingFromTCATests`, which is the context of its page.
@MainActor final class FluxCoreContext {
  enum TodoAction: Action {
    case add(title: String), toggle(id: Int), clearCompleted, draft(String)
  }

  struct TodoStore: Store {
    struct State: StateValue {
      var items: [String] = []
      var draft = ""
      var count: Int { items.count }
    }

    let initialState = State()

    func reduce(_ todos: inout State, _ action: TodoAction, _ step: inout Step) {}
  }

  enum FilterAction: Action { case show(String) }

  struct FilterStore: Store {
    let initialState = "all"

    func reduce(_ filter: inout String, _ action: FilterAction, _ step: inout Step) {}
  }

  struct Engine: Sendable {}

  enum Search: StateValue { case preparing, inProgress(keyword: String) }

  enum SearchAction: Action { case setup, begin(keyword: String) }

  struct SearchStore: Store {
    let engine: Engine
    let initialState: Search? = nil

    func reduce(_ search: inout Search?, _ action: SearchAction, _ step: inout Step) {}
  }

  enum CartAction: Action { case add(String), redeem(String) }

  struct CartStore: Store {
    struct State: StateValue {
      var items: [String] = []
      var coupon = ""
      var price = 0
    }

    let initialState = State()

    func reduce(_ cart: inout State, _ action: CartAction, _ step: inout Step) {}
  }

  struct ShippingStore: Projection {
    let initialState = 0
    let reactions: [Reaction<Int>] = []
  }

  struct WishStore: Projection {
    let initialState = CartStore.State()
    let reactions: [Reaction<CartStore.State>] = []
  }

  enum LabelAction: Action { case rename(String) }

  struct LabelStore: Store {
    let initialState = ""

    func reduce(_ label: inout String, _ action: LabelAction, _ step: inout Step) {}
  }

  struct Row: StateValue, Identifiable {
    let id: Int
    var isDone = false
  }

  enum RowAction: Action { case toggle }

  enum ListAction: Action { case row(Int, RowAction) }

  struct State: StateValue {
    var rows: Keyed<Row> = []
    var label = ""
  }

  struct ListStore: Projection {
    let initialState = State()
    let reactions: [Reaction<State>] = []
  }

  struct Note: StateValue, Identifiable {
    let id: Int
    var text: String
  }

  struct Document: StateValue { var title: String }

  enum DocumentAction: Action { case rename(String), undo }

  enum CounterAction: Action { case increase, add(Int) }

  enum CommentAction: Action { case receive([String]) }

  enum CommentQuery: StateValue, Hashable { case comments(ofSite: Int) }

  struct CommentStore: QueryStore {
    let initialState: [String] = []

    func queriesChanged(_ queries: [CommentQuery], _ list: inout [String], _ step: inout Step) {}
    func reduce(_ list: inout [String], _ action: CommentAction, _ step: inout Step) {}
  }

  let engine = Engine()
  let dispatcher = Dispatcher([
    TodoStore(), FilterStore(), CartStore(), ShippingStore(), WishStore(), ListStore(),
    CommentStore(),
  ])
  var todos: StoreHandle<TodoStore> { dispatcher.store(TodoStore.self) }
  var cart: StoreHandle<CartStore> { dispatcher.store(CartStore.self) }
  var list: StoreHandle<ListStore> { dispatcher.store(ListStore.self) }
  var comments: StoreHandle<CommentStore> { dispatcher.store(CommentStore.self) }
  var history: LiveHistory { LiveHistory(dispatcher) }
  let note = Note(id: 1, text: "")
  var search: Search?
  let action = SearchAction.setup

  var count = 0
  var total = 0
  var problem: String?
}

/// The context of code that starts effects: the step of a reducer, and the service that its store asks.
final class RunningEffectsContext {
  typealias LibraryAction = EffectsPageTests.LibraryAction
  typealias LibraryStore = EffectsPageTests.LibraryStore
  typealias Loaded = EffectsPageTests.Loaded

  let service: EffectsPageTests.Service
  var step: Step

  init(_ service: EffectsPageTests.Service, _ step: consuming Step) {
    self.service = service
    self.step = step
  }
}

typealias SendContext = RunningEffectsContext
typealias RetryContext = RunningEffectsContext
typealias StepEffectsContext = RunningEffectsContext

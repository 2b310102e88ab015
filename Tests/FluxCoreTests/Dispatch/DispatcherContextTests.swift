import FluxCore
import Testing

@Suite struct DispatcherContextTests {
  /// Keeps its contexts.
  struct Witness: AttachedMiddleware {
    let contexts = Recorded<DispatcherContext>()

    func didAttach(_ context: DispatcherContext) {
      contexts.append(context)
    }
  }

  /// A store whose state type is called `State`.
  struct Shelf: Store {
    struct State: StateValue {
      var books = 0
    }

    let initialState = State()

    func reduce(_ state: inout State, _ action: LogAction, _ step: inout Step) {
      state.books += 1
    }
  }

  /// A feature: its state is an optional phase.
  struct Visit: Feature {
    enum Phase: StateValue {
      case reading
    }

    enum Action: FluxCore.Action {
      case enter
    }

    func reduce(_ visit: inout Phase?, _ action: Action, _ step: inout Step) {
      visit = .reading
    }
  }

  @Test("a middleware learns the stores' names and types, and which of them are features")
  func stores() {
    let witness = Witness()
    Dispatcher([CounterStore(), Shelf(), Visit()]).use(witness)
    let lines = witness.contexts.all.first?.stores.map {
      "\($0.id) \($0.typeName) \($0.isFeature)"
    }
    #expect(lines == ["counter Int false", "shelf Shelf.State false", "visit Visit true"])
  }
}

// A search in the manner of the Composable Architecture: a value that reduces an inout state and returns
// effects, which the store feeds back as actions. Nothing in this file knows of a recorder.
enum ComposableStyle {
  enum Effect<Action> {
    case none
    case send(Action)
  }

  struct Reduce<State, Action> {
    let reduce: (inout State, Action) -> Effect<Action>

    init(_ reduce: @escaping (inout State, Action) -> Effect<Action>) { self.reduce = reduce }
  }

  final class Store<State, Action> {
    private(set) var state: State
    private let reducer: Reduce<State, Action>

    init(_ state: State, _ reducer: Reduce<State, Action>) {
      self.state = state
      self.reducer = reducer
    }

    func send(_ action: Action) {
      switch reducer.reduce(&state, action) {
      case .none: break
      case .send(let next): send(next)
      }
    }
  }

  struct Search: Encodable, Sendable, Equatable {
    var query = ""
    var results: [String] = []
    var detail: Detail?

    struct Detail: Encodable, Sendable, Equatable { var title: String }
  }

  enum SearchAction: Encodable, Sendable {
    case queryChanged(String)
    case found([String])
    case opened(index: Int)
    case closed
  }

  static var search: Reduce<Search, SearchAction> {
    Reduce { state, action in
      switch action {
      case .queryChanged(let query):
        state.query = query
        return .send(.found(["\(query) 1", "\(query) 2"]))
      case .found(let results):
        state.results = results
        return .none
      case .opened(let index):
        state.detail = Search.Detail(title: state.results[index])
        return .none
      case .closed:
        state.detail = nil
        return .none
      }
    }
  }
}

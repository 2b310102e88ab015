// A counter in the manner of ReSwift: a class that holds the state, a pure function that makes the next one,
// middleware around the dispatch. Nothing in this file knows of a recorder.
enum ReSwiftStyle {
  protocol Action: Encodable, Sendable {}

  struct Increase: Action { var by = 1 }
  struct SetName: Action { let name: String? }
  struct Nothing: Action {}

  struct AppState: Encodable, Sendable, Equatable {
    var count = 0
    var name: String?
  }

  static func reducer(action: any Action, state: AppState?) -> AppState {
    var state = state ?? AppState()
    switch action {
    case let increase as Increase: state.count += increase.by
    case let set as SetName: state.name = set.name
    default: break
    }
    return state
  }

  typealias Dispatch = (any Action) -> Void
  typealias Middleware = (@escaping Dispatch, @escaping () -> AppState) -> Dispatch

  final class Store {
    private(set) var state: AppState
    private var chain: Dispatch = { _ in }
    private let reducer: (any Action, AppState?) -> AppState

    init(reducer: @escaping (any Action, AppState?) -> AppState, middleware: [Middleware]) {
      self.reducer = reducer
      state = reducer(Nothing(), nil)
      let last: Dispatch = { [unowned self] in self.state = self.reducer($0, self.state) }
      chain = middleware.reversed().reduce(last) { next, middleware in
        middleware(next, { [unowned self] in self.state })
      }
    }

    func dispatch(_ action: any Action) { chain(action) }
  }
}

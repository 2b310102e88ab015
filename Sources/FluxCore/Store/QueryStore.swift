/// A store that is told what its readers are interested in, and decides what to fetch.
///
/// A reader opens a query and keeps the receipt as long as it is interested. Opening and closing are
/// recorded actions, and the open queries are the state of a store of their own, called `todosQueries`
/// for a store called `todos`: so both are in a log, and replay the same.
/// ```swift
/// let receipt = comments.query(.comments(ofSite: 7))
/// ```
public protocol QueryStore<State>: Store {
  /// What a reader can be interested in.
  associatedtype Query: Codable & Equatable & Sendable

  /// Reacts to a query that was opened or closed, under the rules of ``Store/reduce(_:_:_:)``.
  ///
  /// - Parameters:
  ///   - queries: All open queries, in the order in which they were opened; equal ones stand as often as
  ///     they are open.
  ///   - state: The state to change in place.
  ///   - step: Time, randomness, other stores, follow-ups and effects.
  /// - Throws: A ``Rejection``, or any error, which counts as one.
  func queriesChanged(_ queries: [Query], _ state: inout State, _ step: inout Step) throws
}

extension QueryStore {
  /// The store of the open queries; not for calling.
  public var _companions: [any Store] { [OpenQueries(of: self)] }

  /// What follows from an opened or closed query; not for calling.
  public var _ownReactions: [Reaction<State>] {
    let queries = OpenQueries<Self>.id(for: id)
    return [
      .on(QueryAction<Self>.self) { state, _, step in
        try queriesChanged(try step[OpenQueries<Self>.self, queries], &state, &step)
      }
    ]
  }
}

extension StoreHandle where S: QueryStore {
  /// Opens a query; it is closed when the receipt is cancelled or let go.
  ///
  /// Where the store rejects it, middleware sees the rejection, the query is not open, and the receipt closes
  /// nothing.
  ///
  /// - Parameter query: What the caller is interested in.
  /// - Returns: The receipt.
  public func query(_ query: S.Query) -> Receipt {
    let id = id
    let outcome = dispatcher.dispatch(QueryAction<S>.opened(query), to: id)
    guard outcome.verdict != .rejected else { return Receipt {} }
    return Receipt { [engine = dispatcher.engine] in
      // A receipt is let go on any thread, perhaps with a lock of the app held: it must not wait.
      engine.dispatchWithoutWaiting(
        QueryAction<S>.closed(query), Call(file: #fileID, line: #line, target: id))
    }
  }

  /// The open queries, in the order in which they were opened.
  public var activeQueries: [S.Query] {
    dispatcher[OpenQueries<S>.self, OpenQueries<S>.id(for: id)]
  }
}

/// What happens to the queries of a store.
enum QueryAction<S: QueryStore>: Action {
  case opened(S.Query)
  case closed(S.Query)

  static var kind: String { typeName(of: S.self, droppingSuffix: "Store") + "Queries" }
}

/// The open queries of a store.
struct OpenQueries<S: QueryStore>: Store {
  let id: StoreID
  let initialState: [S.Query] = []
  private let storeID: StoreID

  init(of store: S) {
    storeID = store.id
    id = Self.id(for: store.id)
  }

  static func id(for store: StoreID) -> StoreID { StoreID("\(store)Queries") }

  func reduce(_ queries: inout [S.Query], _ action: QueryAction<S>, _ step: inout Step) throws {
    switch action {
    case .opened(let query): queries.append(query)
    case .closed(let query):
      guard let index = queries.lastIndex(of: query) else { throw Rejection.impossible }
      queries.remove(at: index)
    }
  }
}

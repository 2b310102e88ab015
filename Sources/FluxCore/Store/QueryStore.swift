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

  /// The stable name under which the opening and closing of queries is recorded, as ``Action/kind``.
  ///
  /// The default is the type's name, with `Queries` for `Store`. Declare it where two stores have one name.
  static var queryKind: String { get }

  /// Reacts to a query that was opened or closed, under the rules of ``Store/reduce(_:_:_:)``.
  ///
  /// A store that rejects the closing of a query keeps it open for good.
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
  /// The type's name, with `Queries` for `Store`, as in `commentsQueries`.
  public static var queryKind: String {
    typeName(of: Self.self, droppingSuffix: "Store") + "Queries"
  }

  /// The store of the open queries; not for calling.
  public var _companions: [any Store] { [OpenQueries(of: self)] }

  /// What follows from an opened or closed query; not for calling.
  public var _ownReactions: [Reaction<State>] {
    let queries = OpenQueries<Self>.id(for: id)
    return [
      .on(QueryAction<Self>.self) { state, _, step in
        let before = step.committedState(of: OpenQueries<Self>.self, queries)
        let open = try step[OpenQueries<Self>.self, queries]
        if open != before { try queriesChanged(open.map(\.query), &state, &step) }
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
  /// - Parameters:
  ///   - query: What the caller is interested in.
  ///   - file: Where the call stands; filled in by the compiler.
  ///   - line: Where the call stands; filled in by the compiler.
  /// - Returns: The receipt.
  public func query(
    _ query: S.Query, file: StaticString = #fileID, line: UInt = #line
  ) -> Receipt {
    let (id, engine) = (id, dispatcher.engine)
    let number = engine.nextQueryNumber()
    dispatcher.dispatch(
      QueryAction<S>.opened(query, number: number), to: id, file: file, line: line)
    let closed = QueryAction<S>.closed(number: number)
    let call = Call(file: file, line: line, target: id)
    return Receipt {
      _ = ActionReference.withReference(to: closed) { engine.dispatch($0, call) }
    } onRelease: {
      engine.enqueue(closed, call, then: nil)
    }
  }

  /// The open queries, in the order in which they were opened.
  public var activeQueries: [S.Query] {
    dispatcher[OpenQueries<S>.self, OpenQueries<S>.id(for: id)].map(\.query)
  }
}

/// What happens to the queries of a store.
enum QueryAction<S: QueryStore>: Action {
  case opened(S.Query, number: UInt64)
  case closed(number: UInt64)

  static var kind: String { S.queryKind }
}

/// A query that is open, with the number by which its receipt closes it.
struct OpenQuery<Query: Codable & Equatable & Sendable>: StateValue {
  let query: Query
  let number: UInt64
}

/// The open queries of a store.
struct OpenQueries<S: QueryStore>: Store {
  let id: StoreID
  let initialState: [OpenQuery<S.Query>] = []

  init(of store: S) {
    id = Self.id(for: store.id)
  }

  static func id(for store: StoreID) -> StoreID { StoreID("\(store)Queries") }

  func reduce(
    _ queries: inout [OpenQuery<S.Query>], _ action: QueryAction<S>, _ step: inout Step
  ) {
    switch action {
    case .opened(let query, let number): queries.append(OpenQuery(query: query, number: number))
    // One that is not open was rejected when it was to be opened: there is nothing to close.
    case .closed(let number): queries.removeAll { $0.number == number }
    }
  }
}

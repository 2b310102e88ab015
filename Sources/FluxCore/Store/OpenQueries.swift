/// Opens or closes a query of a store.
enum QueryAction<S: QueryStore>: Action {
  case opened(S.Query, number: UInt64)
  case closed(number: UInt64)
  /// Replaces the open queries after the app went back to another model.
  case reset(queries: [OpenQuery<S.Query>])

  static var kind: String { S.queryKind }
}

/// An open query with the number by which its receipt closes it.
struct OpenQuery<Query: Codable & Equatable & Sendable>: StateValue {
  let query: Query
  let number: UInt64
}

/// The companion of a query store: its state is the list of open queries.
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
    case .opened(let query, let number):
      // A reset may have opened it already.
      if queries.contains(where: { $0.number == number }) { return }
      queries.append(OpenQuery(query: query, number: number))
    // A query whose opening was rejected is not in the list; closing it changes nothing.
    case .closed(let number): queries.removeAll { $0.number == number }
    case .reset(let open): queries = open
    }
  }
}

/// A store of open queries, without the types of its queries.
protocol QueryCompanion {
  /// Returns the action that replaces the open queries; nil if they are those of the receipts already.
  static func reset(to live: [LiveQuery], from snapshot: StateSnapshot) -> (any Action)?

  /// Returns the actions that close and open one query each, with the queries' numbers; together they are the reset.
  static func changes(
    to live: [LiveQuery], from snapshot: StateSnapshot
  ) -> [(number: UInt64, action: any Action)]
}

/// A query whose receipt is alive; `slot` is that of the store of open queries.
typealias LiveQuery = (number: UInt64, value: (slot: Int, query: any Sendable))

extension OpenQueries: QueryCompanion {
  static func reset(to live: [LiveQuery], from snapshot: StateSnapshot) -> (any Action)? {
    let live = queries(live)
    guard live != snapshot.state(as: State.self) else { return nil }
    return QueryAction<S>.reset(queries: live)
  }

  static func changes(
    to live: [LiveQuery], from snapshot: StateSnapshot
  ) -> [(number: UInt64, action: any Action)] {
    let (live, open) = (queries(live), snapshot.state(as: State.self))
    let closed = open.filter { !live.contains($0) }
    let opened = live.filter { !open.contains($0) }
    return closed.map { ($0.number, QueryAction<S>.closed(number: $0.number)) }
      + opened.map { ($0.number, QueryAction<S>.opened($0.query, number: $0.number)) }
  }

  private static func queries(_ live: [LiveQuery]) -> [OpenQuery<S.Query>] {
    live.compactMap { number, live in
      (live.query as? S.Query).map { OpenQuery(query: $0, number: number) }
    }
  }
}

/// A store that knows its readers' open queries and decides what to fetch for them.
///
/// A reader opens a query and keeps the receipt while it is interested. Opening and closing are recorded
/// actions. The open queries are the state of a companion store, which is called `todosQueries` for a store
/// called `todos`. So both appear in logs, and both replay.
/// ```swift
/// let receipt = comments.query(.comments(ofSite: 7))
/// ```
public protocol QueryStore<State>: Store {
  /// The interest of a reader.
  associatedtype Query: Codable & Equatable & Sendable

  /// The stable name under which opening and closing are recorded, like ``Action/kind``.
  ///
  /// The default is the type's name with `Queries` instead of `Store`. Declare it if two stores have the same
  /// name.
  static var queryKind: String { get }

  /// Reacts to an opened or closed query; the rules of ``Store/reduce(_:_:_:)`` apply.
  ///
  /// If the store rejects the closing of a query, the query stays open.
  ///
  /// - Parameters:
  ///   - queries: All open queries in the order of their opening; equal queries appear once for each opening.
  ///   - state: The state to change in place.
  ///   - step: Gives time, randomness, other stores' states, follow-ups and effects.
  /// - Throws: A ``Rejection``, or any other error, which becomes one.
  func queriesChanged(_ queries: [Query], _ state: inout State, _ step: inout Step) throws
}

extension QueryStore {
  /// The type's name with `Queries` instead of `Store`, for example `commentsQueries`.
  public static var queryKind: String {
    typeName(of: Self.self, droppingSuffix: "Store") + "Queries"
  }

  /// Passes the open queries to `queriesChanged` if the action has changed them.
  func reduceQueries(
    _ state: inout State, _ action: QueryAction<Self>, _ step: inout Step
  ) throws {
    let queries = OpenQueries<Self>.id(for: id)
    let before = step.committedState(of: OpenQueries<Self>.self, queries)
    let open = try step[OpenQueries<Self>.self, queries]
    if open != before { try queriesChanged(open.map(\.query), &state, &step) }
  }
}

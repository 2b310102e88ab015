/// The effects that a step asked one store for.
public struct StoreEffects: Sendable, Equatable {
  /// The store.
  public var store: String
  /// The names, in order, as in a log: `save` was started and `-search` was cancelled.
  ///
  /// A started name that begins with `-` or `+` has a `+` before it.
  public var names: [String]

  /// Makes the effects of a store.
  public init(store: String, names: [String]) {
    self.store = store
    self.names = names
  }
}

/// The states of all stores at one position of a log.
public struct RecordedModel: Sendable, Equatable {
  /// The position, as ``Timeline`` counts.
  public let position: Int
  /// What is known of each store.
  public let states: [String: StoreState]

  /// The stores that are there or may be there, sorted by name.
  public var stores: [String] { states.keys.filter { states[$0] != .absent }.sorted() }

  /// The stores whose states are not known here, sorted by name.
  public var unknownStores: [String] { states.keys.filter { states[$0] == .unknown }.sorted() }

  /// The states that are known as one object, its members sorted by name.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      for (store, state) in states.sorted(by: { $0.key < $1.key }) {
        guard case .present(let json) = state else { continue }
        writer.name(store)
        writer.raw(json)
      }
      writer.endObject()
    })
  }
}

/// The states of all stores at one position of a log.
public struct RecordedModel: Sendable, Equatable {
  /// The position, as ``Timeline`` counts.
  public let position: Int
  /// What is known of each store, sorted by the bytes of the names.
  let entries: [Entry]

  /// One store, and what is known of it.
  struct Entry: Sendable, Equatable {
    let store: String
    let state: StoreState
  }

  /// What is known of each store.
  public var states: StoreDictionary<StoreState> {
    StoreDictionary(entries.map { ($0.store, $0.state) }, uniquingKeysWith: { first, _ in first })
  }

  /// The stores that are there or may be there, sorted by name.
  public var stores: [String] { entries.filter { $0.state != .absent }.map(\.store) }

  /// The stores whose states are not known here, sorted by name.
  public var unknownStores: [String] { entries.filter { $0.state == .unknown }.map(\.store) }

  /// The states that are known as one object, its members sorted by name.
  public var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      for entry in entries {
        guard case .present(let json) = entry.state else { continue }
        writer.name(entry.store)
        writer.raw(json)
      }
      writer.endObject()
    })
  }
}

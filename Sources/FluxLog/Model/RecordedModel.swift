public import FluxJSON

/// The states of all stores at one position of a log.
public struct RecordedModel: Sendable, Equatable {
  /// The position in the ``Timeline``.
  public let position: Int
  /// The known states, sorted by the bytes of the store names.
  let entries: [Entry]

  /// A store and its state, as far as it is known.
  struct Entry: Sendable, Equatable {
    let store: String
    let state: StoreState
  }

  /// The state of each store, if it is known.
  public var states: StoreDictionary<StoreState> {
    StoreDictionary(entries.map { ($0.store, $0.state) }, uniquingKeysWith: { first, _ in first })
  }

  /// The stores that are present or unknown, sorted by name.
  public var stores: [String] { entries.filter { $0.state != .absent }.map(\.store) }

  /// The stores whose states are unknown, sorted by name.
  public var unknownStores: [String] { entries.filter { $0.state == .unknown }.map(\.store) }

  /// The known states as one object, sorted by store name.
  public var json: JSON {
    JSON(object: entries.compactMap { entry in entry.state.json.map { (entry.store, $0) } })
  }
}

/// The state of a store at a position of a log, if it is known.
public enum StoreState: Sendable, Equatable {
  /// The store has this state, which may be `null`.
  case present(JSON)
  /// The store is an absent feature, or is not registered yet.
  case absent
  /// The state is not written here, or damage or a gap hides it until the store is next written whole.
  case unknown

  /// Makes a known state; `nil` for an absent store.
  init(_ json: JSON?) { self = json.map { .present($0) } ?? .absent }

  /// `true` unless the state is unknown; an absent state is known.
  public var isKnown: Bool { self != .unknown }

  /// Returns a value of the state; absent if the state does not have it.
  func value(at place: SinglePlace) -> StoreState {
    guard let json else { return self }
    return json.value(at: place).map { .present($0) } ?? .absent
  }

  /// The state; `nil` if it is absent or unknown.
  public var json: JSON? {
    guard case .present(let json) = self else { return nil }
    return json
  }
}

public import FluxJSON

/// The state of a store at a position of a log, if it is known.
public enum StoreState: Sendable, Equatable {
  /// The store has this state, which may be `null`.
  case present(JSON)
  /// The store is an absent feature, or is not registered yet.
  case absent
  /// Damage or a gap hides the state until the store is next written whole.
  case unknown

  /// `true` unless the state is unknown; an absent state is known.
  public var isKnown: Bool { self != .unknown }

  /// The state; `nil` if it is absent or unknown.
  public var json: JSON? {
    guard case .present(let json) = self else { return nil }
    return json
  }
}

/// A state machine that is either absent or present in one of its phases.
///
/// A feature is a store whose state is optional. Its transition table is one `switch` over phase and action.
/// It rejects everything else with `throw Rejection.impossible`:
/// ```swift
/// switch (search, action) {
/// case (nil, .setup): search = .preparing
/// case (.preparing, .begin(let keyword)): search = .inProgress(keyword: keyword)
/// default: throw Rejection.impossible
/// }
/// ```
public protocol Feature<Phase>: Store where State == Phase? {
  /// The phases of the state machine, usually an enum.
  associatedtype Phase: Codable & Equatable & Sendable
}

extension Feature {
  /// Nil: the feature is absent.
  public var initialState: Phase? { nil }
}

/// A state machine that is present in one of its phases, or absent.
///
/// A feature is a store whose state is optional. Its transition table is one `switch` over phase and
/// action, and everything the table does not allow is `throw Rejection.impossible`:
/// ```swift
/// switch (search, action) {
/// case (nil, .setup): search = .preparing
/// case (.preparing, .begin(let keyword)): search = .inProgress(keyword: keyword)
/// default: throw Rejection.impossible
/// }
/// ```
public protocol Feature<Phase>: Store where State == Phase? {
  /// The phases of the machine, an enum as a rule.
  associatedtype Phase: Codable & Equatable & Sendable
}

extension Feature {
  /// Absent.
  public var initialState: Phase? { nil }
}

/// The four ways in which a step can change a feature.
public enum Mutation: Sendable, Equatable {
  /// The feature appeared.
  case initialization
  /// The feature is in the same phase, with other values.
  case actualization
  /// The feature went from one phase to another.
  case transition
  /// The feature disappeared.
  case deinitialization
}

extension Mutation {
  /// Tells what happened to a feature; nil where it was absent and is absent.
  ///
  /// - Parameters:
  ///   - old: The phase before.
  ///   - new: The phase after, which differs.
  public init?<Phase: Equatable>(from old: Phase?, to new: Phase?) {
    switch (old, new) {
    case (nil, nil): return nil
    case (nil, .some): self = .initialization
    case (.some, nil): self = .deinitialization
    case (.some(let old), .some(let new)):
      self = areOfOneCase(old, new) ? .actualization : .transition
    }
  }
}

/// Whether two phases are of one case; phases that are no enums are all of one.
private func areOfOneCase(_ old: some Equatable, _ new: some Equatable) -> Bool {
  let (old, new) = (Mirror(reflecting: old), Mirror(reflecting: new))
  guard old.displayStyle == .enum else { return true }
  // A case without values has no label. Two of them differ, or there would be no change to speak of.
  guard let label = old.children.first?.label else { return false }
  return label == new.children.first?.label
}

/// A single difference between two values.
public struct ValueChange: Sendable, Equatable {
  /// The kind of a change.
  public enum Kind: String, Sendable {
    /// The value was added, so there is no old value.
    case add
    /// The value was removed, so there is no new value.
    case remove
    /// The value was replaced by another.
    case replace
  }

  /// The pointer to the value.
  public let path: Pointer
  /// The kind of the change.
  public let kind: Kind
  /// The value before the change; nil if it was added.
  public let old: JSON?
  /// The value after the change; nil if it was removed.
  public let new: JSON?

  /// Creates a change from an operation that has not been applied to the draft yet.
  init(_ operation: Patch.Operation, in draft: Draft) throws {
    path = operation.path
    switch operation {
    case .add(_, let value): (kind, old, new) = (.add, nil, value)
    case .remove: (kind, old, new) = (.remove, try draft.value(at: path), nil)
    case .replace(_, let value): (kind, old, new) = (.replace, try draft.value(at: path), value)
    case .move, .copy, .test, .splice: preconditionFailure("not made for people to read")
    }
  }
}

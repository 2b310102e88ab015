/// One thing that differs between two values.
public struct ValueChange: Sendable, Equatable {
  /// What happened to a value.
  public enum Kind: String, Sendable {
    /// It was added: there is no old value.
    case add
    /// It was removed: there is no new value.
    case remove
    /// It became another.
    case replace
  }

  /// Where the value is, or was.
  public let path: Pointer
  /// What happened to it.
  public let kind: Kind
  /// The value before this change, nil where it is added.
  public let old: JSON?
  /// The value after this change, nil where it is removed.
  public let new: JSON?

  /// Makes a change of an operation that is about to be applied to a draft.
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

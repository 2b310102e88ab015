/// A list of changes that turns one value into another: a JSON Patch (RFC 6902), and `splice` of
/// docs/log-format.md, "Patches", for long strings.
///
/// ```swift
/// let patch = before.patch(to: after)
/// try patch.applied(to: before) == after
/// ```
public struct Patch: Sendable, Equatable {
  /// One change.
  ///
  /// Operations are applied one after the other, each to what the one before left.
  public enum Operation: Sendable, Equatable {
    /// Adds a member, or an element before the one at that index; `-` is the end of an array.
    case add(Pointer, JSON)
    /// Removes a member or an element.
    case remove(Pointer)
    /// Puts another value in the place of one.
    case replace(Pointer, JSON)
    /// Removes a value and adds it elsewhere.
    case move(from: Pointer, to: Pointer)
    /// Adds a copy of a value elsewhere.
    case copy(from: Pointer, to: Pointer)
    /// Fails where the value is another one.
    case test(Pointer, JSON)
    /// Replaces `delete` Unicode scalars of a string at offset `at` by those of another string; a
    /// lone surrogate counts as one.
    case splice(Pointer, at: Int, delete: Int, insert: JSON)
  }

  /// The changes, in the order in which they are applied.
  public var operations: [Operation]

  /// Makes a patch of operations.
  public init(_ operations: [Operation] = []) {
    self.operations = operations
  }

  /// Whether the patch changes nothing.
  public var isEmpty: Bool { operations.isEmpty }

  /// Returns the value that the patch makes of another one: all of it, or an error.
  ///
  /// What does not change is copied as it stands, without being parsed again.
  ///
  /// - Throws: ``PatchError`` that names the operation that cannot be applied.
  public func applied(to value: JSON) throws(PatchError) -> JSON {
    var draft = Draft(value)
    try draft.apply(self)
    return draft.json()
  }
}

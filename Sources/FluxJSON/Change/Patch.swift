/// A list of operations that turns one value into another.
///
/// It is a JSON Patch (RFC 6902) with one more operation for long strings, `splice`. See "Patches"
/// in docs/log-format.md.
///
/// ```swift
/// let patch = before.patch(to: after)
/// try patch.applied(to: before) == after
/// ```
public struct Patch: Sendable, Equatable {
  /// One change of a patch.
  ///
  /// Each operation applies to the result of the previous one.
  public enum Operation: Sendable, Equatable {
    /// Adds or replaces a member, or inserts an element at an index; `-` appends to an array.
    case add(Pointer, JSON)
    /// Removes a member or an element.
    case remove(Pointer)
    /// Replaces an existing value.
    case replace(Pointer, JSON)
    /// Removes a value and adds it elsewhere.
    case move(from: Pointer, to: Pointer)
    /// Adds a copy of a value elsewhere.
    case copy(from: Pointer, to: Pointer)
    /// Fails if the value differs.
    case test(Pointer, JSON)
    /// Replaces `delete` Unicode scalars of a string at offset `at` by another string.
    ///
    /// A lone surrogate counts as one scalar.
    case splice(Pointer, at: Int, delete: Int, insert: JSON)
  }

  /// The operations, in the order in which they are applied.
  public var operations: [Operation]

  /// Creates a patch from operations.
  public init(_ operations: [Operation] = []) {
    self.operations = operations
  }

  /// `true` if the patch has no operations.
  public var isEmpty: Bool { operations.isEmpty }

  /// Applies the patch to a value and returns the result.
  ///
  /// Unchanged parts are copied without being parsed again.
  ///
  /// - Throws: ``PatchError``, which names the operation that cannot be applied.
  public func applied(to value: JSON) throws(PatchError) -> JSON {
    var draft = Draft(value)
    try draft.apply(self)
    return draft.json()
  }
}

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
    let operations: JSON
    do throws(JSONError) {
      operations = try JSON.parse(text)
    } catch {
      // A value of the patch nests as deep as a text may.
      throw PatchError(
        index: nil, operation: nil, path: nil, reason: .tooDeep(limit: JSON.maximumDepth))
    }
    return try value.applying([operations])
  }
}

extension JSON {
  /// Returns a patch that turns this value into another.
  ///
  /// The patch has only `add`, `remove`, `replace`, `copy` and `splice` operations. Its text is never
  /// longer than the text of a patch that replaces the whole value. The same is true for every
  /// value inside that changes. The patch is empty if the values are equal. Numbers that are only
  /// written differently are equal, except that a patch keeps the sign of a zero: 0 and -0 differ.
  ///
  /// Array elements are aligned in three ways, in this order:
  /// - Equal elements at both ends are paired first.
  /// - If all elements are objects with a unique `id`, `uuid` or `key`, it identifies them.
  /// - Otherwise a longest common subsequence pairs them up.
  ///
  /// The work is bounded by a multiple of the texts' lengths. Beyond that, values are replaced
  /// whole.
  public func patch(to other: JSON) -> Patch {
    Patch(JSONDifference.operations(from: self, to: other))
  }

  /// Returns the differences from this value to another, value by value, for people to read.
  ///
  /// If you apply the changes in order, they turn this value into the other. Each `old` is the
  /// value just before its change. The list is empty only if the values are equal.
  public func changes(to other: JSON) -> [ValueChange] {
    JSONDifference.changes(from: self, to: other)
  }

  /// Applies patches to this value in order, and returns the result.
  ///
  /// Each patch is an array of operations, and is applied directly from its text. The result is
  /// written only once. For hundreds of small patches, this takes a fraction of the time of calling
  /// ``Patch/applied(to:)`` for each.
  ///
  /// - Throws: ``PatchError`` if a patch cannot be applied.
  public func applying(_ patches: some Sequence<JSON>) throws(PatchError) -> JSON {
    try applying(patches, maximumDepth: Self.maximumDepth)
  }

  /// Applies patches to this value in order; the result may nest less deep than others.
  ///
  /// - Throws: As ``applying(_:)``.
  package func applying(
    _ patches: some Sequence<JSON>, maximumDepth: Int
  ) throws(PatchError) -> JSON {
    var draft = Draft(self, maximumDepth: maximumDepth)
    for patch in patches { try draft.apply(operations: patch) }
    return draft.json()
  }
}

/// A single difference between two values.
public struct ValueChange: Sendable, Equatable {
  /// The kind of a change.
  public enum Kind: String, Sendable, Encodable {
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

  package init(_ path: Pointer, old: JSON?, new: JSON?) {
    (self.path, self.old, self.new) = (path, old, new)
    kind = old == nil ? .add : new == nil ? .remove : .replace
  }
}

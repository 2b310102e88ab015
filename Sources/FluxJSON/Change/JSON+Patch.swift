extension JSON {
  /// Returns a patch that turns this value into another.
  ///
  /// The patch has only `add`, `remove`, `replace` and `splice` operations. Its text is never
  /// longer than the text of a patch that replaces the whole value. The same is true for every
  /// value inside that changes. The patch is empty if the values are equal. Numbers that are only
  /// written differently are equal.
  ///
  /// Array elements are aligned in three ways, in this order:
  /// - Equal elements at both ends are paired first.
  /// - If all elements are objects with a unique `id`, `uuid` or `key`, it identifies them.
  /// - Otherwise a longest common subsequence pairs them up.
  ///
  /// The work is bounded by a multiple of the texts' lengths. Beyond that, values are replaced
  /// whole.
  public func patch(to other: JSON) -> Patch {
    Patch(Difference.operations(from: self, to: other, style: .compact))
  }

  /// Returns the differences from this value to another, value by value, for people to read.
  ///
  /// If you apply the changes in order, they turn this value into the other. Each `old` is the
  /// value just before its change. The list is empty only if the values are equal.
  public func changes(to other: JSON) -> [ValueChange] {
    var draft = Draft(self)
    return Difference.operations(from: self, to: other, style: .detailed).map { operation in
      do {
        let change = try ValueChange(operation, in: draft)
        try draft.apply(Patch([operation]))
        return change
      } catch {
        preconditionFailure("a difference does not fit what it was made from: \(error)")
      }
    }
  }

  /// Applies patches to this value in order, and returns the result.
  ///
  /// Each patch is an array of operations, and is applied directly from its text. The result is
  /// written only once. For hundreds of small patches, this takes a fraction of the time of calling
  /// ``Patch/applied(to:)`` for each.
  ///
  /// - Throws: ``PatchError`` if a patch cannot be applied.
  public func applying(_ patches: some Sequence<JSON>) throws(PatchError) -> JSON {
    let patches = Array(patches)
    if patches.count >= Self.leastOverlaid, let result = overlaid(with: patches) { return result }
    var draft = Draft(self)
    for patch in patches { try draft.apply(operations: patch) }
    return draft.json()
  }

  /// The number of patches from which an overlay is faster than a draft.
  ///
  /// An overlay reserves space for each value inside this one, and a draft does not.
  private static let leastOverlaid = 8

  /// Applies patches with an overlay; returns nil if they need a draft.
  ///
  /// They need one if an operation is not a `replace`, or cannot be applied.
  private func overlaid(with patches: [JSON]) -> JSON? {
    document.withTape { tape in
      guard var overlay = PatchOverlay(self, on: tape) else { return nil }
      for patch in patches {
        guard overlay.take(patch) else { return nil }
      }
      return overlay.result()
    }
  }
}

extension JSON {
  /// Returns a patch that turns this value into another.
  ///
  /// It holds `add`, `remove`, `replace` and `splice` only, and its text is never longer than that
  /// of a patch that replaces the whole value, here and inside of every value that it changes. It
  /// is empty where the values are equal: a number that is written differently is no change.
  ///
  /// Elements of arrays are aligned: those that are equal at both ends first; then by the member
  /// `id`, `uuid` or `key`, where all elements are objects that have one and no two have the same;
  /// else by their longest common subsequence. The work is bounded by a multiple of the texts'
  /// lengths, beyond which values are replaced whole.
  public func patch(to other: JSON) -> Patch {
    Patch(Difference.operations(from: self, to: other, style: .compact))
  }

  /// Returns what differs, value by value, for people to read.
  ///
  /// Applied one after the other the changes turn this value into the other; each `old` is the
  /// value at that moment. The list is empty only where the values are equal.
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

  /// Returns what patches make of this value, applied one after the other.
  ///
  /// Each is given as its text is, an array of operations, and is applied straight from it: for
  /// hundreds of small changes this takes a fraction of the time that as many calls of
  /// ``Patch/applied(to:)`` would, as the result is put together once.
  ///
  /// - Throws: ``PatchError`` where one of them cannot be applied.
  public func applying(_ patches: some Sequence<JSON>) throws(PatchError) -> JSON {
    let patches = Array(patches)
    if patches.count >= Self.leastOverlaid, let result = overlaid(with: patches) { return result }
    var draft = Draft(self)
    for patch in patches { try draft.apply(operations: patch) }
    return draft.json()
  }

  /// To make a draft takes less than to have room for what becomes of each value inside, as long as
  /// there are few patches.
  private static let leastOverlaid = 8

  /// What patches make of this value; nil where they do anything but replace values, or cannot be
  /// applied.
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

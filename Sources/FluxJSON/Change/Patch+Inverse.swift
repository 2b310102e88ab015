extension Patch {
  /// Returns the patch that undoes this one.
  ///
  /// `before` is the value that this patch applies to. The inverse turns the patched value back
  /// into `before`.
  ///
  /// - Throws: ``PatchError`` if this patch cannot be applied.
  public func inverted(from before: JSON) throws(PatchError) -> Patch {
    var inverse: [Operation] = []
    try walk(from: before) { operation, draft in
      // The list is reversed below. It undoes a move's addition at `path` before its removal from
      // `from`.
      for (place, undo) in draft.journal.enumerated() {
        guard case .move(let from, _) = operation, place == 0, draft.journal.count > 1 else {
          inverse.append(draft.operation(undo, at: operation.path))
          continue
        }
        inverse.append(draft.operation(undo, at: from))
      }
    }
    return Patch(inverse.reversed())
  }

  /// Returns an equivalent patch with only the operations of RFC 6902, for other tools.
  ///
  /// A splice becomes a `replace` of the whole string. `before` is the value that this patch
  /// applies to.
  ///
  /// - Throws: ``PatchError`` if this patch cannot be applied.
  public func withoutSplices(from before: JSON) throws(PatchError) -> Patch {
    var standard: [Operation] = []
    try walk(from: before) { operation, draft in
      guard case .splice(let path, _, _, _) = operation else { return standard.append(operation) }
      do throws(PointerError) {
        standard.append(.replace(path, try draft.value(at: path)))
      } catch {
        preconditionFailure("a string that was edited is not there: \(error)")
      }
    }
    return Patch(standard)
  }

  /// Applies the operations in order, and calls `body` after each one.
  ///
  /// During the call, the draft's journal holds the edits of that operation.
  private func walk(
    from before: JSON, _ body: (Operation, Draft) -> Void
  ) throws(PatchError) {
    var draft = Draft(before)
    for (index, operation) in operations.enumerated() {
      do throws(PatchError) {
        try draft.apply(Patch([operation]))
      } catch {
        throw PatchError(
          index: index, operation: error.operation, path: error.path, reason: error.reason)
      }
      body(operation, draft)
    }
  }
}

extension Draft {
  /// Returns the operation that undoes one edit, which was made at `path`.
  fileprivate func operation(_ undo: Undo, at path: Pointer) -> Patch.Operation {
    switch undo {
    case .set(_, let slot): .replace(path, json(slot))
    case .insertElement(_, _, let slot), .insertMember(_, _, _, let slot): .add(path, json(slot))
    // The pointer may end with "-", which now means another place.
    case .removeElement(_, let index): .remove(path.parent.appending(index: index))
    case .removeMember: .remove(path)
    case .text(_, let former): .replace(path, WTF8.json(former))
    case .splice(_, let start, let deleted, let inserted):
      .splice(path, at: start, delete: deleted, insert: WTF8.json(inserted))
    }
  }
}

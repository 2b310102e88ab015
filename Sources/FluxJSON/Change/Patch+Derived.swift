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

  fileprivate mutating func perform(_ merge: Merge) throws(PatchError) -> [Merge] {
    guard merge.patch.kind == .object else {
      try apply(Patch([put(merge.patch, at: merge.path)]))
      return []
    }
    if kind(at: merge.path) != .object {
      try apply(Patch([put([:], at: merge.path)]))
    }
    var inner: [Merge] = []
    for (name, value) in merge.patch.exactMembers {
      let path = merge.path.appending(token: name)
      if !value.isNull {
        inner.append(Merge(path: path, patch: value))
      } else if kind(at: path) != nil {
        try apply(Patch([.remove(path)]))
      }
    }
    return inner
  }

  private func put(_ value: JSON, at path: Pointer) -> Patch.Operation {
    path == .root ? .replace(path, value) : .add(path, value)
  }

  private func kind(at path: Pointer) -> JSON.Kind? {
    do throws(PointerError.Reason) {
      return try path.bytes.withView { (bytes) throws(PointerError.Reason) in
        kind(try slot(at: bytes))
      }
    } catch {
      return nil
    }
  }
}

extension JSON {
  /// Applies a JSON Merge Patch (RFC 7386) to this value and returns the result.
  ///
  /// Members of the patch replace those with the same name, `null` removes them, and objects are
  /// merged. A patch that is not an object replaces the whole value. A merge patch cannot set a
  /// member to `null`, and can change an array only as a whole.
  ///
  /// - Throws: ``PatchError`` if the result would nest too deep or become too large.
  public func merged(with patch: JSON) throws(PatchError) -> JSON {
    var pending = [Merge(path: .root, patch: patch)]
    var draft = Draft(self)
    // An explicit stack instead of recursion, because a patch may be 512 levels deep.
    while let merge = pending.popLast() {
      pending.append(contentsOf: try draft.perform(merge).reversed())
    }
    return draft.json()
  }
}

private struct Merge {
  let path: Pointer
  let patch: JSON
}

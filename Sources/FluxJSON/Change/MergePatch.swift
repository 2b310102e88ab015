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

/// A part of a merge patch, and the path that it applies to.
private struct Merge {
  let path: Pointer
  let patch: JSON
}

extension Draft {
  /// Merges one level, and returns the merges to perform below it.
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

  /// Returns the kind of the value at a pointer; nil if there is no value.
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

extension JSON {
  /// Returns what a JSON Merge Patch (RFC 7386) makes of this value.
  ///
  /// Members of the patch replace those of the same name, `null` removes them, objects are merged;
  /// a patch that is no object replaces the whole value. So a merge patch cannot make a member
  /// `null`, nor change an array other than as a whole.
  ///
  /// - Throws: ``PatchError`` where the result would nest too deep or become too large.
  public func merged(with patch: JSON) throws(PatchError) -> JSON {
    var pending = [Merge(path: .root, patch: patch)]
    var draft = Draft(self)
    // The way down is kept here, not on the stack: a patch may be 512 levels deep.
    while let merge = pending.popLast() {
      pending.append(contentsOf: try draft.perform(merge).reversed())
    }
    return draft.json()
  }
}

/// A part of a merge patch, and the value that it is for.
private struct Merge {
  let path: Pointer
  let patch: JSON
}

extension Draft {
  /// Merges one level, and returns what is to be merged inside of it.
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

  /// The kind of the value at a pointer; nil where there is none.
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

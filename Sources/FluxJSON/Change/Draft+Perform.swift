extension Draft {
  /// The number of bytes that `copy` and `move` may add to a draft.
  ///
  /// Copies of copies grow exponentially. Without a limit, forty operations of fifty bytes each
  /// could produce a terabyte.
  static let copyLimit = 1 << 28

  /// Performs one operation.
  ///
  /// If it fails, the journal holds the edits to undo.
  mutating func perform(_ step: PatchStep) throws(PatchError.Reason) {
    switch step.kind {
    case .add: try add(step.value, at: step.path)
    case .replace:
      try check(step.value, at: step.path)
      replace(try position(step.path), with: step.value)
    case .remove: try remove(step.path)
    case .test:
      let found = try json(slot(step.path))
      guard found == json(step.value) else { throw .testFailed(found: found) }
    case .splice: try splice(step)
    case .move: try move(step.from, to: step.path)
    case .copy: try add(copied(step.from), at: step.path)
    }
  }

  private mutating func add(_ value: Slot, at path: JSONBytes) throws(PatchError.Reason) {
    try check(value, at: path)
    add(value, at: try target(path))
  }

  private mutating func remove(_ path: JSONBytes) throws(PatchError.Reason) {
    let position = try position(path)
    guard position != .root else { throw .removesRoot }
    remove(position)
  }

  private mutating func move(
    _ from: JSONBytes, to path: JSONBytes
  ) throws(PatchError.Reason) {
    let source = try pointer(from)
    let destination = try pointer(path)
    guard source != destination else {
      _ = try slot(from)
      return
    }
    guard !destination.isWithin(source) else { throw .movesIntoItself }
    let value = try copied(from)
    try remove(from)
    try add(value, at: path)
  }

  private mutating func splice(_ step: PatchStep) throws(PatchError.Reason) {
    let position = try position(step.path)
    let kind = kind(self[position])
    guard kind == .string else { throw .notAString(kind) }
    let inserted = json(step.value)
    guard inserted.kind == .string else { throw .notAString(inserted.kind) }
    try count(bytes: inserted.byteCount, nodes: 0)
    let text = text(position)
    let count = texts[text].count
    guard step.at >= 0, step.deleted >= 0, step.at <= count, step.deleted <= count - step.at else {
      throw .outOfRange(at: step.at, delete: step.deleted, count: count)
    }
    splice(text, start: step.at, deleted: step.deleted, inserted: WTF8.bytes(of: inserted))
  }

  // MARK: Limits

  /// Returns the value at a pointer, ready to be inserted elsewhere.
  ///
  /// A changed value gets a document of its own. Its depth can then be measured, and later edits of
  /// the original do not affect the copy.
  private mutating func copied(_ from: JSONBytes) throws(PatchError.Reason) -> Slot {
    let value = try json(slot(from))
    guard value.byteCount <= Draft.copyLimit - copiedBytes else { throw .copiesTooMuch }
    copiedBytes += value.byteCount
    return slot(for: value)
  }

  /// Checks that inserting a value at a pointer exceeds no limit.
  private mutating func check(_ value: Slot, at path: JSONBytes) throws(PatchError.Reason) {
    let (bytes, nodes) = sources[Int(value.owner)].withTape { tape in
      let node = tape[value.index]
      return (Int(node.end - node.start), Int(node.next) - value.index)
    }
    // Measuring the depth is rarely needed. A value with no more nodes than there are levels left
    // cannot nest too deep, and a pointer has fewer tokens than bytes.
    guard nodes <= JSON.maximumDepth - path.count || fits(value, nodes: nodes, at: path) else {
      throw .tooDeep
    }
    // A name can be six times as long in a text as in a pointer. The 8 covers the punctuation.
    try count(bytes: bytes + 6 * path.count + 8, nodes: nodes + 1)
  }

  private func fits(_ value: Slot, nodes: Int, at path: JSONBytes) -> Bool {
    let room =
      JSON.maximumDepth - (unsafe path.slice(0, path.count).count { $0 == UInt8(ascii: "/") })
    return nodes <= room || json(value).depth <= room
  }

  private mutating func count(bytes: Int, nodes: Int) throws(PatchError.Reason) {
    guard bytes <= JSON.maximumByteCount - sizeBound else { throw .tooLarge }
    sizeBound += bytes
    nodeBound += nodes
  }

  // MARK: Pointers

  private mutating func target(_ path: JSONBytes) throws(PatchError.Reason) -> Target {
    do throws(PointerError.Reason) {
      return try locate(path)
    } catch {
      throw .pointer(PointerError(pointer: path.text, reason: error))
    }
  }

  /// Returns the position of an existing value.
  private mutating func position(_ path: JSONBytes) throws(PatchError.Reason) -> Position {
    switch try target(path) {
    case .found(let position): return position
    case .newElement, .newMember:
      // The value is missing, so `slot` throws the error that says why.
      _ = try slot(path)
      preconditionFailure("a pointer leads to a value and to none")
    }
  }

  private func slot(_ path: JSONBytes) throws(PatchError.Reason) -> Slot {
    do throws(PointerError.Reason) {
      if let fault = PointerTokens(path).fault { throw fault }
      return try slot(at: path)
    } catch {
      throw .pointer(PointerError(pointer: path.text, reason: error))
    }
  }

  private func pointer(_ path: JSONBytes) throws(PatchError.Reason) -> Pointer {
    do throws(PointerError.Reason) {
      return try path.pointer()
    } catch {
      throw .pointer(PointerError(pointer: path.text, reason: error))
    }
  }
}

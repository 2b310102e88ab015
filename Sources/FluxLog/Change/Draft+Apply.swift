extension Draft {
  /// The bytes that `copy` and `move` may add to a draft.
  ///
  /// Copies of copies grow as powers of two:
  /// forty operations of fifty bytes each would otherwise make a terabyte.
  static let copyLimit = 1 << 28

  /// Applies a patch: all of it, or nothing and an error.
  mutating func apply(_ patch: Patch) throws(PatchError) {
    journal.removeAll(keepingCapacity: true)
    for (index, operation) in patch.operations.enumerated() {
      try perform(PatchStep(operation), index: index)
    }
  }

  /// Applies a patch straight from its text: all of it, or nothing and an error.
  mutating func apply(operations: JSON) throws(PatchError) {
    guard operations.kind == .array else {
      throw PatchError(index: nil, operation: nil, path: nil, reason: .notAnArray)
    }
    journal.removeAll(keepingCapacity: true)
    var index = 0
    for operation in operations.elements {
      let step: PatchStep
      do throws(PatchError.Reason) {
        step = try PatchStep(reading: operation)
      } catch {
        undoAll()
        throw PatchError(
          index: index, operation: operation["op"]?.string, path: operation["path"]?.string,
          reason: error)
      }
      try perform(step, index: index)
      index += 1
    }
  }

  private mutating func perform(_ step: PatchStep, index: Int) throws(PatchError) {
    do throws(PatchError.Reason) {
      try perform(step)
    } catch {
      undoAll()
      throw PatchError(
        index: index, operation: step.kind.rawValue, path: step.path.description, reason: error)
    }
  }

  private mutating func perform(_ step: PatchStep) throws(PatchError.Reason) {
    switch step.kind {
    case .add: try add(step.required(step.value, "value"), at: step.path)
    case .replace:
      let slot = try checked(step.required(step.value, "value"), at: step.path)
      replace(try position(step.path), with: slot)
    case .remove: _ = try remove(step.path)
    case .test: try test(step)
    case .splice: try splice(step)
    case .move:
      try move(step.required(step.from, "from"), to: step.path)
    case .copy:
      let copy = try json(slot(at: step.required(step.from, "from")))
      try countCopy(copy)
      try add(copy, at: step.path)
    }
  }

  // MARK: Operations

  private mutating func add(_ value: JSON, at path: PatchStep.Path) throws(PatchError.Reason) {
    let slot = try checked(value, at: path)
    add(slot, at: try target(path))
  }

  private mutating func remove(_ path: PatchStep.Path) throws(PatchError.Reason) -> Slot {
    let position = try position(path)
    guard position != .root else { throw .removesRoot }
    return remove(position)
  }

  private func test(_ step: PatchStep) throws(PatchError.Reason) {
    let found = try json(slot(at: step.path))
    guard try found == step.required(step.value, "value") else { throw .testFailed(found: found) }
  }

  private mutating func move(
    _ from: PatchStep.Path, to path: PatchStep.Path
  ) throws(PatchError.Reason) {
    let source = try from.pointer()
    let destination = try path.pointer()
    guard source != destination else {
      _ = try slot(at: from)
      return
    }
    guard !destination.isWithin(source) else { throw .movesIntoItself }
    // What was changed is made a value of its own, whose depth can be measured.
    let moved = try json(slot(at: from))
    try countCopy(moved)
    _ = try remove(from)
    try add(moved, at: path)
  }

  private mutating func splice(_ step: PatchStep) throws(PatchError.Reason) {
    let position = try position(step.path)
    let kind = kind(self[position])
    guard kind == .string else { throw .notAString(kind) }
    let inserted = try step.required(step.value, "value")
    try count(inserted.byteCount)
    let text = text(position)
    let count = texts[text].count
    guard step.at <= count, step.deleted <= count - step.at else {
      throw .outOfRange(at: step.at, delete: step.deleted, count: count)
    }
    splice(text, start: step.at, deleted: step.deleted, inserted: WTF8.bytes(of: inserted))
  }

  // MARK: Limits

  /// The slot of a value that is to be put there, if it may be.
  private mutating func checked(
    _ value: JSON, at path: PatchStep.Path
  ) throws(PatchError.Reason) -> Slot {
    let (tokens, length) = path.withBytes { bytes in
      (unsafe bytes.slice(0, bytes.count).count { $0 == UInt8(ascii: "/") }, bytes.count)
    }
    let room = JSON.maximumDepth - tokens
    guard value.depthBound <= room || value.depth <= room else { throw .tooDeep }
    // A name can be six times as long in a text as in a pointer; 8 is more than what is around it.
    try count(value.byteCount + 6 * length + 8)
    return slot(for: value)
  }

  private mutating func count(_ bytes: Int) throws(PatchError.Reason) {
    guard bytes <= JSON.maximumByteCount - sizeBound else { throw .tooLarge }
    sizeBound += bytes
  }

  private mutating func countCopy(_ copy: JSON) throws(PatchError.Reason) {
    guard copy.byteCount <= Draft.copyLimit - copiedBytes else { throw .tooLarge }
    copiedBytes += copy.byteCount
  }

  // MARK: Pointers

  private mutating func target(_ path: PatchStep.Path) throws(PatchError.Reason) -> Target {
    do throws(PointerError.Reason) {
      return try path.withBytes { (bytes) throws(PointerError.Reason) in try locate(bytes) }
    } catch {
      throw .pointer(PointerError(pointer: path.description, reason: error))
    }
  }

  /// The position of a value that is there.
  private mutating func position(_ path: PatchStep.Path) throws(PatchError.Reason) -> Position {
    switch try target(path) {
    case .found(let position): return position
    case .newElement, .newMember:
      // Nothing was changed, so this fails in the same way and says why.
      _ = try slot(at: path)
      preconditionFailure("a pointer leads to a value and to none")
    }
  }

  private func slot(at path: PatchStep.Path) throws(PatchError.Reason) -> Slot {
    do throws(PointerError.Reason) {
      return try path.withBytes { (bytes) throws(PointerError.Reason) in
        if let fault = unsafe Pointer.fault(in: bytes.slice(0, bytes.count)) { throw fault }
        return try slot(at: bytes)
      }
    } catch {
      throw .pointer(PointerError(pointer: path.description, reason: error))
    }
  }
}

extension Draft {
  /// Applies a patch, an array of operations; if an operation fails, the draft is unchanged.
  package mutating func apply(operations: JSON) throws(PatchError) {
    guard operations.kind == .array else {
      throw PatchError(index: nil, operation: nil, path: nil, reason: .notAnArray)
    }
    if isCrowded { self = Draft(json(), copyLimit: copyLimit, maximumDepth: maximumDepth) }
    journal.removeAll(keepingCapacity: true)
    try apply(operations.place + 1..<Int(operations.node.next), of: operations.document)
  }

  /// Applies the operations in a range of a tape; if one fails, the draft is unchanged.
  package mutating func apply(
    _ operations: Range<Int>, of document: JSONDocument
  ) throws(PatchError) {
    let owner = owner(of: document)
    let start = mark
    do throws(PatchError) {
      try document.withTape { (tape) throws(PatchError) in
        var place = operations.lowerBound
        var index = 0
        while place < operations.upperBound {
          try perform(place, owner, on: tape, index: index)
          place = Int(tape[place].next)
          index += 1
        }
      }
    } catch {
      rewind(to: start)
      throw error
    }
  }

  private mutating func perform(
    _ operation: Int, _ owner: UInt32, on tape: JSONTape, index: Int
  ) throws(PatchError) {
    let step: PatchStep
    do throws(PatchError.Reason) {
      step = try PatchStep(reading: operation, on: tape)
    } catch {
      throw PatchError(index: index, operation: nil, path: nil, reason: error)
    }
    try tape.withText(step.path) { (path) throws(PatchError) in
      do throws(PatchError.Reason) {
        try perform(step, owner, at: path, on: tape)
      } catch {
        throw PatchError(
          index: index, operation: step.kind.rawValue, path: path.text, reason: error)
      }
    }
  }

  private mutating func perform(
    _ step: PatchStep, _ owner: UInt32, at path: JSONBytes, on tape: JSONTape
  ) throws(PatchError.Reason) {
    let value = Slot(owner: owner, place: UInt32(truncatingIfNeeded: step.value))
    switch step.kind {
    case .add: try add(value, at: path)
    case .replace:
      try check(value, at: path)
      replace(try position(path), with: value)
    case .remove: try remove(path)
    case .test:
      let found = try json(slot(path))
      guard found == json(value) else { throw .testFailed(found: found) }
    case .splice: try splice(step, json(value), at: path)
    case .move:
      try tape.withText(step.from) { (from) throws(PatchError.Reason) in try move(from, to: path) }
    case .copy:
      try tape.withText(step.from) { (from) throws(PatchError.Reason) in
        try add(copied(from, isSecond: true), at: path)
      }
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
    let value = try copied(from, isSecond: false)
    try remove(from)
    try add(value, at: path)
  }

  private mutating func splice(
    _ step: PatchStep, _ inserted: JSON, at path: JSONBytes
  ) throws(PatchError.Reason) {
    let position = try position(path)
    let kind = kind(self[position])
    guard kind == .string else { throw .notAString(kind) }
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
  /// Copies of copies grow exponentially. Without a limit, forty operations of fifty bytes each could produce a
  /// terabyte. So a document may not grow beyond the limit by copies, and one patch may not move more than
  /// that.
  private mutating func copied(
    _ from: JSONBytes, isSecond: Bool
  ) throws(PatchError.Reason) -> Slot {
    let value = json(try slot(from))
    let added = memory(value.byteCount, value.nodeCount)
    guard added <= copyLimit.byteCount - copiedBytes, !isSecond || hasRoom(for: added) else {
      throw .copiesTooMuch(limit: copyLimit.byteCount)
    }
    copiedBytes += added
    return slot(for: value)
  }

  /// `true` if the document and a copy fit into the limit.
  private func hasRoom(for added: Int) -> Bool {
    let room = copyLimit.byteCount - added
    guard memory(sizeBound, nodeBound) > room else { return true }
    // The bounds count removed values, too.
    let document = json()
    return memory(document.byteCount, document.nodeCount) <= room
  }

  /// The memory of a text and its tape.
  private func memory(_ bytes: Int, _ nodes: Int) -> Int {
    bytes + nodes * MemoryLayout<JSONNode>.size
  }

  /// Checks that inserting a value at a pointer exceeds no limit.
  private mutating func check(_ value: Slot, at path: JSONBytes) throws(PatchError.Reason) {
    let (bytes, nodes) = sources[Int(value.owner)].withTape { tape in
      let node = tape[value.index]
      return (Int(node.end - node.start), Int(node.next) - value.index)
    }
    // Measuring the depth is rarely needed. A value with no more nodes than there are levels left
    // cannot nest too deep, and a pointer has fewer tokens than bytes.
    guard nodes <= maximumDepth - path.count || fits(value, nodes: nodes, at: path) else {
      throw .tooDeep(limit: maximumDepth)
    }
    // A name can be six times as long in a text as in a pointer. The 8 covers the punctuation.
    try count(bytes: bytes + 6 * path.count + 8, nodes: nodes + 1)
  }

  private func fits(_ value: Slot, nodes: Int, at path: JSONBytes) -> Bool {
    let room =
      maximumDepth - (unsafe path.slice(0, path.count).count { $0 == UInt8(ascii: "/") })
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

extension JSONTape {
  /// Calls `body` with the decoded content of a string, in WTF-8.
  @inline(__always)
  func withText<Result, Failure>(
    _ string: Int, _ body: (JSONBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard self[string].has(JSONNode.escaped) else {
      return try body(unsafe JSONBytes(content(string)))
    }
    return try wtf8(string).withView(body)
  }
}

extension JSONBytes {
  var text: String { unsafe WTF8.string(slice(0, count)) }

  func pointer() throws(PointerError.Reason) -> Pointer {
    let bytes = unsafe [UInt8](slice(0, count))
    if let fault = Pointer.fault(in: bytes) { throw fault }
    return Pointer(checked: bytes)
  }
}

extension [UInt8] {
  func withView<Result, Failure>(
    _ body: (JSONBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { (bytes) throws(Failure) in
      try body(unsafe JSONBytes(UnsafeRawBufferPointer(bytes)))
    }
  }
}

extension Draft {
  /// Applies a patch; if an operation fails, the draft is unchanged.
  mutating func apply(_ patch: Patch) throws(PatchError) {
    settle()
    journal.removeAll(keepingCapacity: true)
    let start = mark
    do throws(PatchError) {
      for (index, operation) in patch.operations.enumerated() {
        let value = operation.value.map { slot(for: $0) } ?? .removed
        try operation.withStep(value) { (step) throws(PatchError) in
          try perform(step, index: index)
        }
      }
    } catch {
      rewind(to: start)
      throw error
    }
  }

  /// Applies a patch directly from its text; if an operation fails, the draft is unchanged.
  mutating func apply(operations: JSON) throws(PatchError) {
    guard operations.kind == .array else {
      throw PatchError(index: nil, operation: nil, path: nil, reason: .notAnArray)
    }
    settle()
    journal.removeAll(keepingCapacity: true)
    try apply(operations.place + 1..<Int(operations.node.next), of: operations.document)
  }

  /// Applies the operations in a range of a tape; if one fails, the draft is unchanged.
  ///
  /// Keeps the journal and does not settle the draft, so existing marks stay valid.
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
          try perform(try read(place, on: tape, index: index), owner, on: tape, index: index)
          place = Int(tape[place].next)
          index += 1
        }
      }
    } catch {
      rewind(to: start)
      throw error
    }
  }

  private func read(
    _ operation: Int, on tape: JSONTape, index: Int
  ) throws(PatchError) -> OperationPlaces {
    do throws(PatchError.Reason) {
      return try OperationPlaces(reading: operation, on: tape)
    } catch {
      throw PatchError(index: index, operation: nil, path: nil, reason: error)
    }
  }

  private mutating func perform(
    _ places: OperationPlaces, _ owner: UInt32, on tape: JSONTape, index: Int
  ) throws(PatchError) {
    try tape.withText(places.path) { (path) throws(PatchError) in
      var step = PatchStep(
        kind: places.kind, path: path, from: path,
        value: Slot(owner: owner, place: UInt32(truncatingIfNeeded: places.value)),
        at: places.at, deleted: places.deleted)
      guard places.kind.hasSource else { return try perform(step, index: index) }
      try tape.withText(places.from) { (from) throws(PatchError) in
        step.from = from
        try perform(step, index: index)
      }
    }
  }

  private mutating func perform(_ step: PatchStep, index: Int) throws(PatchError) {
    do throws(PatchError.Reason) {
      try perform(step)
    } catch {
      throw PatchError(
        index: index, operation: step.kind.rawValue, path: step.path.text, reason: error)
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
    return try unsafe WTF8.bytes(of: content(string), isEscaped: true).withView(body)
  }
}

extension JSONBytes {
  /// The bytes as a string.
  var text: String { unsafe WTF8.string(slice(0, count)) }

  /// Returns the bytes as a pointer.
  func pointer() throws(PointerError.Reason) -> Pointer {
    let bytes = unsafe [UInt8](slice(0, count))
    if let fault = Pointer.fault(in: bytes) { throw fault }
    return Pointer(checked: bytes)
  }
}

extension [UInt8] {
  /// Calls `body` with a view of the bytes.
  func withView<Result, Failure>(
    _ body: (JSONBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe span.bytes.withUnsafeBytes { (bytes) throws(Failure) in
      try body(unsafe JSONBytes(bytes))
    }
  }
}

extension Patch.Operation {
  /// The value that the operation carries; nil if it carries none.
  fileprivate var value: JSON? {
    switch self {
    case .add(_, let value), .replace(_, let value), .test(_, let value),
      .splice(_, _, _, let value):
      value
    case .remove, .move, .copy: JSON?.none
    }
  }

  fileprivate func withStep<Failure>(
    _ value: Draft.Slot, _ body: (PatchStep) throws(Failure) -> Void
  ) throws(Failure) {
    let kind = PatchStep.Kind(self)
    try path.bytes.withView { (path) throws(Failure) in
      switch self {
      case .add, .remove, .replace, .test:
        try body(PatchStep(kind: kind, path: path, from: path, value: value))
      case .splice(_, let at, let deleted, _):
        try body(
          PatchStep(
            kind: kind, path: path, from: path, value: value, at: at, deleted: deleted))
      case .move(let from, _), .copy(let from, _):
        try from.bytes.withView { (from) throws(Failure) in
          try body(PatchStep(kind: kind, path: path, from: from))
        }
      }
    }
  }
}

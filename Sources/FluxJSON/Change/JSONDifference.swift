/// Finds the differences between two parsed texts.
///
/// It compares texts as bytes first, from both ends. Everything before and after the differing
/// part is skipped. Only the rest is compared by value.
package struct JSONDifference {
  enum Style {
    /// For storage: as few bytes as possible.
    case compact
    /// For people: one operation for each value that differs, whatever the size.
    case detailed
  }

  /// The number of equal bytes at both ends of two spans; nil if unknown.
  struct Ends {
    var head: Int?
    var tail: Int?
  }

  /// The nesting depth from which containers are replaced whole, because `compare` is recursive.
  package static let depthLimit = 100

  let old: JSONTape
  let new: JSONTape
  private let oldDocument: JSONDocument
  private let newDocument: JSONDocument
  let style: Style
  var path = DifferencePath()
  /// The members that are still to be compared, of each object around the current value.
  var pending: [PendingMembers] = []
  /// The operations of a difference for storage.
  private(set) var operations: [Patch.Operation] = []
  /// The changes of a difference for people.
  private(set) var changes: [ValueChange] = []
  /// The bytes of the operations' texts, with a comma each.
  private var size = 0
  /// The size beyond which an enclosing value is replaced whole anyway.
  private var limit = Int.max
  /// The work left, in bytes compared one by one.
  var budget: Int
  private var depth = 0

  /// Returns the operations that turn one value into another, for storage.
  static func operations(
    from old: JSON, to new: JSON, budget: Int? = nil
  ) -> [Patch.Operation] {
    comparing(old, new, .compact, budget) { $0.operations }
  }

  /// Returns the values that differ, for people.
  static func changes(from old: JSON, to new: JSON) -> [ValueChange] {
    comparing(old, new, .detailed, nil) { $0.changes }
  }

  private static func comparing<Result>(
    _ old: JSON, _ new: JSON, _ style: Style, _ budget: Int?, _ result: (JSONDifference) -> Result
  ) -> Result {
    old.document.withTape { oldTape in
      new.document.withTape { newTape in
        let budget = budget ?? 8 * (old.byteCount + new.byteCount) + 65_536
        var difference = JSONDifference(
          old: oldTape, new: newTape, oldDocument: old.document, newDocument: new.document,
          style: style, budget: budget)
        difference.compare(old.place, new.place)
        return result(difference)
      }
    }
  }

  /// `true` if the operations so far are longer than replacing an enclosing value.
  var isFutile: Bool { size > limit }

  mutating func compare(_ old: Int, _ new: Int, _ known: Ends = Ends()) {
    let kind = self.old[old].kind
    guard kind == self.new[new].kind else { return replace(old, with: new) }
    switch kind {
    case .null: return
    case .bool, .number:
      if !hasEqualValue(old, new) { replace(old, with: new) }
      return
    case .string: return compareStrings(old, new)
    case .array, .object: break
    }
    guard let ends = ends(old, new, known) else { return }
    guard budget > 0, depth < JSONDifference.depthLimit else {
      if !hasEqualValue(old, new) { replace(old, with: new) }
      return
    }
    depth += 1
    attempt(old, new) { difference in
      if kind == .array {
        difference.compareArrays(old, new, ends)
      } else {
        difference.compareObjects(old, new, ends)
      }
    }
    depth -= 1
  }

  private mutating func attempt(
    _ old: Int, _ new: Int, _ find: (inout JSONDifference) -> Void
  ) {
    guard style == .compact else { return find(&self) }
    let whole = replaceSize(new)
    let (sizeBefore, countBefore, limitBefore) = (size, operations.count, limit)
    limit = min(limit, size + whole)
    find(&self)
    limit = limitBefore
    guard size - sizeBefore > whole else { return }
    operations.removeSubrange(countBefore...)
    size = sizeBefore
    replace(old, with: new)
  }

  /// Returns the number of equal bytes at both ends of two containers; nil if all bytes are equal.
  private mutating func ends(_ old: Int, _ new: Int, _ known: Ends) -> (head: Int, tail: Int)? {
    let left = unsafe self.old.span(old)
    let right = unsafe self.new.span(new)
    let shorter = min(left.count, right.count)
    let head = unsafe min(known.head ?? left.commonPrefix(with: right), shorter)
    if head == left.count, head == right.count { return nil }
    let tail = unsafe min(known.tail ?? left.commonSuffix(with: right), shorter - head)
    // Comparing bytes in bulk is cheaper than comparing them one by one.
    if known.head == nil || known.tail == nil { budget -= shorter / 16 }
    return (head, tail)
  }

  /// Derives the equal ends of two values from the equal ends of their containers.
  func ends(
    of old: Int, _ new: Int, in oldParent: Int, _ newParent: Int, _ ends: (head: Int, tail: Int)
  ) -> Ends {
    var known = Ends()
    let before = Int(self.old[old].start) - Int(self.old[oldParent].start)
    if before <= ends.head, before == Int(self.new[new].start) - Int(self.new[newParent].start) {
      known.head = ends.head - before
    }
    let behind = Int(self.old[oldParent].end) - Int(self.old[old].end)
    if behind <= ends.tail, behind == Int(self.new[newParent].end) - Int(self.new[new].end) {
      known.tail = ends.tail - behind
    }
    return known
  }

  /// Compares two values by meaning; a difference for storage keeps the sign of a zero.
  func hasEqualValue(_ old: Int, _ new: Int) -> Bool {
    self.old.equals(old, self.new, new, style == .compact ? .significant : .ignored)
  }

  // MARK: Operations

  mutating func append(_ operation: Patch.Operation) {
    operations.append(operation)
    size += operation.byteCount + 1
  }

  private mutating func append(old: Int?, new: Int?) {
    changes.append(
      ValueChange(
        path.pointer, old: old.map { JSON(document: oldDocument, place: $0) },
        new: new.map { JSON(document: newDocument, place: $0) }))
  }

  mutating func replace(_ old: Int, with new: Int) {
    guard style == .compact else { return append(old: old, new: new) }
    append(.replace(path.pointer, JSON(document: newDocument, place: new)))
  }

  mutating func add(_ new: Int) {
    guard style == .compact else { return append(old: nil, new: new) }
    let addition = Patch.Operation.add(path.pointer, JSON(document: newDocument, place: new))
    guard let source = source(of: new) else { return append(addition) }
    let copy = Patch.Operation.copy(from: source, to: path.pointer)
    append(copy.byteCount < addition.byteCount ? copy : addition)
  }

  /// Finds an old value with the same text that no operation has changed yet; nil if there is none.
  ///
  /// A history of values moves them: the present value becomes a past one. Members are compared in the order of their
  /// names, so the value of a later member is still the old one.
  private func source(of new: Int) -> Pointer? {
    let text = unsafe self.new.span(new)
    for members in pending.reversed() where members.names.count <= PendingMembers.limit {
      for name in members.names {
        guard unsafe old.span(name + 1).equals(text) else { continue }
        return path.pointer(upTo: members.mark, name: name, on: old)
      }
    }
    return nil
  }

  mutating func remove(_ old: Int) {
    guard style == .compact else { return append(old: old, new: nil) }
    append(.remove(path.pointer))
  }

  /// Returns the size of the operation that `replace(_:with:)` appends.
  func replaceSize(_ new: Int) -> Int {
    let node = self.new[new]
    // {"op":"replace","path":"…","value":…}, and a comma.
    return 36 + path.writtenCount + Int(node.end - node.start)
  }

  mutating func compareStrings(_ old: Int, _ new: Int) {
    let isEscaped = (self.old[old].info | self.new[new].info) & JSONNode.escaped != 0
    let left = unsafe StringContent(self.old.content(old), isEscaped: isEscaped)
    let right = unsafe StringContent(self.new.content(new), isEscaped: isEscaped)
    let (head, tail) = left.commonEnds(with: right)
    guard head < max(left.count, right.count) else { return }
    let deleted = left.text(head..<left.count - tail)
    let inserted = right.text(head..<right.count - tail)
    // One text has several written forms.
    if isEscaped, deleted == inserted { return }
    // A splice has 12 more bytes around its text than a replacement, so short texts cannot gain.
    guard style == .compact, right.count > 12 else { return replace(old, with: new) }
    let splice = Patch.Operation.splice(
      path.pointer, at: left.pointCount(upTo: head), delete: WTF8.count(deleted),
      insert: WTF8.json(inserted))
    if splice.byteCount + 1 < replaceSize(new) {
      append(splice)
    } else {
      replace(old, with: new)
    }
  }
}

/// The old members of an object that are still to be compared.
struct PendingMembers {
  /// The most members to search for a value; structures have fewer, and dictionaries may have very many.
  static let limit = 16

  /// The path of the object.
  let mark: DifferencePath.Mark
  /// The places of their names.
  var names: ArraySlice<Int>
}

/// The pointer to the values that are currently compared.
struct DifferencePath {
  private var bytes: [UInt8] = []

  var pointer: Pointer { Pointer(checked: bytes) }

  var writtenCount: Int { WTF8.writtenCount(bytes) }

  /// A position in the path to return to with `leave`.
  typealias Mark = Int

  mutating func enter(index: Int) -> Mark {
    let mark = bytes.count
    bytes.appendToken(index.description.utf8)
    return mark
  }

  mutating func enter(name: Int, on tape: JSONTape) -> Mark {
    let mark = bytes.count
    bytes.appendToken(tape.wtf8(name))
    return mark
  }

  mutating func leave(_ mark: Mark) {
    bytes.removeSubrange(mark...)
  }

  /// The position to return to.
  var mark: Mark { bytes.count }

  /// Returns the pointer to a member of a container around the current value.
  func pointer(upTo mark: Mark, name: Int, on tape: JSONTape) -> Pointer {
    var bytes = Array(bytes[..<mark])
    bytes.appendToken(tape.wtf8(name))
    return Pointer(checked: bytes)
  }
}

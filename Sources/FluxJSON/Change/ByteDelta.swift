/// The bytes that turn the text of one value into the text of another.
///
/// Unlike a ``Patch``, a delta restores the exact text, with its digits, blanks and order of members. It is smaller, too,
/// but people cannot read it.
///
/// Its form is a list of edits, from the start of the text to its end. Each edit has the number of unchanged bytes before
/// it, the number of removed bytes, the number of inserted bytes, and the inserted bytes. Numbers have seven bits in each
/// byte, the lowest first; the top bit is set if more follow.
package struct ByteDelta: Sendable, Equatable {
  /// The edits.
  package let bytes: [UInt8]

  /// Finds the difference between two texts.
  package init(from old: JSON, to new: JSON) {
    bytes = old.document.withTape { oldTape in
      new.document.withTape { newTape in
        var finder = EqualParts(old: oldTape, new: newTape, old.place, new.place)
        finder.find(old.place, new.place)
        return finder.finished(old.place, new.place)
      }
    }
  }

  /// Applies the edits of a delta to the text that it was made for.
  ///
  /// - Parameters:
  ///   - edits: The bytes of the delta.
  ///   - text: The old text, which becomes the new one.
  package static func apply(_ edits: ArraySlice<UInt8>, to text: inout [UInt8]) {
    var rest = edits
    var place = 0
    while !rest.isEmpty {
      place += number(&rest)
      let removed = number(&rest)
      let count = number(&rest)
      let inserted = rest.prefix(count)
      rest = rest.dropFirst(inserted.count)
      text.replaceSubrange(place..<place + removed, with: inserted)
      place += inserted.count
    }
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int {
    var number: UInt = 0
    var shift: UInt = 0
    while let byte = bytes.popFirst() {
      number |= UInt(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return Int(number)
  }
}

/// Finds equal parts of two texts, from their starts to their ends.
///
/// Any set of equal parts makes a correct delta; the values on the tapes lead to long ones.
private struct EqualParts {
  let old: JSONTape
  let new: JSONTape
  private var edits: [UInt8] = []
  /// The end of the last edit in the old text.
  private var edited: Int
  /// The ends of the last equal part.
  private var oldEnd: Int
  private var newEnd: Int
  private var depth = 0
  /// The number of searches left for an element that moved.
  private var searches = 256

  /// Values that nest deeper are one part.
  private static let depthLimit = 64
  /// The number of inserted or removed elements that a search finds.
  private static let reach = 32

  init(old: JSONTape, new: JSONTape, _ left: Int, _ right: Int) {
    (self.old, self.new) = (old, new)
    (oldEnd, newEnd) = (Int(old[left].start), Int(new[right].start))
    edited = oldEnd
  }

  mutating func find(_ left: Int, _ right: Int) {
    let (before, after) = (old[left], new[right])
    let (oldText, newText) = unsafe (old.span(left), new.span(right))
    let head = unsafe oldText.commonPrefix(with: newText)
    append(Int(before.start), Int(after.start), head)
    guard head < max(oldText.count, newText.count), before.kind == after.kind,
      before.kind == .array || before.kind == .object, depth < Self.depthLimit
    else { return }
    let shorter = min(oldText.count, newText.count)
    let tail = unsafe min(oldText.commonSuffix(with: newText), shorter - head)
    depth += 1
    let oldParts = Self.parts(of: left, on: old, head, tail)
    let newParts = Self.parts(of: right, on: new, head, tail)
    if before.kind == .array {
      findElements(oldParts, newParts)
    } else {
      findMembers(oldParts, newParts)
    }
    depth -= 1
    append(Int(before.end) - tail, Int(after.end) - tail, tail)
  }

  /// Returns the edits, with what follows the last equal part.
  consuming func finished(_ left: Int, _ right: Int) -> [UInt8] {
    append(Int(old[left].end), Int(new[right].end), 0)
    return edits
  }

  /// Adds an equal part, and edits what lies between the last one and it.
  private mutating func append(_ oldStart: Int, _ newStart: Int, _ count: Int) {
    // A part that overlaps the last one begins after that.
    let overlap = max(0, oldEnd - oldStart, newEnd - newStart)
    guard overlap <= count else { return }
    let (start, after) = (oldStart + overlap, newStart + overlap)
    if start > oldEnd || after > newEnd {
      unsafe edit(old.bytes.slice(oldEnd, start), new.bytes.slice(newEnd, after))
    }
    (oldEnd, newEnd) = (oldStart + count, newStart + count)
  }

  /// Appends an edit of what lies between two equal parts, without its equal ends.
  private mutating func edit(_ removed: UnsafeRawBufferPointer, _ inserted: UnsafeRawBufferPointer)
  {
    let head = unsafe removed.commonPrefix(with: inserted)
    guard head < max(removed.count, inserted.count) else { return }
    let shorter = min(removed.count, inserted.count)
    let tail = unsafe min(removed.commonSuffix(with: inserted), shorter - head)
    append(number: oldEnd + head - edited)
    append(number: removed.count - head - tail)
    append(number: inserted.count - head - tail)
    unsafe edits.append(contentsOf: inserted[head..<inserted.count - tail])
    edited = oldEnd + removed.count - tail
  }

  private mutating func append(number: Int) {
    var rest = UInt(number)
    while rest > 0x7F {
      edits.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    edits.append(UInt8(rest))
  }

  /// Returns the elements of an array, or the names of an object, outside the equal ends of the container.
  private static func parts(
    of container: Int, on tape: JSONTape, _ head: Int, _ tail: Int
  ) -> [Int] {
    let node = tape[container]
    let valueOffset = node.kind == .object ? 1 : 0
    let (from, upTo) = (Int(node.start) + head, Int(node.end) - tail)
    var parts: [Int] = []
    var place = container + 1
    // A value that ends at the end of the equal bytes may go on in the other text.
    while place < Int(node.next), Int(tape[place].start) <= upTo {
      let value = tape[place + valueOffset]
      if Int(value.end) >= from { parts.append(place) }
      place = Int(value.next)
    }
    return parts
  }

  private mutating func findElements(_ left: [Int], _ right: [Int]) {
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      if areEqual(left[i], right[j]) {
        append(left[i], right[j])
      } else if let skipped = resume(left[i...], right[j...], areEqual) {
        (i, j) = (i + skipped.old, j + skipped.new)
        continue
      } else {
        find(left[i], right[j])
      }
      (i, j) = (i + 1, j + 1)
    }
  }

  private mutating func findMembers(_ left: [Int], _ right: [Int]) {
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      if areEqual(left[i], right[j]) {
        append(left[i], right[j])
        find(left[i] + 1, right[j] + 1)
      } else if let skipped = resume(left[i...], right[j...], areEqual) {
        (i, j) = (i + skipped.old, j + skipped.new)
        continue
      }
      (i, j) = (i + 1, j + 1)
    }
  }

  private mutating func append(_ left: Int, _ right: Int) {
    let node = old[left]
    append(Int(node.start), Int(new[right].start), Int(node.end - node.start))
  }

  private func areEqual(_ left: Int, _ right: Int) -> Bool {
    unsafe old.span(left).equals(new.span(right))
  }

  /// Returns the number of elements to skip on one side until both sides are equal again; nil if the first ones stand
  /// in each other's place.
  private mutating func resume(
    _ left: ArraySlice<Int>, _ right: ArraySlice<Int>, _ areEqual: (Int, Int) -> Bool
  ) -> (old: Int, new: Int)? {
    /// `true` if these elements are equal, and the ones after them, if there are any.
    func meet(_ i: Int, _ j: Int) -> Bool {
      guard i < left.endIndex, j < right.endIndex, areEqual(left[i], right[j]) else { return false }
      return i + 1 == left.endIndex || j + 1 == right.endIndex
        || areEqual(left[i + 1], right[j + 1])
    }
    let (i, j) = (left.startIndex, right.startIndex)
    guard searches > 0, !meet(i + 1, j + 1) else { return nil }
    searches -= 1
    for count in 1...Self.reach {
      if meet(i + count, j) { return (count, 0) }
      if meet(i, j + count) { return (0, count) }
    }
    return nil
  }
}

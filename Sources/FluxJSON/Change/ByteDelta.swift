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
        let (before, after) = unsafe (oldTape.span(old.place), newTape.span(new.place))
        let head = unsafe before.commonPrefix(with: after)
        let shorter = min(before.count, after.count)
        let tail = unsafe min(before.commonSuffix(with: after), shorter - head)
        let parts = oldTape.parts(of: old.place, in: head..<before.count - tail)
        let newParts = newTape.parts(of: new.place, in: head..<after.count - tail)
        var edits = unsafe EditList(old: JSONBytes(before), new: JSONBytes(after))
        edits.skip(0, 0, head)
        let alignment = SequenceAlignment(
          parts.map { unsafe UnsafeRawBufferPointer(rebasing: before[$0]).fingerprint },
          newParts.map { unsafe UnsafeRawBufferPointer(rebasing: after[$0]).fingerprint })
        for run in alignment.runs {
          let start = parts[run.old].lowerBound
          let count = parts[run.old + run.count - 1].upperBound - start
          // An edit has at least three bytes.
          if count > 3 { edits.skip(start, newParts[run.new].lowerBound, count) }
        }
        edits.skip(before.count - tail, after.count - tail, tail)
        return edits.bytes
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

/// The edits between equal parts of two texts, from their starts to their ends.
private struct EditList {
  let old: JSONBytes
  let new: JSONBytes
  private(set) var bytes: [UInt8] = []
  /// The end of the last edit in the old text.
  private var edited = 0
  /// The ends of the last equal part.
  private var oldEnd = 0
  private var newEnd = 0

  init(old: JSONBytes, new: JSONBytes) { (self.old, self.new) = (old, new) }

  /// Skips a part that is equal, and edits what lies between the last one and it.
  mutating func skip(_ oldStart: Int, _ newStart: Int, _ count: Int) {
    let part = unsafe old.slice(oldStart, oldStart + count)
    // Fingerprints of different parts may be the same.
    guard newStart + count <= new.count,
      unsafe part.equals(new.slice(newStart, newStart + count))
    else { return }
    unsafe edit(old.slice(oldEnd, oldStart), new.slice(newEnd, newStart))
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
    unsafe bytes.append(contentsOf: inserted[head..<inserted.count - tail])
    edited = oldEnd + removed.count - tail
  }

  private mutating func append(number: Int) {
    var rest = UInt(number)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

extension JSONTape {
  /// Divides a part of a value's text where scalars and names begin and end.
  fileprivate func parts(of value: Int, in part: Range<Int>) -> [Range<Int>] {
    let (nodes, origin) = (value..<Int(self[value].next), Int(self[value].start))
    var parts: [Range<Int>] = []
    var start = part.lowerBound
    func end(at bound: Int) {
      guard bound > start, bound <= part.upperBound else { return }
      parts.append(start..<bound)
      start = bound
    }
    // The value before the first one that begins in the part may end there.
    let next = nodes.partitioningIndex { Int(self[$0].start) - origin >= part.lowerBound }
    for place in max(value, next - 1)..<nodes.upperBound {
      let node = self[place]
      guard Int(node.start) - origin < part.upperBound else { break }
      guard node.kind != .array, node.kind != .object else { continue }
      end(at: Int(node.start) - origin)
      end(at: Int(node.end) - origin)
    }
    end(at: part.upperBound)
    return parts
  }
}

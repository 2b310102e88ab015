/// A text of which only the values were parsed that an earlier text does not have, because it differs in few of them.
///
/// For one changed member in a state of 142 KB, this takes a tenth of the instructions of parsing it, and for three in
/// 100 KB a fifth.
package struct JSONRevision {
  package let json: JSON
  /// The only value that differs, if only one does and it is no large container.
  let soleChange: Change?
  /// The earlier text.
  let previous: JSONDocument

  /// A value that differs.
  struct Change {
    /// The value's place on the old tape, after the places of all containers around it, outermost first.
    let path: [Int]
    /// The range of the text that is now in its place.
    let range: Range<Int>

    /// The value's place on the old tape, which is its place on the new one if nothing before it differs.
    var place: Int { path[path.count - 1] }
    /// The places of all containers around it, outermost first.
    var ancestors: ArraySlice<Int> { path.dropLast() }
  }

  /// Parses a text; nil if it has to be parsed whole.
  ///
  /// A changed value in a container of up to `granularity` bytes is parsed with that container. That is as fast as
  /// searching it for several changes.
  /// If a changed value would nest deeper than `maximumDepth` levels in the whole, the text has to be parsed whole, too.
  package init?(
    _ bytes: [UInt8], after previous: JSON, granularity: Int = 2_048,
    maximumDepth: Int = JSON.maximumDepth
  ) {
    guard previous.place == 0, bytes.count <= JSON.maximumByteCount else { return nil }
    let found = previous.document.withTape { old in
      unsafe bytes.withUnsafeBytes { new in
        RevisionFinder(old, unsafe JSONBytes(new), granularity, maximumDepth)?.revision(bytes)
      }
    }
    guard let found else { return nil }
    (json, soleChange, self.previous) = (found.json, found.soleChange, previous.document)
  }
}

/// Finds the values in which a text differs from an earlier one.
private struct RevisionFinder {
  private typealias Change = JSONRevision.Change

  private let old: JSONTape
  private let bytes: JSONBytes
  private let granularity: Int
  private let maximumDepth: Int
  private var changes: [Change] = []

  /// With more changes, parsing the whole text is as fast.
  private static let limit = 16
  /// The largest value to search for its end, byte by byte.
  private static let reach = 16_384

  /// Returns nil if the old text names a member twice, which containers around a change would have to show.
  init?(_ old: JSONTape, _ bytes: JSONBytes, _ granularity: Int, _ maximumDepth: Int) {
    let root = old[0]
    guard root.start == 0, Int(root.end) == old.bytes.count, !root.has(JSONNode.holdsRepeat) else {
      return nil
    }
    (self.old, self.bytes, self.granularity) = (old, bytes, granularity)
    self.maximumDepth = maximumDepth
  }

  consuming func revision(_ text: [UInt8]) -> (json: JSON, soleChange: JSONRevision.Change?)? {
    let (left, right) = unsafe (old.span(0), bytes.slice(0, bytes.count))
    let head = unsafe left.commonPrefix(with: right)
    let tail = unsafe min(left.commonSuffix(with: right), min(left.count, right.count) - head)
    if let change = soleChange(head..<left.count - tail), let tape = tape(with: [change]) {
      return (value(text, tape), change)
    }
    guard findChanges(from: head), let tape = tape(with: changes) else { return nil }
    return (value(text, tape), nil)
  }

  private func value(_ text: [UInt8], _ tape: consuming JSONTapeBuffer) -> JSON {
    JSON(document: JSONDocument(assembled: text, tape: tape), place: 0)
  }

  // MARK: Finding changes

  /// Returns the smallest value that contains the part of the old text outside of which nothing differs; nil if that is
  /// the root or a large container, most of which is probably unchanged.
  private func soleChange(_ part: Range<Int>) -> Change? {
    let path = path(around: part, granularity: 0)
    let node = old[path[path.count - 1]]
    guard path.count > 1, !isContainer(node) || Int(node.end - node.start) <= granularity else {
      return nil
    }
    let shift = bytes.count - old.bytes.count
    return Change(path: path, range: Int(node.start)..<Int(node.end) + shift)
  }

  /// Finds the changes in order, after a common start; returns `false` if they are too many or too large.
  private mutating func findChanges(from start: Int) -> Bool {
    var (position, newPosition) = (start, start)
    while position < old.bytes.count, newPosition < bytes.count {
      guard changes.count < Self.limit, addChange(at: position), let last = changes.last else {
        return false
      }
      (position, newPosition) = (Int(old[last.place].end), last.range.upperBound)
      let (rest, newRest) = unsafe (
        old.bytes.slice(position, old.bytes.count), bytes.slice(newPosition, bytes.count)
      )
      let common = unsafe rest.commonPrefix(with: newRest)
      (position, newPosition) = (position + common, newPosition + common)
    }
    return position == old.bytes.count && newPosition == bytes.count
  }

  /// Adds the smallest value around a position that has another one in its place.
  private mutating func addChange(at position: Int) -> Bool {
    var path = path(around: position..<position, granularity: granularity)
    // The root has to be parsed whole.
    while path.count > 1 {
      let place = path[path.count - 1]
      let node = old[place]
      guard node.end - node.start <= Self.reach else { return false }
      while let last = changes.last, last.place >= place { changes.removeLast() }
      let shift = changes.last.map { $0.range.upperBound - Int(old[$0.place].end) } ?? 0
      let start = Int(node.start) + shift
      if let end = end(ofValueAt: start), end < bytes.count,
        bytes[end] == old.bytes[Int(node.end)]
      {
        changes.append(Change(path: path, range: start..<end))
        return true
      }
      path.removeLast()
    }
    return false
  }

  /// Returns the places of the values around a part of the old text, up to the smallest one that is not larger than
  /// `granularity`, or the smallest of all.
  private func path(around part: Range<Int>, granularity: Int) -> [Int] {
    var path = [0]
    path.reserveCapacity(8)
    var place = 0
    while let inner = value(in: place, around: part) {
      path.append(inner)
      place = inner
      if Int(old[place].end - old[place].start) <= granularity { break }
    }
    return path
  }

  /// Returns the element or member value that contains a part of the text.
  ///
  /// Only a number contains the empty part at its end, where more digits may follow.
  private func value(in container: Int, around part: Range<Int>) -> Int? {
    let node = old[container]
    guard isContainer(node) else { return nil }
    // A member is its name and its value.
    let skipped = node.kind == .object ? 1 : 0
    var place = container + 1 + skipped
    while place < Int(node.next) {
      let value = old[place]
      if Int(value.end) >= part.upperBound {
        guard Int(value.start) <= part.lowerBound else { return nil }
        return part.lowerBound < Int(value.end) || value.kind == .number ? place : nil
      }
      place = Int(value.next) + skipped
    }
    return nil
  }

  private func isContainer(_ node: JSONNode) -> Bool { node.kind == .array || node.kind == .object }

  /// Returns the end of the value that begins at an offset; nil if it is too far or missing.
  ///
  /// Quotes and brackets alone tell the end. Parsing the value finds every fault.
  private func end(ofValueAt start: Int) -> Int? {
    let part = unsafe JSONBytes(bytes.slice(0, min(bytes.count, start + Self.reach)))
    guard start < part.count else { return nil }
    var position = start
    switch part[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
      var search = ValueEnd()
      return search.advance(part, &position) ? position : nil
    default:
      while position < part.count {
        let byte = part[position]
        if byte == UInt8(ascii: ",") || byte | 0x20 == UInt8(ascii: "}") {
          return position > start ? position : nil
        }
        position += 1
      }
      return nil
    }
  }

  // MARK: The new tape

  /// Returns the tape of the new text.
  ///
  /// Returns nil if a text in the place of a value is not a value, names a member twice, or nests too deep.
  private func tape(with changes: [Change]) -> JSONTapeBuffer? {
    var splice = TapeSplice(0, of: old, moreNodes: 64)
    var part = JSONTapeBuffer(capacity: 64)
    for change in changes {
      let text = unsafe bytes.slice(change.range.lowerBound, change.range.upperBound)
      do throws(JSONError) {
        try JSONParser.parse(unsafe JSONBytes(text), into: &part)
      } catch {
        // Parsing the whole text will report the error.
        return nil
      }
      let nodes = part.tape(over: unsafe JSONBytes(text))
      // Blanks around the value would become a part of it.
      guard !part[0].has(JSONNode.holdsRepeat), part[0].start == 0,
        Int(part[0].end) == text.count,
        nodes.depth(of: 0) <= maximumDepth - change.ancestors.count
      else { return nil }
      for ancestor in change.ancestors where ancestor >= splice.place { splice.enter(ancestor) }
      splice.replace(change.place, with: 0, of: nodes)
    }
    return splice.finished()
  }
}

/// Finds the end of a string, an array or an object by its quotes and brackets alone.
///
/// Parsing the value finds every other fault.
package struct ValueEnd {
  private var depth = 0
  private var isInString = false

  package init() {}

  /// Advances an offset behind the value, or to the end of the bytes, by up to one byte beyond it.
  ///
  /// Returns `true` if the value has ended. The value may continue in other bytes.
  package mutating func advance(_ bytes: JSONBytes, _ offset: inout Int) -> Bool {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += isInString && byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if isInString {
        continue
      } else if byte | 0x20 == UInt8(ascii: "{") {
        depth += 1
      } else if byte | 0x20 == UInt8(ascii: "}") {
        depth -= 1
      } else {
        continue
      }
      if depth == 0, !isInString { return true }
    }
    return false
  }
}

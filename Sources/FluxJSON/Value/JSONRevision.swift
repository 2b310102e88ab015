extension JSON {
  /// Parses a text that probably differs in few values from one that is parsed already.
  ///
  /// Only those values are parsed. For three changed members in a state of 100 KB, this takes a fifth of the
  /// instructions.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - previous: A value of the earlier text.
  /// - Returns: The value of the text.
  /// - Throws: ``JSONError`` if the text is not JSON.
  package static func parse(_ bytes: [UInt8], after previous: JSON) throws(JSONError) -> JSON {
    if let revised = revised(bytes, after: previous) { return revised }
    return try parse(bytes)
  }

  /// Parses a text like ``parse(_:after:)``; nil if it has to be parsed whole.
  ///
  /// A changed value in a container of up to `granularity` bytes is parsed with that container. That is as fast as
  /// searching it for several changes.
  static func revised(
    _ bytes: [UInt8], after previous: JSON, granularity: Int = 2_048
  ) -> JSON? {
    guard previous.place == 0, bytes.count <= maximumByteCount else { return nil }
    return previous.document.withTape { old in
      unsafe bytes.withUnsafeBytes { new -> JSON? in
        guard var revision = JSONRevision(old, unsafe JSONBytes(new), granularity),
          revision.findChanges(), let tape = revision.tape()
        else { return nil }
        return JSON(document: JSONDocument(assembled: bytes, tape: tape), place: 0)
      }
    }
  }
}

/// The values in which a text differs from one that is parsed already.
private struct JSONRevision {
  private struct Change {
    /// The value's place on the old tape, and the places of all containers around it.
    let place: Int
    let ancestors: ArraySlice<Int>
    /// The range of the value that replaces it.
    let range: Range<Int>
  }

  private let old: JSONTape
  private let bytes: JSONBytes
  private let granularity: Int
  private var changes: [Change] = []

  /// With more changes, parsing the whole text is as fast.
  private static let limit = 16
  /// The largest value to search for its end, byte by byte.
  private static let reach = 16_384

  /// Returns nil if the old text names a member twice, which containers around a change would have to show.
  init?(_ old: JSONTape, _ bytes: JSONBytes, _ granularity: Int) {
    let root = old[0]
    guard root.start == 0, Int(root.end) == old.bytes.count, !root.has(JSONNode.holdsRepeat) else {
      return nil
    }
    (self.old, self.bytes, self.granularity) = (old, bytes, granularity)
  }

  // MARK: Finding changes

  /// Finds the changes, in order; returns `false` if they are too many or too large.
  mutating func findChanges() -> Bool {
    var (position, newPosition) = (0, 0)
    while true {
      let (rest, newRest) = unsafe (
        old.bytes.slice(position, old.bytes.count), bytes.slice(newPosition, bytes.count)
      )
      let common = unsafe rest.commonPrefix(with: newRest)
      (position, newPosition) = (position + common, newPosition + common)
      if position == old.bytes.count || newPosition == bytes.count {
        return position == old.bytes.count && newPosition == bytes.count
      }
      guard changes.count < Self.limit, addChange(at: position), let last = changes.last else {
        return false
      }
      (position, newPosition) = (Int(old[last.place].end), last.range.upperBound)
    }
  }

  /// Adds the smallest value around a position that has another one in its place.
  private mutating func addChange(at position: Int) -> Bool {
    var path = path(to: position)
    // The root has to be parsed whole.
    while path.count > 1, let place = path.popLast() {
      let node = old[place]
      guard node.end - node.start <= Self.reach else { return false }
      while let last = changes.last, last.place >= place { changes.removeLast() }
      let start = Int(node.start) + shift
      if let end = end(ofValueAt: start), end < bytes.count,
        bytes[end] == old.bytes[Int(node.end)]
      {
        changes.append(Change(place: place, ancestors: path[...], range: start..<end))
        return true
      }
    }
    return false
  }

  /// The number of bytes by which the new text is longer up to the last change.
  private var shift: Int {
    changes.last.map { $0.range.upperBound - Int(old[$0.place].end) } ?? 0
  }

  /// Returns the places of the containers around a position, and of the value there if it is in a large one.
  private func path(to position: Int) -> [Int] {
    var path = [0]
    path.reserveCapacity(8)
    var place = 0
    while let inner = value(in: place, at: position) {
      path.append(inner)
      place = inner
      if old[place].end - old[place].start <= granularity { break }
    }
    return path
  }

  /// Returns the element or member value at a position.
  private func value(in container: Int, at position: Int) -> Int? {
    let node = old[container]
    guard node.kind == .array || node.kind == .object else { return nil }
    // A member is its name and its value.
    let skipped = node.kind == .object ? 1 : 0
    var place = container + 1 + skipped
    while place < Int(node.next) {
      let value = old[place]
      if Int(value.end) > position || Int(value.end) == position && value.kind == .number {
        return Int(value.start) <= position ? place : nil
      }
      place = Int(value.next) + skipped
    }
    return nil
  }

  /// Returns the end of the value that begins at an offset; nil if it is too far or missing.
  ///
  /// Quotes and brackets alone tell the end. Parsing the value finds every fault.
  private func end(ofValueAt start: Int) -> Int? {
    let limit = min(bytes.count, start + Self.reach)
    var depth = 0
    var position = start
    while position < limit {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        while position < limit, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
        if depth == 0 { return position }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return position > start ? position : nil }
        depth -= 1
        position += 1
        if depth == 0 { return position }
      case UInt8(ascii: ",") where depth == 0: return position > start ? position : nil
      default: position += 1
      }
    }
    return nil
  }

  // MARK: The new tape

  /// Returns the tape of the new text.
  ///
  /// Returns nil if a text in the place of a value is not a value, names a member twice, or nests too deep.
  consuming func tape() -> JSONTapeBuffer? {
    var tape = JSONTapeBuffer(capacity: old.count + 64)
    var part = JSONTapeBuffer(capacity: 64)
    /// For each container around a change, its place on the old tape and on the new one.
    var open: [(old: Int, new: Int)] = []
    var copied = 0
    var byteShift = 0
    for change in changes {
      let placeShift = tape.count - copied
      close(&open, before: change.place, byteShift, placeShift, &tape)
      for ancestor in change.ancestors where ancestor >= copied {
        open.append((ancestor, ancestor + placeShift))
      }
      tape.append(copied..<change.place, of: old, byteShift: byteShift)
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
        nodes.depth(of: 0) <= JSON.maximumDepth - change.ancestors.count
      else { return nil }
      tape.append(0..<part.count, of: nodes, byteShift: change.range.lowerBound)
      copied = Int(old[change.place].next)
      byteShift = change.range.upperBound - Int(old[change.place].end)
    }
    let placeShift = tape.count - copied
    tape.append(copied..<old.count, of: old, byteShift: byteShift)
    close(&open, before: old.count, byteShift, placeShift, &tape)
    return tape
  }

  /// Sets the ends of the containers that end before a place of the old tape.
  private func close(
    _ open: inout [(old: Int, new: Int)], before place: Int, _ byteShift: Int, _ placeShift: Int,
    _ tape: inout JSONTapeBuffer
  ) {
    while let last = open.last, Int(old[last.old].next) <= place {
      let node = old[last.old]
      tape[last.new].end = UInt32(truncatingIfNeeded: Int(node.end) + byteShift)
      tape[last.new].next = UInt32(truncatingIfNeeded: Int(node.next) + placeShift)
      open.removeLast()
    }
  }
}

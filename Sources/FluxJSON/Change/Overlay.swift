/// A value in which some inner values are replaced by others.
///
/// Most patches replace one value each, so most states are reached without applying patches. The overlay keeps only the
/// last value for each place. Any other patch ends its use; then all patches are applied.
///
/// A view: valid while the tape of the value is open.
package struct Overlay {
  private let base: JSON
  private let tape: JSONTape
  private let maximumDepth: Int
  /// The mark of each value of the base, indexed by its distance from the base's place.
  private var marks: [UInt32]
  /// One bit for each nonzero mark, so the assembler can skip the zero ones.
  private var marked: [UInt64]
  /// The replacing values as the text of an array; a bracket or a comma precedes each.
  private var text: [UInt8] = []
  private var ends: [Int] = []
  /// The largest number of containers of the base around a replaced value.
  private var depth = 0
  /// The children of the arrays and wide objects visited so far, by the container's place.
  private var children: [Int: [Int]] = [:]
  private var last: (place: Int, children: [Int]) = (-1, [])
  private var way: Way?

  /// An array's pointer with a trailing slash, and the array that it leads to.
  ///
  /// Without it, a seek takes 26 % more instructions.
  private struct Way {
    let text: [UInt8]
    let array: Int
    /// The number of containers around the elements.
    let depth: Int
  }

  /// The mark of a container in which a value was replaced.
  private static let holdsReplaced = UInt32.max

  /// Creates an overlay of a value whose tape is open, without replacements; nil if an object in the value repeats a
  /// name.
  package init?(_ base: JSON, on tape: JSONTape, maximumDepth: Int = JSON.maximumDepth) {
    guard !base.hasDuplicateNames else { return nil }
    (self.base, self.tape, self.maximumDepth) = (base, tape, maximumDepth)
    marks = Array(repeating: 0, count: base.nodeCount)
    marked = Array(repeating: 0, count: marks.count / 64 + 1)
  }

  /// Replaces the value at a pointer; the pointer and the new value are ranges of `bytes`.
  ///
  /// Returns `false` if the pointer is invalid, is the root, leads to nothing, or leads into a
  /// value that was replaced before. The overlay is unusable after that.
  package mutating func replace(
    at path: Range<Int>, with value: Range<Int>, of bytes: JSONBytes
  ) -> Bool {
    guard ends.count < Self.holdsReplaced - 1 else { return false }
    var (place, depth, start) = (base.place, 0, path.lowerBound)
    if let (element, end) = element(path, of: bytes), let way {
      (place, depth, start) = (element, way.depth, end)
    } else {
      way = nil
    }
    var tokens = PointerTokens(bytes, in: start..<path.upperBound)
    guard tokens.fault == nil, !path.isEmpty else { return false }
    while true {
      let tokenStart = tokens.position + 1
      guard let token = tokens.next() else { break }
      let mark = marks[place - base.place]
      if mark != Self.holdsReplaced {
        guard mark == 0 else { return false }
        set(Self.holdsReplaced, at: place)
      }
      guard let child = child(token, of: place) else { return false }
      depth += 1
      if tape[place].kind == .array {
        let text = unsafe bytes.slice(path.lowerBound, tokenStart)
        way = unsafe Way(text: [UInt8](text), array: place, depth: depth)
      }
      place = child
    }
    text.append(text.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
    unsafe text.append(contentsOf: bytes.slice(value.lowerBound, value.upperBound))
    ends.append(text.count)
    self.depth = max(self.depth, depth)
    set(UInt32(ends.count), at: place)
    return true
  }

  /// Finds an element by the route of the last pointer; also returns the end of its index.
  private func element(_ path: Range<Int>, of bytes: JSONBytes) -> (place: Int, end: Int)? {
    guard let way, way.array == last.place, path.count > way.text.count else { return nil }
    let start = path.lowerBound + way.text.count
    guard start + 8 <= bytes.count,
      unsafe way.text.withUnsafeBytes({ unsafe bytes.slice(path.lowerBound, start).equals($0) })
    else { return nil }
    let digits = bytes.digitCount(at: start)
    let end = start + digits
    guard digits > 0, end <= path.upperBound,
      end == path.upperBound || bytes[end] == UInt8(ascii: "/"),
      bytes[start] != UInt8(ascii: "0") || digits == 1
    else { return nil }
    let index = bytes.number(at: start, digits: digits)
    return index < last.children.count ? (last.children[Int(index)], end) : nil
  }

  private mutating func set(_ mark: UInt32, at place: Int) {
    let offset = place - base.place
    marks[offset] = mark
    marked[offset / 64] |= 1 << UInt64(offset % 64)
  }

  private mutating func child(_ token: PointerToken, of parent: Int) -> Int? {
    let node = tape[parent]
    switch node.kind {
    case .array:
      guard !token.isEnd, let index = token.index else { return nil }
      look(into: parent)
      return index < last.children.count ? last.children[index] : nil
    case .object:
      guard node.has(JSONNode.sorted), node.storedCount > JSONDocument.walkedWidth else {
        return unsafe token.withBytes { unsafe tape.findByWalking(parent, $0) }
      }
      look(into: parent)
      return unsafe token.withBytes { unsafe tape.find($0, in: last.children) }
    case .null, .bool, .number, .string: return nil
    }
  }

  /// Caches the places of an array's elements, or of an object's names, on the first visit.
  private mutating func look(into parent: Int) {
    guard last.place != parent else { return }
    let places = children[parent] ?? tape.places(of: parent)
    children[parent] = places
    last = (parent, places)
  }

  // MARK: The result

  /// Returns the value with all replacements in their places; nil if one of them is not exactly one value.
  package consuming func json() -> JSON? {
    guard !ends.isEmpty else { return base }
    text.append(UInt8(ascii: "]"))
    // Applying the patches finds out which one is wrong.
    guard let values = JSON(ifValid: text) else { return nil }
    return values.document.withTape { values in
      places(on: values).flatMap { spliced($0, of: values) }
    }
  }

  /// Returns the places of the replacing values; nil if they are not one value each, have a duplicate name, or may nest
  /// too deeply.
  private func places(on values: JSONTape) -> [Int]? {
    guard !values[0].has(JSONNode.holdsRepeat) else { return nil }
    var places: [Int] = []
    places.reserveCapacity(ends.count)
    var place = 1
    var start = 1
    for end in ends {
      guard place < values.count else { return nil }
      let node = values[place]
      // A value cannot nest deeper than it has nodes.
      guard Int(node.start) == start, Int(node.end) == end,
        Int(node.next) - place <= maximumDepth - depth
      else { return nil }
      places.append(place)
      place = Int(node.next)
      start = end + 1
    }
    return place == values.count ? places : nil
  }

  /// Returns the base with the values at these places in it.
  private func spliced(_ places: [Int], of values: JSONTape) -> JSON? {
    guard values.bytes.count <= JSON.maximumByteCount - base.byteCount else { return nil }
    var splice = TapeSplice(base.place, of: tape, moreNodes: values.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(base.byteCount + values.bytes.count)
    var copied = Int(tape[base.place].start)
    for (index, word) in marked.enumerated() {
      var rest = word
      while rest != 0 {
        let offset = index * 64 + rest.trailingZeroBitCount
        rest &= rest - 1
        let place = base.place + offset
        // Marks inside a replaced value are obsolete.
        guard place >= splice.place else { continue }
        if marks[offset] == Self.holdsReplaced {
          splice.enter(place)
          continue
        }
        let value = places[Int(marks[offset]) - 1]
        unsafe bytes.append(contentsOf: tape.bytes.slice(copied, Int(tape[place].start)))
        unsafe bytes.append(contentsOf: values.span(value))
        splice.replace(place, with: value, of: values)
        copied = Int(tape[place].end)
      }
    }
    unsafe bytes.append(contentsOf: tape.bytes.slice(copied, Int(tape[base.place].end)))
    return JSON(document: JSONDocument(assembled: bytes, tape: splice.finished()), place: 0)
  }
}

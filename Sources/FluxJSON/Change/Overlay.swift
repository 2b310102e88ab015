/// A value in which some inner values are replaced by others.
///
/// Most patches replace one value each. The overlay keeps only the last value for each place.
package struct Overlay {
  private let base: JSON
  /// The mark of each value of the base, indexed by its distance from the base's place.
  private var marks: [UInt32]
  /// One bit for each nonzero mark, so the assembler can skip the zero ones.
  private var marked: [UInt64]
  private(set) var count = 0
  /// The largest number of containers of the base around a replaced value.
  package private(set) var depth = 0
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

  /// Creates an overlay without replacements; nil if an object in the value repeats a name.
  package init?(_ base: JSON) {
    guard !base.hasDuplicateNames else { return nil }
    self.base = base
    marks = Array(repeating: 0, count: base.nodeCount)
    marked = Array(repeating: 0, count: marks.count / 64 + 1)
  }

  /// Replaces the value at a pointer, which is a range of `bytes`, by the next value.
  ///
  /// Returns `false` if the pointer is invalid, is the root, leads to nothing, or leads into a
  /// value that was replaced before. The overlay is unusable after that.
  package mutating func replace(at path: Range<Int>, of bytes: JSONBytes, on tape: JSONTape) -> Bool
  {
    guard count < Int(Self.holdsReplaced) - 1 else { return false }
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
      guard let child = child(token, of: place, on: tape) else { return false }
      depth += 1
      if tape[place].kind == .array {
        let text = unsafe bytes.slice(path.lowerBound, tokenStart)
        way = unsafe Way(text: [UInt8](text), array: place, depth: depth)
      }
      place = child
    }
    count += 1
    self.depth = max(self.depth, depth)
    set(UInt32(count), at: place)
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

  /// Returns the value with all replacements in their places.
  package consuming func assembled(
    bytes: Int, nodes: Int, on tape: JSONTape,
    _ replace: (inout OverlayAssembler, _ value: Int, _ number: Int) -> Void
  ) -> JSON? {
    guard count > 0 else { return base }
    guard bytes <= JSON.maximumByteCount - base.byteCount else { return nil }
    var assembler = OverlayAssembler(base.place, tape, moreBytes: bytes, moreNodes: nodes)
    // Marks inside a replaced value are obsolete.
    var end = base.place
    for (index, word) in marked.enumerated() {
      var rest = word
      while rest != 0 {
        let offset = index * 64 + rest.trailingZeroBitCount
        rest &= rest - 1
        let place = base.place + offset
        guard place >= end else { continue }
        if marks[offset] == Self.holdsReplaced {
          assembler.enter(place)
        } else {
          replace(&assembler, place, Int(marks[offset]) - 1)
          end = Int(tape[place].next)
        }
      }
    }
    return assembler.assembled()
  }

  private mutating func child(
    _ token: PointerToken, of parent: Int, on tape: JSONTape
  ) -> Int? {
    let node = tape[parent]
    switch node.kind {
    case .array:
      guard !token.isEnd, let index = token.index?.value else { return nil }
      look(into: parent, on: tape)
      return index < last.children.count ? last.children[index] : nil
    case .object:
      guard node.has(JSONNode.sorted), node.storedCount > JSONDocument.walkedWidth else {
        return unsafe token.withBytes { unsafe tape.findByWalking(parent, $0) }
      }
      look(into: parent, on: tape)
      return unsafe token.withBytes { unsafe tape.find($0, in: last.children) }
    case .null, .bool, .number, .string: return nil
    }
  }

  /// Caches the places of an array's elements, or of an object's names, on the first visit.
  private mutating func look(into parent: Int, on tape: JSONTape) {
    guard last.place != parent else { return }
    let places = children[parent] ?? tape.places(of: parent)
    children[parent] = places
    last = (parent, places)
  }
}

/// Copies a value's text and tape while replacing some of its inner values.
package struct OverlayAssembler: ~Copyable {
  private let old: JSONTape
  private let root: Int
  private var bytes: [UInt8] = []
  private var tape: JSONTapeBuffer
  /// The positions in the old tape and its text before which everything was copied or skipped.
  private var place: Int
  private var byte: Int
  private var open: [(old: Int, copy: Int)] = []

  init(_ root: Int, _ old: JSONTape, moreBytes: Int, moreNodes: Int) {
    let node = old[root]
    self.old = old
    self.root = root
    bytes.reserveCapacity(Int(node.end - node.start) + moreBytes)
    tape = JSONTapeBuffer(capacity: Int(node.next) - root + moreNodes)
    place = root
    byte = Int(node.start)
  }

  /// Opens a container that holds replaced values.
  mutating func enter(_ container: Int) {
    close(before: container)
    open.append((container, tape.count + container - place))
  }

  /// Replaces a value of the old tape by a value of another tape.
  package mutating func replace(_ value: Int, with other: Int, on new: JSONTape) {
    close(before: value)
    copy(to: value, Int(old[value].start))
    let node = new[other]
    tape.append(
      other..<Int(node.next), of: new, byteShift: bytes.count - Int(node.start))
    unsafe bytes.append(contentsOf: new.span(other))
    place = Int(old[value].next)
    byte = Int(old[value].end)
  }

  consuming func assembled() -> JSON {
    let node = old[root]
    close(before: Int(node.next))
    copy(to: Int(node.next), Int(node.end))
    return JSON(document: JSONDocument(assembled: bytes, tape: tape), place: 0)
  }

  private mutating func copy(to end: Int, _ endByte: Int) {
    tape.append(place..<end, of: old, byteShift: bytes.count - byte)
    unsafe bytes.append(contentsOf: old.bytes.slice(byte, endByte))
  }

  /// Corrects the ends of the open containers that end before a place.
  private mutating func close(before end: Int) {
    while let container = open.last, Int(old[container.old].next) <= end {
      let node = old[container.old]
      tape[container.copy].end = UInt32(truncatingIfNeeded: Int(node.end) + bytes.count - byte)
      tape[container.copy].next = UInt32(truncatingIfNeeded: Int(node.next) + tape.count - place)
      open.removeLast()
    }
  }
}

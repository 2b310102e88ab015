/// A value with others in the place of some inside of it.
///
/// Most patches of a log replace one value each. What a run of such patches makes of a state is
/// told without applying them: by which value stands last in each place. The rest is copied.
struct Overlay {
  private let base: JSON
  /// For each value of the base, what became of it, by its place from the base's own on.
  private var marks: [UInt32]
  /// A bit for each mark that is not zero, so that none of the others is looked at.
  private var marked: [UInt64]
  /// How many values were put in the place of others.
  private(set) var count = 0
  /// In how many containers of the base one of them is at most.
  private(set) var depth = 0
  /// The places of the elements of arrays that were looked into, and of the names of wide objects;
  /// and those of the last one of these.
  private var children: [Int: [UInt32]] = [:]
  private var last: (place: Int, children: [UInt32]) = (-1, [])
  /// How the last pointer came to an element of an array.
  private var way: Way?

  /// The pointer of an array with the slash behind it, and where that leads.
  ///
  /// Most patches of a log change elements of one array: to go there again from the root took a
  /// quarter of the instructions of a seek.
  private struct Way {
    let text: [UInt8]
    let array: Int
    /// In how many containers the elements are.
    let depth: Int
  }

  /// The mark of a container in which a value was replaced; that of a value is the number of the
  /// last one in its place, from 1.
  private static let holdsReplaced = UInt32.max

  /// Begins with a value as it is; nil where an object in it names a member twice.
  init?(_ base: JSON) {
    guard !base.hasDuplicateNames else { return nil }
    self.base = base
    marks = Array(repeating: 0, count: base.nodeCount)
    marked = Array(repeating: 0, count: marks.count / 64 + 1)
  }

  /// Puts the next value where a pointer leads.
  ///
  /// - Parameters:
  ///   - path: Where the pointer stands in `bytes`.
  ///   - bytes: A text.
  ///   - tape: The base's, which those open once who have hundreds of pointers.
  /// - Returns: False where it leads to nothing, to the whole, or into a value that was put there
  ///   before: the overlay is of no use any more.
  mutating func replace(at path: Range<Int>, of bytes: JSONBytes, on tape: JSONTape) -> Bool {
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

  /// The element that a pointer goes to the same way as the last one, and where its index ends.
  ///
  /// All on the way holds replaced values; a pointer to one of these goes another way.
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
    return index < last.children.count ? (Int(last.children[Int(index)]), end) : nil
  }

  private mutating func set(_ mark: UInt32, at place: Int) {
    let offset = place - base.place
    marks[offset] = mark
    marked[offset / 64] |= 1 << UInt64(offset % 64)
  }

  /// The value with those in the place of others.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes they have together.
  ///   - nodes: How many nodes they have together.
  ///   - tape: The base's.
  ///   - replace: Puts the one of a number, from 0, in the place of a value.
  /// - Returns: Nil where it would be longer than a text can be.
  consuming func assembled(
    bytes: Int, nodes: Int, on tape: JSONTape,
    _ replace: (inout OverlayAssembler, _ value: Int, _ number: Int) -> Void
  ) -> JSON? {
    guard count > 0 else { return base }
    guard bytes <= JSON.maximumByteCount - base.byteCount else { return nil }
    var assembler = OverlayAssembler(base.place, tape, moreBytes: bytes, moreNodes: nodes)
    // What is in a value that was replaced has no say any more.
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
      return index < last.children.count ? Int(last.children[index]) : nil
    case .object:
      guard node.has(JSONNode.sorted), node.storedCount > JSONDocument.walkedWidth else {
        return tape.member(token, of: parent)
      }
      look(into: parent, on: tape)
      return unsafe token.withBytes { unsafe tape.find($0, in: last.children) }
    case .null, .bool, .number, .string: return nil
    }
  }

  /// Lists the elements of an array, or the names of an object, where that was not done before.
  private mutating func look(into parent: Int, on tape: JSONTape) {
    guard last.place != parent else { return }
    let places = children[parent] ?? tape.places(of: parent)
    children[parent] = places
    last = (parent, places)
  }
}

extension JSONTape {
  /// The places of an array's elements, or of an object's names, as they are written.
  fileprivate func places(of container: Int) -> [UInt32] {
    let step = self[container].kind == .object ? 1 : 0
    var places: [UInt32] = []
    places.reserveCapacity(Int(self[container].storedCount))
    var place = container + 1
    while place < Int(self[container].next) {
      places.append(UInt32(truncatingIfNeeded: place))
      place = Int(self[place + step].next)
    }
    return places
  }
}

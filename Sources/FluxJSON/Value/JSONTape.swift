/// A node of the tape: a value's range in the text, and the index of the next value's node.
///
/// Nodes are in the order of the text. The node of an array is followed by its elements. The node
/// of an object is followed by its members, each a name (a string) and a value. A node has 16
/// bytes, so four of them fit in a cache line.
@usableFromInline package struct JSONNode {
  @usableFromInline package var start: UInt32
  @usableFromInline package var end: UInt32
  /// The index on the tape after this value and everything in it.
  @usableFromInline package var next: UInt32
  /// From bit 0: the kind (three bits), five flags and the count (24 bits).
  @usableFromInline var info: UInt32

  @inline(__always)
  init(_ kind: JSON.Kind, start: Int, end: Int, next: Int, flags: UInt32 = 0) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = UInt32(truncatingIfNeeded: next)
    self.info = UInt32(truncatingIfNeeded: kind.rawValue) | flags
  }

  typealias Words = SIMD4<UInt32>

  @inline(__always)
  init(words: Words) {
    (start, end, next, info) = (words.x, words.y, words.z, words.w)
  }

  var words: Words {
    @inline(__always) get { Words(start, end, next, info) }
  }

  /// Set for a string that contains at least one escape.
  package static let escaped: UInt32 = 1 << 3
  /// Set for an object that repeats a name.
  static let repeatsName: UInt32 = 1 << 4
  /// Set for a container that is or contains an object that repeats a name.
  package static let holdsRepeat: UInt32 = 1 << 5
  /// Set for an object whose names have no escapes and are in strictly ascending order of their
  /// bytes.
  static let sorted: UInt32 = 1 << 6

  /// The largest count that fits; the actual count may be higher and must be determined by walking.
  static let countLimit: UInt32 = 1 << 24 - 1

  @inlinable @inline(__always)
  package var kind: JSON.Kind {
    switch info & 7 {
    case 0: .null
    case 1: .bool
    case 2: .number
    case 3: .string
    case 4: .array
    default: .object
    }
  }

  @inlinable @inline(__always)
  package func has(_ flag: UInt32) -> Bool { info & flag != 0 }

  /// The number of elements or members as written, at most `countLimit`.
  @inline(__always)
  var storedCount: UInt32 { info >> 8 }
}

/// A parsed text: its bytes and the tape of its values.
///
/// This view owns no memory. It is safe although it stores a pointer, for the reason given at
/// `JSONBytes`. Every index into the tape is checked.
@safe
@usableFromInline package struct JSONTape {
  @usableFromInline package let bytes: JSONBytes
  @usableFromInline let nodes: UnsafeBufferPointer<JSONNode>

  @inlinable
  init(bytes: JSONBytes, nodes: UnsafeBufferPointer<JSONNode>) {
    self.bytes = bytes
    unsafe self.nodes = unsafe nodes
  }

  @inlinable package var count: Int { unsafe nodes.count }

  @inlinable @inline(__always)
  package subscript(_ index: Int) -> JSONNode {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return unsafe nodes[index]
  }

  /// Returns the nodes in a range, for copying.
  func nodes(_ places: Range<Int>) -> UnsafeBufferPointer<JSONNode> {
    precondition(places.lowerBound >= 0 && places.upperBound <= count)
    return unsafe UnsafeBufferPointer(rebasing: nodes[places])
  }

  @inlinable @inline(__always)
  package func span(_ index: Int) -> UnsafeRawBufferPointer {
    let node = self[index]
    return unsafe bytes.slice(Int(node.start), Int(node.end))
  }

  @inlinable @inline(__always)
  package func content(_ index: Int) -> UnsafeRawBufferPointer {
    let node = self[index]
    return unsafe bytes.slice(Int(node.start) &+ 1, Int(node.end) &- 1)
  }

  /// Returns the value of a string, with U+FFFD for each lone surrogate.
  @inline(__always)
  func string(_ index: Int) -> String {
    unsafe JSONString.decoded(content(index), escaped: self[index].has(JSONNode.escaped))
  }

  /// Returns the value of a string in WTF-8.
  func wtf8(_ index: Int) -> [UInt8] {
    unsafe WTF8.bytes(of: content(index), isEscaped: self[index].has(JSONNode.escaped))
  }

  /// Returns the number of elements of an array or members of an object.
  func writtenCount(_ index: Int) -> Int {
    let node = self[index]
    guard node.storedCount == JSONNode.countLimit else { return Int(node.storedCount) }
    let step = node.kind == .object ? 2 : 1
    var place = index + 1
    var found = 0
    while place < Int(node.next) {
      place = Int(self[place &+ (step &- 1)].next)
      found += 1
    }
    return found
  }

  /// Returns the nesting depth of a value: 0 for a scalar, 1 for a container of scalars.
  package func depth(of value: Int) -> Int {
    var openEnds: [UInt32] = []
    var deepest = 0
    for place in value..<Int(self[value].next) {
      while let end = openEnds.last, end <= place { openEnds.removeLast() }
      guard self[place].kind == .array || self[place].kind == .object else { continue }
      openEnds.append(self[place].next)
      deepest = max(deepest, openEnds.count)
    }
    return deepest
  }

  /// Returns the places of an array's elements, or of an object's names, in written order.
  func places(of container: Int) -> [Int] {
    places(
      in: container + 1..<Int(self[container].next), step: self[container].kind == .object ? 1 : 0)
  }

  /// Returns the places of the elements or names in a part of a container's tape.
  ///
  /// `step` is 1 for names, which the values follow, and 0 for elements.
  func places(in range: Range<Int>, step: Int) -> [Int] {
    var places: [Int] = []
    var place = range.lowerBound
    while place < range.upperBound {
      places.append(place)
      place = Int(self[place + step].next)
    }
    return places
  }
}

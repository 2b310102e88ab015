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

  /// The number of nodes.
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

  /// Returns the text of a value.
  @inlinable @inline(__always)
  package func span(_ index: Int) -> UnsafeRawBufferPointer {
    let node = self[index]
    return unsafe bytes.slice(Int(node.start), Int(node.end))
  }

  /// Returns the bytes between the quotes of a string.
  @inlinable @inline(__always)
  package func content(_ index: Int) -> UnsafeRawBufferPointer {
    let node = self[index]
    return unsafe bytes.slice(Int(node.start) &+ 1, Int(node.end) &- 1)
  }

  /// Returns the number of elements of an array or members of an object.
  ///
  /// Every occurrence of a repeated name counts.
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
}

/// A growing tape to which the parser appends nodes.
///
/// An array would check on every append whether its storage is shared, and this buffer does not. It
/// can be reused for another text.
@safe
@usableFromInline package struct JSONTapeBuffer: ~Copyable {
  @usableFromInline var nodes: UnsafeMutablePointer<JSONNode>
  private var capacity: Int
  @usableFromInline package private(set) var count = 0

  package init(capacity: Int = 64) {
    if let spare = unsafe SpareTapes.take(capacity) {
      unsafe (nodes, self.capacity) = unsafe spare
    } else {
      self.capacity = max(capacity, 1)
      unsafe nodes = .allocate(capacity: self.capacity)
    }
  }

  deinit { unsafe SpareTapes.give(nodes, capacity) }

  mutating func append(_ node: JSONNode) {
    _ = makeRoom(for: 1)
    appendInRoom(node)
  }

  /// Reserves room for at least `additional` more nodes, and returns the number of nodes that fit.
  @inline(__always)
  mutating func makeRoom(for additional: Int) -> Int {
    if count &+ additional > capacity {
      let larger = max(count &+ additional, capacity &* 2)
      // `moved` is not a mutating method. It would force the whole buffer into memory and cost the
      // parser three loads per node.
      unsafe nodes = unsafe Self.moved(nodes, count, to: larger)
      capacity = larger
    }
    return capacity &- count
  }

  /// Appends a node, for which the caller has reserved room.
  @inline(__always)
  mutating func appendInRoom(_ node: JSONNode) {
    assert(count < capacity)
    unsafe nodes[count] = node
    count &+= 1
  }

  /// Appends a scalar or an empty container, for which the caller has reserved room.
  @inline(__always)
  mutating func appendLeaf(_ kind: JSON.Kind, start: Int, end: Int, flags: UInt32 = 0) {
    appendInRoom(JSONNode(kind, start: start, end: end, next: count &+ 1, flags: flags))
  }

  @inlinable @inline(__always)
  package subscript(_ index: Int) -> JSONNode {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe nodes[index]
    }
    set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      unsafe nodes[index] = newValue
    }
  }

  /// Appends nodes of another tape whose text was copied as well.
  package mutating func append(_ places: Range<Int>, of source: JSONTape, byteShift: Int) {
    _ = makeRoom(for: places.count)
    let shift = UInt32(truncatingIfNeeded: byteShift)
    let placeShift = UInt32(truncatingIfNeeded: count - places.lowerBound)
    let copied = unsafe source.nodes(places)
    if shift == 0, placeShift == 0, let first = copied.baseAddress {
      // The destination was reserved above, and the source is a different tape, so they cannot
      // overlap.
      unsafe (nodes + count).initialize(from: first, count: places.count)
      count += places.count
      return
    }
    let shifts = JSONNode.Words(shift, shift, placeShift, 0)
    for offset in 0..<places.count {
      // Both indices were checked above: the source range by `nodes(_:)`, the destination by
      // growing.
      unsafe nodes[count &+ offset] = JSONNode(words: copied[offset].words &+ shifts)
    }
    count += places.count
  }

  @inline(__always)
  mutating func removeAll() { count = 0 }

  /// Returns the tape so far, valid until the buffer changes.
  @inlinable @inline(__always)
  package func tape(over bytes: JSONBytes) -> JSONTape {
    unsafe JSONTape(bytes: bytes, nodes: UnsafeBufferPointer(start: nodes, count: count))
  }

  @inline(never)
  private static func moved(
    _ nodes: UnsafeMutablePointer<JSONNode>, _ count: Int, to capacity: Int
  ) -> UnsafeMutablePointer<JSONNode> {
    let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: capacity)
    unsafe larger.initialize(from: nodes, count: count)
    unsafe nodes.deallocate()
    return unsafe larger
  }
}

/// A cache of freed tape memory.
///
/// The C library returns freed blocks of a tape's size to the system. The next tape then gets fresh
/// pages, and each page costs a page fault. These took a third of the time to parse and compare two
/// states of 142 KB.
enum SpareTapes {
  @safe
  private struct Block {
    let nodes: UnsafeMutablePointer<JSONNode>
    let capacity: Int
  }

  /// The sizes worth keeping: the C library caches smaller blocks, and larger ones take too much
  /// memory.
  private static let capacities = (1 << 11)...(1 << 18)
  private static let blocks = Spares<Block>()

  /// Takes a block with room for `capacity` nodes and at most four times as many.
  static func take(_ capacity: Int) -> (nodes: UnsafeMutablePointer<JSONNode>, capacity: Int)? {
    guard capacities.contains(capacity) else { return nil }
    let block = blocks.take { (capacity...(capacity * 4)).contains($0.capacity) }
    return unsafe block.map { unsafe ($0.nodes, $0.capacity) }
  }

  /// Caches a block, and frees the oldest one if the cache is full.
  static func give(_ nodes: UnsafeMutablePointer<JSONNode>, _ capacity: Int) {
    let block = unsafe Block(nodes: nodes, capacity: capacity)
    let surplus = capacities.contains(capacity) ? blocks.give(block) : block
    unsafe surplus?.nodes.deallocate()
  }
}

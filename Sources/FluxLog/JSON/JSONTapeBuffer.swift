/// A growing tape: where the parser puts nodes.
///
/// A buffer of its own instead of an array, because an array checks on every append whether it is
/// shared. It can be used again for the next text.
@safe
struct JSONTapeBuffer: ~Copyable {
  private var nodes: UnsafeMutablePointer<JSONNode>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 64) {
    if let spare = unsafe SpareTapes.take(capacity) {
      unsafe (nodes, self.capacity) = unsafe spare
    } else {
      self.capacity = max(capacity, 1)
      unsafe nodes = .allocate(capacity: self.capacity)
    }
  }

  deinit { unsafe SpareTapes.give(nodes, capacity) }

  @inline(__always)
  mutating func append(_ node: JSONNode) {
    if count == capacity {
      // Not a mutating method: that would keep the whole buffer in memory, and cost the parser
      // three loads for every node.
      unsafe nodes = unsafe Self.moved(nodes, count, to: capacity * 2)
      capacity *= 2
    }
    // Nodes are trivial: a write initialises them, and they need no end.
    unsafe nodes[count] = node
    count &+= 1
  }

  /// Makes room for at least so many nodes more, and returns for how many there is.
  @inline(__always)
  mutating func makeRoom(for additional: Int) -> Int {
    if count &+ additional > capacity {
      let larger = max(count &+ additional, capacity &* 2)
      unsafe nodes = unsafe Self.moved(nodes, count, to: larger)
      capacity = larger
    }
    return capacity &- count
  }

  /// Appends a node for which room was made.
  @inline(__always)
  mutating func appendInRoom(_ node: JSONNode) {
    assert(count < capacity)
    unsafe nodes[count] = node
    count &+= 1
  }

  /// Appends a value without values in it, for which room was made.
  @inline(__always)
  mutating func appendLeaf(_ kind: JSON.Kind, start: Int, end: Int, flags: UInt32 = 0) {
    appendInRoom(JSONNode(kind, start: start, end: end, next: count &+ 1, flags: flags))
  }

  @inline(__always)
  subscript(_ index: Int) -> JSONNode {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe nodes[index]
    }
    set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      unsafe nodes[index] = newValue
    }
  }

  /// Appends nodes of another tape whose text is copied too, and now begins `byteShift` bytes
  /// further on.
  mutating func append(_ places: Range<Int>, of source: JSONTape, byteShift: Int) {
    if count + places.count > capacity {
      capacity = max(count + places.count, capacity * 2)
      unsafe nodes = unsafe Self.moved(nodes, count, to: capacity)
    }
    let shift = UInt32(truncatingIfNeeded: byteShift)
    let placeShift = UInt32(truncatingIfNeeded: count - places.lowerBound)
    let copied = unsafe source.nodes(places)
    if shift == 0, placeShift == 0, let first = copied.baseAddress {
      // Into the room reserved here; the source is a tape of its own.
      unsafe (nodes + count).initialize(from: first, count: places.count)
      count += places.count
      return
    }
    let shifts = JSONNode.Words(shift, shift, placeShift, 0)
    for offset in 0..<places.count {
      // Both within what was checked above: the source's places, and the room reserved here.
      unsafe nodes[count &+ offset] = JSONNode(words: copied[offset].words &+ shifts)
    }
    count += places.count
  }

  @inline(__always)
  mutating func removeAll() { count = 0 }

  /// The tape so far, valid until the buffer is next changed.
  @inline(__always)
  func tape(over bytes: JSONBytes) -> JSONTape {
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

/// A growing tape: where the parser puts nodes.
///
/// A buffer of its own instead of an array, because an array checks on every append whether it is
/// shared, which costs the parser a fifth of its speed. It can be used again for the next text.
@safe
struct JSONTapeBuffer: ~Copyable {
  private var nodes: UnsafeMutablePointer<JSONNode>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 64) {
    self.capacity = max(capacity, 1)
    unsafe nodes = .allocate(capacity: self.capacity)
  }

  deinit { unsafe nodes.deallocate() }

  @inline(__always)
  mutating func append(_ node: JSONNode) {
    if count == capacity { grow() }
    // Nodes are trivial: a write initialises them, and they need no end.
    unsafe nodes[count] = node
    count &+= 1
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

  mutating func removeAll() { count = 0 }

  /// The tape so far, valid until the buffer is next changed.
  func tape(over bytes: JSONBytes) -> JSONTape {
    unsafe JSONTape(bytes: bytes, nodes: UnsafeBufferPointer(start: nodes, count: count))
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: capacity * 2)
    unsafe larger.initialize(from: nodes, count: count)
    unsafe nodes.deallocate()
    unsafe nodes = larger
    capacity *= 2
  }
}

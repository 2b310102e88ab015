/// Gives the number of a step's shape, from what the outline says.
///
/// One thread's own, in front of the shapes that all share. Shapes are the nodes of a tree, whose
/// branches are the stores that are written, one after the other.
struct ShapeCache {
  private let names: LogNames
  /// The branches: a store's name, tagged with the node that it leaves and the kind of the write.
  private var branches = ByteStringTable()
  /// By node, one more than the number of the shape, 0 where it is not known; the first four nodes
  /// are those of steps that write nothing.
  private var shapes = Self.roots

  private static let roots: [UInt32] = [0, 0, 0, 0]
  /// Beyond this, nodes are forgotten, and shapes asked for again.
  private static let limit = 1 << 16

  init(names: LogNames) {
    self.names = names
  }

  /// The number of the shape of a step with those writes; nil where it writes a store twice.
  @inline(__always)
  mutating func id(
    _ outline: StepOutline, _ first: OutlinedWrite?, _ others: [OutlinedWrite],
    _ bytes: JSONBytes
  ) -> UInt32? {
    if shapes.count > Self.limit { forget() }
    var node = outline.shapeFlags
    if let first {
      node = self.node(after: node, first, bytes)
      for write in others { node = self.node(after: node, write, bytes) }
    }
    let known = shapes[Int(node)]
    return known > 0 ? known &- 1 : find(node, outline, first, others, bytes)
  }

  @inline(__always)
  private mutating func node(
    after node: UInt32, _ write: OutlinedWrite, _ bytes: JSONBytes
  ) -> UInt32 {
    let fresh = UInt32(truncatingIfNeeded: shapes.count)
    let tag = node << 2 | UInt32(write.kind.rawValue)
    let found = branches.id(of: write.name, tag: tag, in: bytes) { fresh }
    if found == fresh { shapes.append(0) }
    return found
  }

  @inline(never)
  private mutating func find(
    _ node: UInt32, _ outline: StepOutline, _ first: OutlinedWrite?, _ others: [OutlinedWrite],
    _ bytes: JSONBytes
  ) -> UInt32? {
    let writes = (first.map { [$0] } ?? []) + others
    let shape = StepShape(
      writes: writes.map { StepShape.Write(store: bytes.string($0.name), kind: $0.kind) },
      isRejected: outline.isRejected, hasCause: outline.cause != nil)
    guard Set(shape.writes.map { ExactName($0.store) }).count == writes.count else { return nil }
    let id = names.id(ofShape: shape)
    shapes[Int(node)] = id + 1
    return id
  }

  private mutating func forget() {
    branches = ByteStringTable()
    shapes = Self.roots
  }
}

extension StepOutline {
  /// What a shape says besides the writes, in two bits.
  @inline(__always)
  fileprivate var shapeFlags: UInt32 { (isRejected ? 1 : 0) | (cause != nil ? 2 : 0) }
}

extension JSONBytes {
  /// The text of a range.
  func string(_ range: Range<Int>) -> String {
    unsafe String(decoding: slice(range.lowerBound, range.upperBound), as: UTF8.self)
  }
}

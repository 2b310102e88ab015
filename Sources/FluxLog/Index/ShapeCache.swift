import FluxJSON

/// Maps the outline of a step to the number of its shape.
///
/// Belongs to one thread, and caches the shapes that all threads share. Shapes are the nodes of a
/// tree; its branches are the stores that a step writes, one after another.
struct ShapeCache {
  private let names: LogNames
  /// The branches: the name of a store, tagged with its parent node and the kind of write.
  private var branches = ByteStringTable()
  /// For each node, the number of its shape plus one, or 0 if it is unknown.
  ///
  /// The first four nodes are for steps that write nothing.
  private var shapes = Self.roots

  private static let roots: [UInt32] = [0, 0, 0, 0]
  /// Above this limit, all nodes are removed and shapes are looked up again.
  private static let limit = 1 << 16

  init(names: LogNames) {
    self.names = names
  }

  /// Returns the number of the shape of a step with these writes; `nil` if it writes a store twice.
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
    guard Set(shape.writes.map { BytewiseName($0.store) }).count == writes.count else { return nil }
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
  /// The properties of a shape other than its writes, in two bits.
  @inline(__always)
  fileprivate var shapeFlags: UInt32 { (isRejected ? 1 : 0) | (cause != nil ? 2 : 0) }
}

extension JSONBytes {
  /// Returns the text in a range.
  func string(_ range: Range<Int>) -> String {
    unsafe String(decoding: slice(range.lowerBound, range.upperBound), as: UTF8.self)
  }
}

/// Gives the number of a step's shape, from what the outline says.
///
/// One thread's own, in front of the shapes that all share. A step that writes one of the first
/// few stores, as nearly all do, is looked up in a table of all such shapes.
struct ShapeCache {
  private let names: LogNames
  private var stores = ByteStringTable()
  private var storeIDs: [String: UInt32] = [:]
  /// By store, kind and flags: one more than the number of the shape, 0 where it is not known.
  private var simple = [UInt32](repeating: 0, count: Self.simpleStores << 4)
  private var others: [[UInt32]: UInt32] = [:]

  private static let simpleStores = 256
  /// Beyond this, shapes are forgotten here, and asked for again.
  private static let limit = 1 << 12

  init(names: LogNames) {
    self.names = names
  }

  /// The number of the shape of a step that writes one store, or none.
  @inline(__always)
  mutating func id(
    _ outline: StepOutline, write: OutlinedWrite?, _ bytes: JSONBytes
  ) -> UInt32? {
    // Kind 3 stands for no write.
    var key = outline.shapeFlags << 2 | 3
    if let write {
      key = storeID(write.name, bytes) << 4 | outline.shapeFlags << 2 | UInt32(write.kind.rawValue)
    }
    guard key < simple.count else { return id(outline, write.map { [$0] } ?? [], bytes) }
    if simple[Int(key)] != 0 { return simple[Int(key)] - 1 }
    guard let id = id(outline, write.map { [$0] } ?? [], bytes) else { return nil }
    simple[Int(key)] = id + 1
    return id
  }

  /// The number of the shape of any step; nil where it writes a store twice.
  @inline(never)
  mutating func id(
    _ outline: StepOutline, _ writes: [OutlinedWrite], _ bytes: JSONBytes
  ) -> UInt32? {
    let flags = outline.shapeFlags
    var key = [flags]
    for write in writes {
      key.append(storeID(write.name, bytes))
      key.append(UInt32(write.kind.rawValue))
    }
    if let known = others[key] { return known }
    let shape = StepShape(
      writes: writes.map { StepShape.Write(store: bytes.string($0.name), kind: $0.kind) },
      isRejected: flags & 1 != 0, hasCause: flags & 2 != 0)
    guard Set(shape.writes.map(\.store)).count == shape.writes.count else { return nil }
    let id = names.id(ofShape: shape)
    if others.count >= Self.limit { others.removeAll() }
    others[key] = id
    return id
  }

  @inline(__always)
  private mutating func storeID(_ name: Range<Int>, _ bytes: JSONBytes) -> UInt32 {
    stores.id(of: name, in: bytes) {
      let name = bytes.string(name)
      if let known = storeIDs[name] { return known }
      let id = UInt32(storeIDs.count)
      storeIDs[name] = id
      return id
    }
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

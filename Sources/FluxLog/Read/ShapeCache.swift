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

  /// The number of the shape; nil where the step writes a store twice.
  @inline(__always)
  mutating func id(
    _ outline: StepOutline, _ writes: ArraySlice<OutlinedWrite>, _ bytes: JSONBytes
  ) -> UInt32? {
    let flags: UInt32 = (outline.isRejected ? 1 : 0) | (outline.cause != nil ? 2 : 0)
    guard writes.count <= 1 else { return idOfSeveral(flags, writes, bytes) }
    // Kind 3 stands for no write.
    var key = flags << 2 | 3
    if let write = writes.first {
      key = storeID(write.name, bytes) << 4 | flags << 2 | UInt32(write.kind.rawValue)
    }
    guard key < simple.count else { return idOfSeveral(flags, writes, bytes) }
    if simple[Int(key)] != 0 { return simple[Int(key)] - 1 }
    let id = idOfSeveral(flags, writes, bytes)
    simple[Int(key)] = (id ?? 0) + 1
    return id
  }

  @inline(never)
  private mutating func idOfSeveral(
    _ flags: UInt32, _ writes: ArraySlice<OutlinedWrite>, _ bytes: JSONBytes
  ) -> UInt32? {
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

extension JSONBytes {
  /// The text of a range.
  func string(_ range: Range<Int>) -> String {
    unsafe String(decoding: slice(range.lowerBound, range.upperBound), as: UTF8.self)
  }
}

import FluxJSON

/// The numbers of the types, shapes and source lines that one thread has seen, of those that all threads share.
struct NameCache {
  private let names: LogNames
  private var types: [BytewiseName: UInt32] = [:]
  private var sources: [BytewiseName: UInt32] = [:]
  private var shapes: [[UInt8]: UInt32] = [:]
  private var key: [UInt8] = []

  /// The number of types, shapes and source lines each that a thread keeps; few logs have more.
  private static let limit = 1 << 10

  init(names: LogNames) { self.names = names }

  mutating func id(ofType type: Range<Int>, in bytes: JSONBytes) -> UInt32 {
    let type = bytes.string(type)
    return Self.id(of: BytewiseName(type), in: &types) { [names] in names.id(ofType: type) }
  }

  mutating func id(ofSource source: Range<Int>, in bytes: JSONBytes) -> UInt32 {
    let source = bytes.string(source)
    return Self.id(of: BytewiseName(source), in: &sources) { [names] in names.id(ofSource: source) }
  }

  private static func id<Name>(
    of name: Name, in known: inout [Name: UInt32], _ find: () -> UInt32
  ) -> UInt32 {
    if let id = known[name] { return id }
    let id = find()
    if known.count < limit { known[name] = id }
    return id
  }

  /// Returns the number of the shape of a step with these writes; `nil` if it writes a store twice, or
  /// too many stores.
  mutating func id(
    ofShape outline: StepOutline, _ writes: [OutlinedWrite], in bytes: JSONBytes
  ) -> UInt32? {
    guard writes.count <= names.storeLimit else { return nil }
    var key: [UInt8] = []
    swap(&key, &self.key)
    defer { swap(&key, &self.key) }
    key.removeAll(keepingCapacity: true)
    key.append((outline.isRejected ? 1 : 0) | (outline.cause != nil ? 2 : 0))
    for write in writes {
      key.append(write.kind.rawValue)
      unsafe key.append(contentsOf: bytes.slice(write.name.lowerBound, write.name.upperBound))
      key.append(UInt8(ascii: "\""))
    }
    let id = Self.id(of: key, in: &shapes) { [names] in
      let shape = StepShape(outline, writes, of: bytes)
      return shape.hasDistinctStores ? names.id(ofShape: shape) : .max
    }
    return id < .max ? id : nil
  }
}

extension StepShape {
  fileprivate init(_ outline: StepOutline, _ writes: [OutlinedWrite], of bytes: JSONBytes) {
    self.init(
      writes: writes.map { Write(store: bytes.string($0.name), kind: $0.kind) },
      isRejected: outline.isRejected, hasCause: outline.cause != nil)
  }

  fileprivate var hasDistinctStores: Bool {
    Set(writes.map { BytewiseName($0.store) }).count == writes.count
  }
}

extension JSONBytes {
  func string(_ range: Range<Int>) -> String {
    unsafe String(decoding: slice(range.lowerBound, range.upperBound), as: UTF8.self)
  }
}

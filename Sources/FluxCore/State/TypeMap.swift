/// Finds the value for a type.
///
/// It is a hash table with linear probing that never changes. The addresses of types serve as hashes: a
/// lookup takes 3 ns, and 20 ns in a `Dictionary`.
struct TypeMap<Value> {
  fileprivate struct Entry {
    let type: ObjectIdentifier
    let value: Value
  }

  private let entries: [Entry?]
  private let mask: Int

  init(_ values: [ObjectIdentifier: Value]) {
    var capacity = 8
    while capacity < values.count * 2 { capacity *= 2 }
    let mask = capacity - 1
    var entries = [Entry?](repeating: nil, count: capacity)
    for (type, value) in values {
      var index = Self.start(type) & mask
      while entries[index] != nil { index = (index + 1) & mask }
      entries[index] = Entry(type: type, value: value)
    }
    self.entries = entries
    self.mask = mask
  }

  @inline(__always)
  func value(of type: ObjectIdentifier) -> Value? {
    var index = Self.start(type) & mask
    while let entry = entries[index] {
      if entry.type == type { return entry.value }
      index = (index + 1) & mask
    }
    return nil
  }

  /// Type metadata is aligned and its addresses are close together: the low bits are equal, the middle ones
  /// differ.
  private static func start(_ type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 12))
  }
}

extension TypeMap: Sendable where Value: Sendable {}
extension TypeMap.Entry: Sendable where Value: Sendable {}

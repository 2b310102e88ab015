/// A collection that is encoded as an array whose order means nothing.
///
/// To sort its elements is sound: their type reads them back in any order.
protocol UnorderedElements {
  /// How many elements of the array belong together.
  static var group: UInt8 { get }
}

extension Set: UnorderedElements {
  static var group: UInt8 { 1 }
}

/// Keys that are no names are encoded as an array: a key, its value, the next key.
extension Dictionary: UnorderedElements {
  static var group: UInt8 { 2 }
}

/// Remembers for a few types whether they are unordered, as the language's own answer takes longer
/// than to encode a short array.
struct UnorderedTypes {
  private var known: [(type: ObjectIdentifier, group: UInt8)?] = []

  mutating func group(of type: any Encodable.Type) -> UInt8 {
    if known.isEmpty { known = Array(repeating: nil, count: 16) }
    let identifier = ObjectIdentifier(type)
    // Types are described by aligned memory: the lowest bits tell nothing.
    let slot = Int(UInt(bitPattern: identifier) >> 4 & 15)
    if let entry = known[slot], entry.type == identifier { return entry.group }
    let group = (type as? any UnorderedElements.Type)?.group ?? 0
    known[slot] = (identifier, group)
    return group
  }
}

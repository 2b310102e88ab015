/// A collection that is encoded as an array whose order has no meaning.
///
/// Sorting the elements is safe, because the type can read them back in any order.
protocol UnorderedElements {
  /// The number of array elements that form one entry.
  static var group: UInt8 { get }
}

extension Set: UnorderedElements {
  static var group: UInt8 { 1 }
}

/// A dictionary whose keys cannot be names is an array: a key, its value, the next key.
extension Dictionary: UnorderedElements {
  static var group: UInt8 { 2 }
}

/// Caches which types are unordered.
///
/// A dynamic cast takes longer than encoding a short array.
struct UnorderedTypes {
  private var known: [(type: ObjectIdentifier, group: UInt8)?] = []

  mutating func group(of type: any Encodable.Type) -> UInt8 {
    if known.isEmpty { known = Array(repeating: nil, count: 16) }
    let identifier = ObjectIdentifier(type)
    // Type metadata is aligned, so its lowest bits carry no information.
    let slot = Int(UInt(bitPattern: identifier) >> 4 & 15)
    if let entry = known[slot], entry.type == identifier { return entry.group }
    let group = (type as? any UnorderedElements.Type)?.group ?? 0
    known[slot] = (identifier, group)
    return group
  }
}

/// A cache of the results of dynamic casts, by the types of values.
///
/// Casting each time takes 4 % more instructions to record a step of two todos, and 5 % to encode 100 todos.
struct TypeTable {
  struct Facts {
    fileprivate let type: ObjectIdentifier
    /// The type as an array whose elements can be remembered.
    let array: (any RememberableArray.Type)?
    /// The number of elements that form one entry of an unordered type; 0 for other types.
    let group: UInt8
  }

  private var known: [Facts?] = []

  mutating func facts(of type: any Any.Type) -> Facts {
    // There are enough places that the types of one state rarely evict each other.
    if known.isEmpty { known = Array(repeating: nil, count: 64) }
    let identifier = ObjectIdentifier(type)
    // The highest bits of the product depend on every bit of the pointer.
    var slot = Int((UInt64(UInt(bitPattern: identifier)) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    if let facts = known[slot], facts.type != identifier { slot ^= 1 }
    if let facts = known[slot], facts.type == identifier { return facts }
    let facts = Facts(
      type: identifier, array: type as? any RememberableArray.Type,
      group: (type as? any UnorderedElements.Type)?.group ?? 0)
    known[slot] = facts
    return facts
  }
}

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

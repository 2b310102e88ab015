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

/// Remembers what a dynamic cast found out about a type.
///
/// Casting each time takes 3 % more instructions to record a step of 100 todos, and 5 % to encode
/// them.
struct TypeTable<Answer> {
  private var known: [(type: ObjectIdentifier, answer: Answer)?] = []

  /// Returns the remembered answer for a type, or computes it.
  @inline(__always)
  mutating func answer(_ type: any Any.Type, _ compute: () -> Answer) -> Answer {
    // There are enough places that the types of one state rarely evict each other.
    if known.isEmpty { known = Array(repeating: nil, count: 64) }
    let identifier = ObjectIdentifier(type)
    // The highest bits of the product depend on every bit of the pointer.
    var slot = Int((UInt64(UInt(bitPattern: identifier)) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    if let entry = known[slot], entry.type != identifier { slot ^= 1 }
    if let entry = known[slot], entry.type == identifier { return entry.answer }
    let answer = compute()
    known[slot] = (identifier, answer)
    return answer
  }
}

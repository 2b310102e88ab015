/// Gives a small number for each of a few byte strings that come again and again.
///
/// One thread's own, in front of the names that all share. A dictionary of strings would take
/// longer for each step than all the rest of the index does: a string of up to sixteen bytes is
/// two words here, found without a call.
struct ByteStringTable {
  /// A string of up to sixteen bytes, filled up with zeros.
  private struct Key: Equatable {
    var low: UInt64
    var high: UInt64
    var count: Int
  }

  private struct Slot {
    var key: Key
    var id: UInt32
  }

  private static let free = Slot(key: Key(low: 0, high: 0, count: -1), id: 0)
  private static let slotCount = 1 << 10

  /// A string has one place; where two share it, the newer one takes it.
  private var slots = Array(repeating: Self.free, count: Self.slotCount)
  private var longer: [[UInt8]: UInt32] = [:]

  /// Beyond this, longer strings are forgotten: a log whose every action has another type gains
  /// nothing here.
  private static let limit = 1 << 12

  init() {}

  /// The number of the string in a range of the bytes; where it is not known, `make` gives it.
  @inline(__always)
  mutating func id(
    of range: Range<Int>, in bytes: JSONBytes, make: () -> UInt32
  ) -> UInt32 {
    guard range.count <= 16, range.lowerBound + 16 <= bytes.count else {
      return idOfLonger(range, bytes, make)
    }
    let key = Self.key(range, bytes)
    let place = Self.place(key)
    if slots[place].key == key { return slots[place].id }
    let id = make()
    slots[place] = Slot(key: key, id: id)
    return id
  }

  @inline(never)
  private mutating func idOfLonger(
    _ range: Range<Int>, _ bytes: JSONBytes, _ make: () -> UInt32
  ) -> UInt32 {
    let key = unsafe [UInt8](bytes.slice(range.lowerBound, range.upperBound))
    if let known = longer[key] { return known }
    if longer.count >= Self.limit { longer.removeAll() }
    let id = make()
    longer[key] = id
    return id
  }

  @inline(__always)
  private static func key(_ range: Range<Int>, _ bytes: JSONBytes) -> Key {
    let count = range.count
    // A shift by 64 or more gives zero, which is right for an empty half.
    let lowMask = count >= 8 ? UInt64.max : ~(UInt64.max << UInt64(8 &* count))
    let highMask = count >= 16 ? UInt64.max : ~(UInt64.max << UInt64(8 &* max(count &- 8, 0)))
    return Key(
      low: bytes.word(at: range.lowerBound) & lowMask,
      high: bytes.word(at: range.lowerBound + 8) & highMask, count: count)
  }

  /// Multiplies and takes the upper bits, where all of the key has had its say.
  @inline(__always)
  private static func place(_ key: Key) -> Int {
    let mixed =
      (key.low ^ key.high &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: key.count))
      &* 0xA076_1D64_78BD_642F
    return Int(truncatingIfNeeded: mixed &>> 54)
  }
}

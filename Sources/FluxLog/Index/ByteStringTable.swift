import FluxJSON

/// Maps a few recurring byte strings to small numbers.
///
/// Belongs to one thread, and caches the names that all threads share. A dictionary of strings
/// would take longer for each step than the rest of the index. Here, a string of up to sixteen
/// bytes is two words, found without a call.
struct ByteStringTable {
  /// The bytes of a string of up to sixteen bytes; for a longer string, its hash and the place of
  /// its bytes.
  private struct Key: Equatable {
    var low: UInt64
    var high: UInt64
    var count: Int32
    var tag: UInt32
  }

  private struct Slot {
    var key: Key
    var id: UInt32
  }

  private static let free = Slot(key: Key(low: 0, high: 0, count: -1, tag: 0), id: 0)
  private static let slotCount = 1 << 10

  /// Each string has one slot; the newer of two strings with the same slot replaces the older.
  private var slots = Array(repeating: Self.free, count: Self.slotCount)
  /// The bytes of the longer strings.
  private var text: [UInt8] = []

  /// Strings above the first limit are not kept; above the second limit, all strings are removed.
  private static let lengthLimit = 1 << 10
  private static let textLimit = 1 << 18

  init() {}

  /// Returns the number of a string under a tag; calls `make` if the string is unknown.
  @inline(__always)
  mutating func id(
    of range: Range<Int>, tag: UInt32 = 0, in bytes: JSONBytes, make: () -> UInt32
  ) -> UInt32 {
    let count = range.upperBound &- range.lowerBound
    guard count <= 16 else { return idOfLonger(range, tag, bytes, make) }
    guard range.lowerBound &+ 16 <= bytes.count else { return make() }
    let key = Self.key(range.lowerBound, count, tag, bytes)
    let place = Self.place(key)
    if slots[place].key == key { return slots[place].id }
    let id = make()
    slots[place] = Slot(key: key, id: id)
    return id
  }

  @inline(never)
  private mutating func idOfLonger(
    _ range: Range<Int>, _ tag: UInt32, _ bytes: JSONBytes, _ make: () -> UInt32
  ) -> UInt32 {
    guard range.count <= Self.lengthLimit else { return make() }
    let string = unsafe bytes.slice(range.lowerBound, range.upperBound)
    let hash = unsafe Self.hash(JSONBytes(string))
    var key = Key(low: hash, high: 0, count: Int32(range.count), tag: tag)
    let place = Self.place(key)
    // Only the slot knows the place of its string.
    key.high = slots[place].key.high
    if slots[place].key == key, unsafe isKept(string, at: Int(key.high)) {
      return slots[place].id
    }
    if text.count + range.count > Self.textLimit { forget() }
    let id = make()
    key.high = UInt64(text.count)
    unsafe text.append(contentsOf: string)
    slots[place] = Slot(key: key, id: id)
    return id
  }

  private func isKept(_ string: UnsafeRawBufferPointer, at place: Int) -> Bool {
    unsafe text.withUnsafeBytes { text in
      unsafe UnsafeRawBufferPointer(rebasing: text[place..<place + string.count]).equals(string)
    }
  }

  private mutating func forget() {
    slots = Array(repeating: Self.free, count: Self.slotCount)
    text.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  private static func key(_ start: Int, _ count: Int, _ tag: UInt32, _ bytes: JSONBytes) -> Key {
    var key = Key(
      low: bytes.word(at: start), high: 0, count: Int32(truncatingIfNeeded: count), tag: tag)
    if count >= 8 {
      // The two words may overlap; together with the count they are unique.
      key.high = bytes.word(at: start &+ count &- 8)
    } else {
      key.low &= ~(UInt64.max &<< UInt64(truncatingIfNeeded: 8 &* count))
    }
    return key
  }

  /// Multiplies and takes the upper bits, which depend on all bits of the key.
  @inline(__always)
  private static func place(_ key: Key) -> Int {
    let rest = UInt64(truncatingIfNeeded: key.count) ^ UInt64(key.tag) &<< 8
    let mixed =
      (key.low ^ key.high &* 0x9E37_79B9_7F4A_7C15 ^ rest) &* 0xA076_1D64_78BD_642F
    return Int(truncatingIfNeeded: mixed &>> 54)
  }

  /// Hashes a string of more than sixteen bytes word by word; the last word may overlap the one
  /// before.
  private static func hash(_ bytes: JSONBytes) -> UInt64 {
    var hash: UInt64 = 0
    for place in stride(from: 0, to: bytes.count - 8, by: 8) {
      hash = (hash ^ bytes.word(at: place)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 32
    }
    hash = (hash ^ bytes.word(at: bytes.count - 8)) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash &>> 32
  }
}

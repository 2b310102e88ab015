/// Gives a small number for each of a few byte strings that come again and again.
///
/// One thread's own, in front of the names that all share. A dictionary of strings would take
/// longer for each step than all the rest of the index does.
struct ByteStringTable {
  private struct Slot {
    var hash: UInt64 = 0
    var id: UInt32 = 0
    var start: UInt32 = 0
    /// Negative where the slot is free.
    var count: Int32 = -1
  }

  private var slots: [Slot]
  private var used = 0
  private var text: [UInt8] = []

  /// Beyond this, all is forgotten: a log whose every action has another type gains nothing here.
  private static let limit = 1 << 15

  init() {
    slots = Array(repeating: Slot(), count: 256)
  }

  /// The number of a string; where it is not known yet, `make` gives it.
  @inline(__always)
  mutating func id<Failure: Error>(
    of key: UnsafeRawBufferPointer, make: () throws(Failure) -> UInt32
  ) throws(Failure) -> UInt32 {
    let hash = unsafe Self.hash(key)
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place].count >= 0 {
      if slots[place].hash == hash, unsafe matches(slots[place], key) { return slots[place].id }
      place = (place &+ 1) & mask
    }
    let id = try make()
    unsafe insert(key, hash, id)
    return id
  }

  @inline(__always)
  private func matches(_ slot: Slot, _ key: UnsafeRawBufferPointer) -> Bool {
    guard Int(slot.count) == key.count else { return false }
    return unsafe text.span.bytes.withUnsafeBytes { bytes in
      let start = Int(slot.start)
      return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + key.count]).equals(key)
    }
  }

  @inline(never)
  private mutating func insert(_ key: UnsafeRawBufferPointer, _ hash: UInt64, _ id: UInt32) {
    guard key.count < 1 << 16 else { return }
    if used >= Self.limit { self = ByteStringTable() }
    if used * 2 >= slots.count { grow() }
    var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[place].count >= 0 { place = (place + 1) & (slots.count - 1) }
    slots[place] = Slot(
      hash: hash, id: id, start: UInt32(text.count), count: Int32(key.count))
    unsafe text.append(contentsOf: key)
    used += 1
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(), count: old.count * 2)
    for slot in old where slot.count >= 0 {
      var place = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
      while slots[place].count >= 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = slot
    }
  }

  /// Multiplies and folds eight bytes at a time; equal strings are compared anyway.
  @inline(__always)
  private static func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: key.count) &* 0x9E37_79B9_7F4A_7C15
    var place = 0
    while place &+ 8 <= key.count {
      hash = unsafe mixed(hash ^ key.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place &+= 8
    }
    guard place < key.count else { return hash }
    var rest: UInt64 = 0
    while place < key.count {
      rest = unsafe rest &<< 8 | UInt64(key[place])
      place &+= 1
    }
    return mixed(hash ^ rest)
  }

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    let (high, low) = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return high ^ low
  }
}

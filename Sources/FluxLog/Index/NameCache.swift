import FluxJSON

/// The numbers of the types, shapes and source lines that one thread has seen, of those that all threads share.
struct NameCache {
  private let names: LogNames
  private var types = ByteStringTable()
  private var shapes = ByteStringTable()
  private var sources = ByteStringTable()
  private var key: [UInt8] = []

  init(names: LogNames) { self.names = names }

  @inline(__always)
  mutating func id(ofType type: Range<Int>, in bytes: JSONBytes) -> UInt32 {
    types.id(of: type, in: bytes) { [names] in names.id(ofType: bytes.string(type)) }
  }

  mutating func id(ofSource source: Range<Int>, in bytes: JSONBytes) -> UInt32 {
    sources.id(of: source, in: bytes) { [names] in names.id(ofSource: bytes.string(source)) }
  }

  /// Returns the number of the shape of a step with these writes; `nil` if it writes a store twice, or
  /// too many stores.
  mutating func id(
    ofShape outline: StepOutline, _ first: OutlinedWrite?, _ others: [OutlinedWrite],
    in bytes: JSONBytes
  ) -> UInt32? {
    guard others.count < names.storeLimit else { return nil }
    var key: [UInt8] = []
    swap(&key, &self.key)
    defer { swap(&key, &self.key) }
    key.removeAll(keepingCapacity: true)
    key.append((outline.isRejected ? 1 : 0) | (outline.cause != nil ? 2 : 0))
    if let first {
      Self.append(first, of: bytes, to: &key)
      for write in others { Self.append(write, of: bytes, to: &key) }
    }
    let count = key.count
    // The table reads whole words.
    key.append(contentsOf: repeatElement(0, count: 16))
    let id = unsafe key.withUnsafeBytes { [names] key in
      shapes.id(of: 0..<count, in: unsafe JSONBytes(key)) {
        let shape = StepShape(outline, (first.map { [$0] } ?? []) + others, of: bytes)
        return shape.hasDistinctStores ? names.id(ofShape: shape) : .max
      }
    }
    return id < .max ? id : nil
  }

  @inline(__always)
  private static func append(
    _ write: OutlinedWrite, of bytes: JSONBytes, to key: inout [UInt8]
  ) {
    key.append(write.kind.rawValue)
    unsafe key.append(contentsOf: bytes.slice(write.name.lowerBound, write.name.upperBound))
    key.append(UInt8(ascii: "\""))
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

/// Maps a few recurring byte strings to small numbers.
///
/// A dictionary of strings would take longer for each step than the rest of the index. Here, a
/// string of up to sixteen bytes is two words, found without a call. The bytes of a longer one are compared.
private struct ByteStringTable {
  private struct Key: Equatable {
    var low: UInt64
    var high: UInt64
    var count: Int
  }

  private struct Slot {
    var key: Key
    var id: UInt32
  }

  /// Each string has one slot; the newer of two strings with the same slot replaces the older.
  private var slots = Array(
    repeating: Slot(key: Key(low: 0, high: 0, count: -1), id: 0), count: 1 << 10)
  /// The strings in the slots that are longer than sixteen bytes.
  private var longer: [[UInt8]] = Array(repeating: [], count: 1 << 10)

  /// Returns the number of a string; calls `make` if the string is unknown.
  @inline(__always)
  mutating func id(
    of range: Range<Int>, in bytes: JSONBytes, make: () -> UInt32
  ) -> UInt32 {
    let count = range.upperBound &- range.lowerBound
    guard range.lowerBound &+ 16 <= bytes.count else { return make() }
    let key = Self.key(range.lowerBound, count, bytes)
    let place = Self.place(key)
    if slots[place].key == key, count <= 16 || isLonger(range, of: bytes, in: place) {
      return slots[place].id
    }
    let id = make()
    slots[place] = Slot(key: key, id: id)
    if count > 16 {
      longer[place] = unsafe [UInt8](bytes.slice(range.lowerBound, range.upperBound))
    }
    return id
  }

  /// Returns `true` if a slot has that string, given that their ends and lengths are equal.
  private func isLonger(_ range: Range<Int>, of bytes: JSONBytes, in place: Int) -> Bool {
    let wanted = unsafe bytes.slice(range.lowerBound, range.upperBound)
    return unsafe longer[place].count == wanted.count
      && longer[place].withUnsafeBytes { unsafe $0.elementsEqual(wanted) }
  }

  @inline(__always)
  private static func key(_ start: Int, _ count: Int, _ bytes: JSONBytes) -> Key {
    var key = Key(low: bytes.word(at: start), high: 0, count: count)
    if count >= 8 {
      // The two words may overlap; together with the count they are unique up to sixteen bytes.
      key.high = bytes.word(at: start &+ count &- 8)
    } else {
      key.low &= ~(UInt64.max &<< UInt64(truncatingIfNeeded: 8 &* count))
    }
    return key
  }

  /// Multiplies and takes the upper bits, which depend on all bits of the key.
  @inline(__always)
  private static func place(_ key: Key) -> Int {
    let count = UInt64(truncatingIfNeeded: key.count)
    let mixed =
      (key.low ^ key.high &* 0x9E37_79B9_7F4A_7C15 ^ count) &* 0xA076_1D64_78BD_642F
    return Int(truncatingIfNeeded: mixed &>> 54)
  }
}

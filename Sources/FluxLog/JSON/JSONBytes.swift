/// The bytes of a text, with every read checked against their end, but for those at places that
/// the search for tokens found in them.
///
/// Safe although it holds a pointer: whoever makes one keeps the memory alive and unchanged while
/// it is in use (`JSONDocument` for its own life, `JSONParser` for the length of a call), and no
/// read leaves `0..<count`.
@safe
struct JSONBytes {
  // Not the buffer itself: whether that has an address is asked on every read, and its count is a
  // subtraction. Together they took 2.5 % of the instructions of parsing a state of 138 KB.
  private let base: UnsafeRawPointer
  let count: Int

  @inline(__always)
  init(_ buffer: UnsafeRawBufferPointer) {
    // An empty buffer may have no address; any will do, as nothing is ever read from it.
    unsafe base = buffer.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
    count = buffer.count
  }

  @inline(__always)
  subscript(_ offset: Int) -> UInt8 {
    precondition(UInt(bitPattern: offset) < UInt(bitPattern: count))
    return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// The byte at the place of a token, which `JSONTokens` only gives if it is in the text.
  ///
  /// Without a check, which would be one for every few instructions of the parser.
  @inline(__always)
  subscript(token offset: Int) -> UInt8 {
    assert(offset >= 0 && offset < count)
    return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// Eight bytes, the first one lowest.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset &+ 8 <= count)
    return UInt64(
      littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// All of up to seven bytes, the first one lowest.
  ///
  /// In two halves that overlap, or in three bytes of which some may be the same.
  @inline(__always)
  var shortWord: UInt64 {
    precondition(count < 8)
    func placed(_ value: UInt64, _ offset: Int) -> UInt64 {
      value &<< UInt64(truncatingIfNeeded: offset &* 8)
    }
    if count >= 4 {
      let last = count &- 4
      let low = UInt32(littleEndian: unsafe base.loadUnaligned(as: UInt32.self))
      let high = unsafe base.loadUnaligned(fromByteOffset: last, as: UInt32.self)
      return UInt64(low) | placed(UInt64(UInt32(littleEndian: high)), last)
    }
    guard count > 0 else { return 0 }
    let middle = count / 2
    return UInt64(self[0]) | placed(UInt64(self[middle]), middle)
      | placed(UInt64(self[count &- 1]), count &- 1)
  }

  /// Sixteen bytes.
  @inline(__always)
  func block(at offset: Int) -> SIMD16<UInt8> {
    precondition(offset >= 0 && offset &+ 16 <= count)
    return unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
  }

  /// The bytes from `start` up to `end`.
  @inline(__always)
  func slice(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    precondition(start >= 0 && start <= end && end <= count)
    return unsafe UnsafeRawBufferPointer(start: base + start, count: end &- start)
  }

  /// The first eight bytes of what stands between `start` and `end`, the first one highest, filled
  /// up with zeros: numbers that are in the order of the bytes, as far as they differ.
  @inline(__always)
  func prefix(_ start: Int, _ end: Int) -> UInt64 {
    guard start &+ 8 <= count else { return shortPrefix(start, end) }
    let word = word(at: start).byteSwapped
    let bits = UInt64(truncatingIfNeeded: (end &- start) &* 8)
    return bits >= 64 ? word : word & ~(UInt64.max &>> bits)
  }

  @inline(never)
  private func shortPrefix(_ start: Int, _ end: Int) -> UInt64 {
    (start..<start + 8).reduce(0) { $0 << 8 | ($1 < end ? UInt64(self[$1]) : 0) }
  }

  /// Whether `length` bytes at one place are the same as those at another.
  ///
  /// May say no where there are more than sixteen, or where the text ends soon.
  @inline(__always)
  func quicklyEqual(_ left: Int, _ right: Int, length: Int) -> Bool {
    guard length >= 8 else {
      guard max(left, right) &+ 8 <= count, length > 0 else { return false }
      let unused = UInt64(truncatingIfNeeded: (8 &- length) &* 8)
      return (word(at: left) ^ word(at: right)) &<< unused == 0
    }
    guard length <= 16, max(left, right) &+ length <= count else { return false }
    let tail = length &- 8
    return word(at: left) == word(at: right)
      && word(at: left &+ tail) == word(at: right &+ tail)
  }
}

/// The bytes of a text, with bounds-checked reads.
///
/// Only reads at the offsets of tokens are unchecked, because the token search has already found
/// them in the text.
///
/// The type is safe although it stores a pointer. Its creator keeps the memory alive and unchanged
/// while it is in use: `JSONDocument` for its own lifetime, `JSONParser` for the duration of a
/// call. No read leaves `0..<count`.
@safe
@usableFromInline package struct JSONBytes {
  // A base address instead of a buffer. A buffer checks its address for nil on every read and
  // computes its count by subtraction. Together these took 2.5 % of the instructions to parse a
  // state of 138 KB.
  @usableFromInline let base: UnsafeRawPointer
  @usableFromInline package let count: Int

  @inlinable @inline(__always)
  package init(_ buffer: UnsafeRawBufferPointer) {
    // An empty buffer may have no address. Any address will do, because nothing is read from it.
    unsafe base = buffer.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
    count = buffer.count
  }

  @inlinable @inline(__always)
  package subscript(_ offset: Int) -> UInt8 {
    precondition(UInt(bitPattern: offset) < UInt(bitPattern: count))
    return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// The byte at a token's offset, which `JSONTokens` guarantees to be in the text.
  @inline(__always)
  subscript(token offset: Int) -> UInt8 {
    assert(offset >= 0 && offset < count)
    return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
  }

  @inlinable @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset &+ 8 <= count)
    return UInt64(
      littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The whole text of up to seven bytes as a little-endian integer.
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

  @inlinable @inline(__always)
  package func block(at offset: Int) -> SIMD16<UInt8> {
    precondition(offset >= 0 && offset &+ 16 <= count)
    return unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
  }

  @inlinable @inline(__always)
  package func slice(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
    precondition(start >= 0 && start <= end && end <= count)
    return unsafe UnsafeRawBufferPointer(start: base + start, count: end &- start)
  }

  /// Returns up to eight bytes from `start` to `end` as a big-endian integer, padded with zeros.
  ///
  /// If two prefixes differ, they have the same order as their byte sequences.
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

  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }

  /// Returns the number of digits at the start of the eight bytes at `place`.
  @inlinable @inline(__always)
  package func digitCount(at place: Int) -> Int {
    let word = word(at: place) ^ Self.ones &* 0x30
    // XOR with 0x30 turns a digit into 0...9. Any other byte has a bit set in its upper half,
    // either at once or after adding 6. Carries only change bytes above such a byte, so the lowest
    // one is exact.
    let others = (word | (word &+ Self.ones &* 0x06)) & (Self.ones &* 0xF0)
    return min(others.trailingZeroBitCount &>> 3, 8)
  }

  /// Parses `count` digits (1 to 16) at `place`, which the caller has checked.
  @inlinable @inline(__always)
  package func number(at place: Int, digits count: Int) -> UInt64 {
    guard count > 8 else { return Self.number(word(at: place), digits: count) }
    let high = Self.number(word(at: place), digits: count &- 8)
    return high &* 100_000_000 &+ Self.number(word(at: place &+ count &- 8), digits: 8)
  }

  /// Parses the lowest `count` bytes (1 to 8) of a word as digits.
  ///
  /// The shift moves the digits to the top and puts zeros before them. One multiplication each then
  /// joins them into pairs, groups of four and groups of eight.
  @inlinable @inline(__always)
  static func number(_ word: UInt64, digits count: Int) -> UInt64 {
    let digits =
      (word ^ ones &* 0x30) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours &>> 32) & 0xFFFF_FFFF
  }
}

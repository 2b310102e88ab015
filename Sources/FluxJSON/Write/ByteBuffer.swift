#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A growable text buffer that the encoder writes to.
///
/// An array would check on every append whether its storage is shared. It also cannot copy a part
/// of itself to its end.
@safe
@usableFromInline package struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline private(set) var capacity: Int
  @usableFromInline package private(set) var count = 0

  package init(capacity: Int = 512) {
    self.capacity = max(capacity, 64)
    unsafe base = unsafe Self.reallocated(nil, 0, to: self.capacity)
  }

  deinit { unsafe free(base) }

  var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  /// Makes room for `extra` bytes, so callers can write them without a check.
  @inlinable @inline(__always)
  mutating func reserve(_ extra: Int) {
    if capacity &- count < extra {
      let larger = max(capacity * 2, count + extra)
      unsafe base = unsafe Self.reallocated(base, count, to: larger)
      capacity = larger
    }
  }

  /// Grows the memory in place, or moves it.
  ///
  /// Larger text is always moved. `realloc` copies it while it holds the lock of the heap that the memory is from. With
  /// glibc that can be the heap of another thread, which then waits for a copy of megabytes before it can allocate.
  @inline(never)
  @usableFromInline static func reallocated(
    _ base: UnsafeMutablePointer<UInt8>?, _ count: Int, to capacity: Int
  ) -> UnsafeMutablePointer<UInt8> {
    let moves = capacity > 1 << 16
    guard let memory = unsafe moves ? malloc(capacity) : realloc(base, capacity) else {
      preconditionFailure("there is no memory for a text of \(capacity) bytes")
    }
    let bytes = unsafe memory.bindMemory(to: UInt8.self, capacity: capacity)
    if moves, let base = unsafe base {
      unsafe bytes.update(from: base, count: count)
      unsafe free(base)
    }
    return unsafe bytes
  }

  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base[count] = byte
    count &+= 1
  }

  @inlinable @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    // The source is separate memory, never a part of this buffer.
    unsafe UnsafeMutableRawBufferPointer(start: base + count, count: bytes.count)
      .copyMemory(from: bytes)
    count &+= bytes.count
  }

  @inlinable @inline(__always)
  package mutating func append(_ text: StaticString) {
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  package mutating func append(_ block: SIMD16<UInt8>) {
    reserve(16)
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: block, as: SIMD16<UInt8>.self)
    count &+= 16
  }

  /// Appends eight bytes, the lowest one first.
  @inlinable @inline(__always)
  package mutating func append(_ word: UInt64) {
    reserve(8)
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(
      of: word.littleEndian, as: UInt64.self)
    count &+= 8
  }

  package mutating func append(_ part: Range<Int>) {
    precondition(part.lowerBound >= 0 && part.upperBound <= count)
    reserve(part.count)
    // The part ends at or before `count`, so source and destination do not overlap.
    unsafe (base + count).initialize(from: base + part.lowerBound, count: part.count)
    count &+= part.count
  }

  mutating func remove(_ part: Range<Int>) {
    precondition(part.lowerBound >= 0 && part.upperBound <= count)
    let rest = count &- part.upperBound
    unsafe (base + part.lowerBound).update(from: base + part.upperBound, count: rest)
    count &-= part.count
  }

  mutating func replace(_ part: Range<Int>, with text: UnsafeRawBufferPointer) {
    precondition(part.lowerBound >= 0 && part.upperBound <= count)
    let shift = text.count &- part.count
    reserve(max(shift, 0))
    let rest = unsafe base + part.upperBound
    // Both ranges are within the capacity. `update(from:)` allows overlap, and `text` is separate
    // memory.
    unsafe (rest + shift).update(from: rest, count: count &- part.upperBound)
    unsafe UnsafeMutableRawBufferPointer(start: base + part.lowerBound, count: text.count)
      .copyMemory(from: text)
    count &+= shift
  }

  @inlinable
  package mutating func truncate(to newCount: Int) {
    precondition((0...count).contains(newCount))
    count = newCount
  }

  @inlinable
  /// Calls `body` with a part of the text, which is valid until `body` returns.
  package func withBytes<R>(_ part: Range<Int>, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    precondition(part.lowerBound >= 0 && part.upperBound <= count)
    return unsafe body(UnsafeRawBufferPointer(start: base + part.lowerBound, count: part.count))
  }

  /// Returns up to eight bytes of the `length` bytes at `start`, the first one highest.
  @inline(__always)
  mutating func prefix(_ start: Int, _ length: Int) -> UInt64 {
    precondition(start >= 0 && length >= 0 && start &+ length <= count)
    reserve(8)
    // All eight bytes read below are within the capacity and initialized.
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: 0, as: UInt64.self)
    let word = unsafe UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self).bigEndian
    let bits = UInt64(truncatingIfNeeded: length &* 8)
    return bits >= 64 ? word : word & ~(UInt64.max &>> bits)
  }
}

/// The bytes of a text, with every read checked against their end.
///
/// Safe although it holds a pointer: whoever makes one keeps the memory alive and unchanged while
/// it is in use (`JSONDocument` for its own life, `JSONParser` for the length of a call), and no
/// read leaves `0..<count`.
@safe
struct JSONBytes {
  private let base: UnsafeRawPointer
  let count: Int

  init(_ buffer: UnsafeRawBufferPointer) {
    // An empty buffer may have no address; any will do, as nothing is ever read from it.
    unsafe base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    count = buffer.count
  }

  @inline(__always)
  subscript(_ offset: Int) -> UInt8 {
    precondition(UInt(bitPattern: offset) < UInt(bitPattern: count))
    return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// Eight bytes, the first one lowest.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset &+ 8 <= count)
    return UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
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
}

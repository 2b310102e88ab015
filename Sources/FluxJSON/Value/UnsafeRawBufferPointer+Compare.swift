#if canImport(Darwin)
  public import Darwin
#elseif canImport(Musl)
  public import Musl
#else
  public import Glibc
#endif

extension UnsafeRawBufferPointer {
  @inlinable @inline(__always)
  package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    // An empty buffer may have no address, and memcmp does not accept that.
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    return unsafe memcmp(left, right, count) == 0
  }

  /// Compares two buffers bytewise.
  ///
  /// Returns a negative number, zero or a positive number if this buffer sorts before, equal to or
  /// after `other`. For UTF-8, this is the order of the code points.
  @inline(__always)
  func order(_ other: UnsafeRawBufferPointer) -> Int {
    guard let left = baseAddress, let right = other.baseAddress else {
      return count - other.count
    }
    let found = unsafe memcmp(left, right, Swift.min(count, other.count))
    return found != 0 ? Int(found) : count - other.count
  }

  /// Returns the number of equal bytes at the start of both buffers.
  package func commonPrefix(with other: UnsafeRawBufferPointer) -> Int {
    // An empty buffer may have no address, which memcmp does not accept.
    guard let left = baseAddress, let right = other.baseAddress else { return 0 }
    let shorter = Swift.min(count, other.count)
    var offset = 0
    while offset + blockSize <= shorter,
      unsafe memcmp(left + offset, right + offset, blockSize) == 0
    {
      offset += blockSize
    }
    while offset &+ 8 <= shorter {
      let difference = unsafe word(offset) ^ other.word(offset)
      guard difference == 0 else { return offset &+ difference.trailingZeroBitCount / 8 }
      offset &+= 8
    }
    while offset < shorter, unsafe self[offset] == other[offset] { offset += 1 }
    return offset
  }

  /// Returns the number of equal bytes at the end of both buffers.
  package func commonSuffix(with other: UnsafeRawBufferPointer) -> Int {
    guard let left = baseAddress, let right = other.baseAddress else { return 0 }
    let shorter = Swift.min(count, other.count)
    // The pointers are past the last byte, and `length` counts back from there.
    let (leftEnd, rightEnd) = unsafe (left + count, right + other.count)
    var length = 0
    while length + blockSize <= shorter,
      unsafe memcmp(leftEnd - length - blockSize, rightEnd - length - blockSize, blockSize) == 0
    {
      length += blockSize
    }
    while length &+ 8 <= shorter {
      let (left, right) = (count &- length &- 8, other.count &- length &- 8)
      let difference = unsafe word(left) ^ other.word(right)
      guard difference == 0 else { return length &+ difference.leadingZeroBitCount / 8 }
      length &+= 8
    }
    while length < shorter,
      unsafe self[count - length - 1] == other[other.count - length - 1]
    {
      length += 1
    }
    return length
  }

  private func word(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

/// The number of bytes that one call of `memcmp` compares.
///
/// A block is large enough to run at the speed of memory. It is small enough that searching the
/// last one word by word costs little.
private let blockSize = 1_024

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The number of bytes that one call of `memcmp` compares.
///
/// A block is large enough to run at the speed of memory. It is small enough that searching the
/// last one word by word costs little.
private let blockSize = 1_024

extension UnsafeRawBufferPointer {
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

  /// Returns eight bytes as an integer, the first byte lowest.
  private func word(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

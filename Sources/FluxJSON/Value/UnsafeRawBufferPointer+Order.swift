#if canImport(Darwin)
  public import Darwin
#elseif canImport(Musl)
  public import Musl
#else
  public import Glibc
#endif

extension UnsafeRawBufferPointer {
  /// Returns `true` if both buffers hold the same bytes.
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
}

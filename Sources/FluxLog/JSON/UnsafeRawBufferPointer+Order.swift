#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension UnsafeRawBufferPointer {
  /// Whether both hold the same bytes.
  @inline(__always)
  func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    // An empty buffer may have no address, which memcmp does not accept.
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    return unsafe memcmp(left, right, count) == 0
  }

  /// Compares bytewise: negative, zero or positive, as this is before, equal to or after `other`.
  ///
  /// For UTF-8 this is the order of the code points.
  @inline(__always)
  func order(_ other: UnsafeRawBufferPointer) -> Int {
    guard let left = baseAddress, let right = other.baseAddress else {
      return count - other.count
    }
    let found = unsafe memcmp(left, right, Swift.min(count, other.count))
    return found != 0 ? Int(found) : count - other.count
  }
}

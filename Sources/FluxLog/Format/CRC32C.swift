import CChecksum

/// The CRC-32C (Castagnoli) of a sequence of bytes, as RFC 3720, section 12.1 defines it.
///
/// Finds every error of up to 32 bits in a row, so a changed byte never goes unnoticed.
struct CRC32C: Equatable, Sendable {
  /// The checksum of the bytes so far.
  private(set) var value: UInt32 = 0

  /// Takes in the bytes that come next.
  @inline(__always)
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // The function reads `count` bytes from `baseAddress` and keeps neither.
    value = unsafe flux_crc32c(value, bytes.baseAddress, bytes.count)
  }

  /// The checksum of one buffer.
  @inline(__always)
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    unsafe checksum.update(bytes)
    return checksum.value
  }

  /// The checksum of an array.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.span.bytes.withUnsafeBytes { unsafe checksum($0) }
  }
}

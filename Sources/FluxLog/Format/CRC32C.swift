import CChecksum

/// The CRC-32C (Castagnoli) checksum of a sequence of bytes, as defined in RFC 3720, section 12.1.
///
/// Detects every error of up to 32 consecutive bits, so a changed byte never goes unnoticed.
struct CRC32C: Equatable, Sendable {
  private(set) var value: UInt32 = 0

  @inline(__always)
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // The function reads `count` bytes from `baseAddress` and keeps no pointer.
    value = unsafe flux_crc32c(value, bytes.baseAddress, bytes.count)
  }

  @inline(__always)
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    unsafe checksum.update(bytes)
    return checksum.value
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe checksum($0) }
  }
}

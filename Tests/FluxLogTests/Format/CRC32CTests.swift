import CChecksum
import Testing

@testable import FluxLog

@Suite struct CRC32CTests {
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe CRC32C.checksum($0) }
  }

  @Test(
    "The checksums of RFC 3720, B.4, come out",
    arguments: [
      (Array(repeating: UInt8(0), count: 32), 0x8A91_36AA),
      (Array(repeating: UInt8(0xFF), count: 32), 0x62A8_AB43),
      (Array(UInt8(0)..<32), 0x46DD_794E), (Array((UInt8(0)..<32).reversed()), 0x113F_DB5C),
      (Array("123456789".utf8), 0xE306_9283), ([], 0),
    ] as [([UInt8], UInt32)])
  func published(bytes: [UInt8], expected: UInt32) {
    #expect(Self.checksum(bytes) == expected)
  }

  @Test("Instruction and table agree with the definition, at every length and alignment")
  func definition() {
    let bytes = (0..<80).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    for start in 0..<9 {
      for end in start...bytes.count {
        let part = Array(bytes[start..<end])
        let expected = Self.bitByBit(part)
        #expect(Self.checksum(part) == expected)
        let byTable = unsafe part.withUnsafeBytes {
          unsafe flux_crc32c_table(0, $0.baseAddress, $0.count)
        }
        #expect(byTable == expected)
      }
    }
  }

  @Test("Parallel lanes and the table agree", arguments: [0, 1, 2, 3, 4, 5])
  func lanes(threes: Int) {
    // Three lanes of 256 bytes, and a rest.
    for rest in [0, 1, 7, 8, 255, 256, 257, 767] {
      let count = threes * 768 + rest
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 5) }
      let byTable = unsafe bytes.withUnsafeBytes {
        unsafe flux_crc32c_table(0, $0.baseAddress, $0.count)
      }
      #expect(Self.checksum(bytes) == byTable, "\(count) bytes")
    }
  }

  @Test("The checksum of parts is the checksum of the whole")
  func parts() {
    let bytes = Array("the quick brown fox".utf8)
    for cut in 0...bytes.count {
      let parts = unsafe bytes.withUnsafeBytes {
        unsafe CRC32C.checksum(
          UnsafeRawBufferPointer(rebasing: $0[cut...]),
          after: CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[..<cut])))
      }
      #expect(parts == Self.checksum(bytes))
    }
  }

  /// Returns the remainder of the division by the polynomial, bit by bit.
  private static func bitByBit(_ bytes: [UInt8]) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1
      }
    }
    return ~remainder
  }
}

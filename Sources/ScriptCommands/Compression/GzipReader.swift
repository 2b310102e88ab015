/// Decompresses a gzip file, as RFC 1952 describes it: one member or several, and zeros after them.
struct GzipReader {
  /// The bytes that a gzip file begins with.
  static let magic: [UInt8] = [0x1F, 0x8B]

  private var reader: BitReader

  /// - Parameter nextPiece: Returns the next piece of the file; an empty one at the end.
  init(_ nextPiece: @escaping () throws -> [UInt8]) { reader = BitReader(nextPiece) }

  /// Decompresses the file.
  ///
  /// - Parameter write: Receives the output, piece by piece.
  /// - Throws: ``CompressionFault``, and the errors of both closures.
  mutating func run(_ write: @escaping (ArraySlice<UInt8>) throws -> Void) throws {
    try readMember(write)
    while try !reader.isAtEnd() {
      // Tapes and some programs fill the last block with zeros.
      if reader.peek(8) == 0 {
        try reader.drop(8)
      } else {
        try readMember(write)
      }
    }
  }

  private mutating func readMember(_ write: @escaping (ArraySlice<UInt8>) throws -> Void) throws {
    try readHeader()
    let sum = MemberSum()
    var inflater = Inflater { bytes in
      sum.add(bytes)
      try write(bytes)
    }
    try inflater.run(&reader)
    reader.skipToByte()
    guard try reader.take(32) == Int(sum.checksum) else {
      throw CompressionFault.damaged("the checksum does not match")
    }
    guard try reader.take(32) == sum.count & 0xFFFF_FFFF else {
      throw CompressionFault.damaged("the length does not match")
    }
  }

  private mutating func readHeader() throws {
    guard try reader.take(8) == Self.magic[0], try reader.take(8) == Self.magic[1] else {
      throw CompressionFault.damaged("other bytes follow the end")
    }
    guard try reader.take(8) == 8 else {
      throw CompressionFault.damaged("the method is not DEFLATE")
    }
    let flags = try reader.take(8)
    guard flags & 0xE0 == 0 else { throw CompressionFault.damaged("a flag is unknown") }
    // The time, the level and the system.
    for _ in 0..<6 { _ = try reader.take(8) }
    if flags & 4 != 0 {
      for _ in 0..<(try reader.take(16)) { _ = try reader.take(8) }
    }
    if flags & 8 != 0 { try skipText() }
    if flags & 16 != 0 { try skipText() }
    if flags & 2 != 0 { _ = try reader.take(16) }
  }

  /// Skips a name or a comment, which ends with a zero.
  private mutating func skipText() throws {
    while try reader.take(8) != 0 {}
  }
}

/// The checksum and the length of a member's output.
private final class MemberSum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  private var sum: UInt32 = .max
  private(set) var count = 0

  /// The CRC-32 of the output.
  var checksum: UInt32 { ~sum }

  func add(_ bytes: ArraySlice<UInt8>) {
    var sum = sum
    for byte in bytes { sum = Self.table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    self.sum = sum
    count += bytes.count
  }
}

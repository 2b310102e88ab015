/// The beginning of a log's file, by which two processes know that they mean the same lines.
package struct LogPrefix: Sendable, Equatable {
  package var byteCount: Int
  package var crc: UInt32

  package init(byteCount: Int, crc: UInt32) { (self.byteCount, self.crc) = (byteCount, crc) }
}

extension LogFile {
  /// The bytes of a prefix that are read between two calls of `check`.
  private static let pieceByteCount = 16 << 20

  /// Returns the prefix of all lines that are indexed.
  ///
  /// `check` is called several times a second. An error of it ends the reading.
  package func prefix(check: () throws -> Void = {}) throws -> LogPrefix {
    let byteCount = progress.done
    return LogPrefix(byteCount: byteCount, crc: try checksum(ofFirst: byteCount, check))
  }

  /// Returns `true` if the indexed lines begin with a prefix of a file that may be another one.
  ///
  /// `check` is called several times a second. An error of it ends the reading.
  package func begins(with prefix: LogPrefix, check: () throws -> Void = {}) throws -> Bool {
    guard 0...progress.done ~= prefix.byteCount else { return false }
    return try checksum(ofFirst: prefix.byteCount, check) == prefix.crc
  }

  private func checksum(ofFirst byteCount: Int, _ check: () throws -> Void) throws -> UInt32 {
    var checksum: UInt32 = 0
    for start in stride(from: 0, to: byteCount, by: Self.pieceByteCount) {
      try check()
      let end = min(start + Self.pieceByteCount, byteCount)
      checksum = try file.checksum(of: start..<end, after: checksum)
    }
    return checksum
  }
}

extension OpenFile {
  /// Returns the CRC-32C of a range of the file, whose bytes follow others with the checksum `earlier`.
  func checksum(of range: Range<Int>, after earlier: UInt32 = 0) throws(LogError) -> UInt32 {
    var (start, checksum) = (range.lowerBound, earlier)
    while start < range.upperBound {
      let bytes = try wholeBytes(at: start, count: min(1 << 16, range.upperBound - start))
      checksum = unsafe bytes.withUnsafeBytes { unsafe CRC32C.checksum($0, after: checksum) }
      start += bytes.count
    }
    return checksum
  }
}

package import SystemPackage

extension FileDescriptor {
  /// Reads to the end.
  ///
  /// - Throws: `Errno`.
  package func readAll() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // The system writes no more than the array has.
      let count = try unsafe part.withUnsafeMutableBytes { try unsafe read(into: $0) }
      guard count > 0 else { return bytes }
      bytes += part.prefix(count)
    }
  }

  /// Closes a descriptor whose last writes do not matter.
  package func closeQuietly() {
    do { try close() } catch {
      // It is closed all the same.
    }
  }
}

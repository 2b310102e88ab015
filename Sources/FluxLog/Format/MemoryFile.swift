import FluxSystem

/// The bytes of a log that is only in memory.
///
/// One thread appends, and any thread reads.
final class MemoryFile: Sendable {
  private let content = Monitor<[UInt8]>([])

  var byteCount: Int { content.withLock { $0.count } }

  func append(_ bytes: [UInt8]) { content.withLock { $0 += bytes } }

  /// Fills the buffer from `offset` on; returns the number of bytes, fewer only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    content.withLock { content in
      guard offset < content.count else { return 0 }
      let end = min(content.count, offset + buffer.count)
      unsafe buffer.copyBytes(from: content[offset..<end])
      return end - offset
    }
  }
}

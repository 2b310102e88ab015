#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// Logs are read with `pread`, not through a map: a file that another process cuts off while it is
// mapped kills the reader with SIGBUS, and the pages of a map count as the reader's memory. The
// copy costs 0.1 s for each GB, which the index, at twice that for the rest, can afford.

extension OpenFile {
  /// Fills the buffer from `offset` on; returns how many bytes there were, fewer only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(LogError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      // `rest` is valid for its count, and the system writes no more than that.
      let count = Self.retrying {
        unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
      }
      guard count >= 0 else { throw failure("read") }
      guard count > 0 else { break }
      filled += count
    }
    return filled
  }

  /// Reads bytes, as many as there are up to `count`, which is never more than the file has.
  func bytes(at offset: Int, count: Int) throws(LogError) -> [UInt8] {
    var failed: LogError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(LogError) {
        filled = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failed = error
      }
    }
    if let failed { throw failed }
    return bytes
  }

  /// The place of the first newline in a stretch of the file, which is read so many bytes at a time.
  func newline(in range: Range<Int>, by count: Int) throws(LogError) -> Int? {
    var start = range.lowerBound
    while start < range.upperBound {
      let bytes = try bytes(at: start, count: min(count, range.upperBound - start))
      guard !bytes.isEmpty else { throw LogError(path: path, reason: .shrunk(line: nil)) }
      if let newline = bytes.firstNewline { return start + newline }
      start += bytes.count
    }
    return nil
  }
}

extension [UInt8] {
  /// The place of the first newline, by the C library: a line can be a whole state, and to look for the end of
  /// one of 142 KB byte by byte took a tenth of a jump to it.
  var firstNewline: Int? {
    unsafe span.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        // Reads no more than the count.
        let found = unsafe memchr(start, 0x0A, bytes.count)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - start
    }
  }
}

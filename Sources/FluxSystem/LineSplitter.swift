/// Splits a stream of bytes into lines.
///
/// Keeps only the bytes of the incomplete line, so memory is bounded by the longest line.
package struct LineSplitter {
  private var buffer: [UInt8] = []
  /// The start of the first line that was not returned yet.
  private var start = 0
  /// The end of the part after `start` that has no line end.
  private var searched = 0

  package init() {}

  /// The number of bytes that were not returned yet.
  package var pendingCount: Int { buffer.count - start }

  package mutating func append(_ bytes: [UInt8]) {
    if start == buffer.count {
      buffer = bytes
      (start, searched) = (0, 0)
    } else {
      buffer += bytes
    }
  }

  /// Returns the next line without its end; nil if it is incomplete.
  package mutating func next() -> [UInt8]? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      dropReturned()
      return nil
    }
    if start == 0, end == buffer.count - 1 {
      // A long line that has just ended; it is not copied.
      buffer.removeLast()
      return remainder()
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return Array(buffer[start..<end])
  }

  /// Returns and removes the next bytes, which need not be lines; nil if they are incomplete.
  package mutating func next(_ count: Int) -> [UInt8]? {
    guard pendingCount >= count else { return nil }
    let bytes = Array(buffer[start..<start + count])
    start += count
    searched = max(searched, start)
    return bytes
  }

  /// Returns and removes the bytes after the last line end.
  package mutating func remainder() -> [UInt8] {
    var rest = buffer
    (buffer, searched) = ([], 0)
    rest.removeFirst(start)
    start = 0
    return rest
  }

  private mutating func dropReturned() {
    guard start > 0 else { return }
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
  }
}

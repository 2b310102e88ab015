/// Cuts a stream of bytes into lines.
///
/// Keeps what has come in of the line under way, and nothing else: memory is bounded by the longest
/// line that the other side sends.
struct LineSplitter {
  private var buffer: [UInt8] = []
  /// Where the first line begins that was not handed out.
  private var start = 0
  /// Up to where there is no line end after `start`.
  private var searched = 0

  /// The number of bytes that were not handed out.
  var pendingCount: Int { buffer.count - start }

  mutating func append(_ bytes: [UInt8]) {
    if start == buffer.count {
      buffer = bytes
      (start, searched) = (0, 0)
    } else {
      buffer += bytes
    }
  }

  /// The next line, without its end; nil where it is not complete.
  mutating func next() -> [UInt8]? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      dropHandedOut()
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return Array(buffer[start..<end])
  }

  /// What is left after the last line end; it is handed out with that.
  mutating func remainder() -> [UInt8] {
    defer { (buffer, start, searched) = ([], 0, 0) }
    return Array(buffer[start...])
  }

  private mutating func dropHandedOut() {
    guard start > 0 else { return }
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
  }
}

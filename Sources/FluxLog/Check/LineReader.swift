/// Reads a file line by line, whatever is in them.
struct LineReader {
  private let file: OpenFile
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset = 0
  /// The line that was read last, counted from 1.
  private(set) var number = 0

  init(_ file: OpenFile) { self.file = file }

  /// The next line without its newline; nil after the last.
  mutating func next() throws(LogError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = newline + 1 }
        number += 1
        return buffer[start..<newline]
      }
      searched = buffer.count - start
      guard try fill() else { break }
    }
    guard start < buffer.count else { return nil }
    defer { start = buffer.count }
    number += 1
    return buffer[start...]
  }

  /// Reads on, at least as much as there is already, so that a long line is not copied for ever;
  /// false at the end of the file.
  private mutating func fill() throws(LogError) -> Bool {
    buffer.removeSubrange(..<start)
    start = 0
    let more = try file.bytes(at: offset, count: max(buffer.count, 1 << 18))
    offset += more.count
    buffer += more
    return !more.isEmpty
  }
}

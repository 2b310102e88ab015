/// Reads a file line by line, whatever is in them.
struct LineReader {
  private let file: OpenFile
  private let longestLine: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset = 0
  /// The line that was read last, counted from 1.
  private(set) var number = 0
  /// Whether that line is too long, so that only its beginning may have been given.
  private(set) var isTooLong = false

  /// Reads a file from its beginning, and no more of a line than so many bytes.
  init(_ file: OpenFile, longestLine: Int) {
    self.file = file
    self.longestLine = longestLine
  }

  /// The next line without its newline; nil after the last.
  mutating func next() throws(LogError) -> ArraySlice<UInt8>? {
    isTooLong = false
    var searched = start
    while true {
      if let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = newline + 1 }
        number += 1
        isTooLong = newline - start > longestLine
        return buffer[start..<newline]
      }
      guard buffer.count - start <= longestLine else { return try skipLine() }
      searched = buffer.count - start
      guard try fill() else { break }
    }
    guard start < buffer.count else { return nil }
    defer { start = buffer.count }
    number += 1
    return buffer[start...]
  }

  /// Goes past the line that the buffer begins with and does not end; returns what is there of it.
  private mutating func skipLine() throws(LogError) -> ArraySlice<UInt8> {
    let end = max(offset, try file.status().size)
    let newline = try file.newline(in: offset..<end, by: Self.byteCount)
    offset = newline.map { $0 + 1 } ?? end
    number += 1
    isTooLong = true
    let beginning = buffer[start...]
    buffer = []
    start = 0
    return beginning
  }

  /// How much is read at once, unless the line is longer.
  private static let byteCount = 1 << 18

  /// Reads on, at least as much as there is already, so that a long line is not copied for ever;
  /// false at the end of the file.
  private mutating func fill() throws(LogError) -> Bool {
    buffer.removeSubrange(..<start)
    start = 0
    let count = min(max(buffer.count, Self.byteCount), longestLine + 1 - buffer.count)
    let more = try file.bytes(at: offset, count: count)
    offset += more.count
    buffer += more
    return !more.isEmpty
  }
}

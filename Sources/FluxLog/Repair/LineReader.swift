import FluxSystem

/// Reads a file line by line, whatever the lines contain.
struct LineReader {
  private let file: OpenFile
  private let longestLine: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset: Int
  /// The number of the last line that was read, counted from 1.
  private(set) var number: Int
  /// `true` if that line is too long, so that `next` returned at most its beginning.
  private(set) var isTooLong = false

  /// Starts at the beginning of a file, or of the line after that `number`; reads at most `longestLine`
  /// bytes of a line.
  init(_ file: OpenFile, longestLine: Int, offset: Int = 0, number: Int = 0) {
    self.offset = offset
    self.number = number
    self.file = file
    self.longestLine = longestLine
  }

  /// Returns the next line without its newline; `nil` at the end of the file.
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

  /// Skips the line at the start of the buffer, which does not end there; returns the part in the
  /// buffer.
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

  /// The number of bytes to read at once, unless the line is longer.
  private static let byteCount = 1 << 18

  /// Reads on; returns `false` at the end of the file.
  ///
  /// Reads at least as many bytes as the buffer holds, so a long line is copied a constant number
  /// of times.
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

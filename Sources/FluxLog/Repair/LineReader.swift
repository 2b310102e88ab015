import FluxSystem

/// Reads a file line by line, whatever the lines contain.
struct LineReader {
  private let file: OpenFile
  private let longestLine: Int
  /// The length from which a line is read on its own.
  private let longLength: Int
  private(set) var buffer: [UInt8] = []
  private var start = 0
  private var offset: Int
  /// The number of the last line that was read, counted from 1.
  private(set) var number: Int
  /// The length of that line if it is too long, so that `next` returned at most its beginning.
  private(set) var tooLong: Int?

  /// Starts at the beginning of a file, or of the line after that `number`; reads at most `longestLine`
  /// bytes of a line.
  init(
    _ file: OpenFile, longestLine: Int, longLength: Int = 1 << 24, offset: Int = 0, number: Int = 0
  ) {
    self.offset = offset
    self.number = number
    self.file = file
    self.longestLine = longestLine
    self.longLength = longLength
  }

  /// Returns the next line without its newline; `nil` at the end of the file.
  mutating func next() throws(LogError) -> ArraySlice<UInt8>? {
    tooLong = nil
    var searched = start
    while true {
      if let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = newline + 1 }
        number += 1
        if newline - start > longestLine { tooLong = newline - start }
        return buffer[start..<newline]
      }
      guard buffer.count - start <= min(longLength, longestLine) else { return try longLine() }
      searched = buffer.count - start
      guard try fill() else { break }
    }
    guard start < buffer.count else { return nil }
    defer { start = buffer.count }
    number += 1
    return buffer[start...]
  }

  /// Reads the line at the start of the buffer, which does not end there; returns the part in the buffer if the line is
  /// too long.
  ///
  /// The end is found first, so that the line is in memory once.
  private mutating func longLine() throws(LogError) -> ArraySlice<UInt8> {
    let size = max(offset, try file.status().size)
    let line = offset - (buffer.count - start)
    let end = try file.newline(in: offset..<size, by: Self.byteCount) ?? size
    if end - line > longestLine { tooLong = end - line }
    let beginning = tooLong == nil ? [] : buffer[start...]
    buffer = []
    start = 0
    number += 1
    offset = min(end + 1, size)
    guard tooLong == nil else { return beginning }
    let text = try file.bytes(at: line, count: end - line)
    guard text.count == end - line else {
      throw LogError(path: file.path, reason: .shrunk(line: number))
    }
    return text[...]
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
    let most = min(longLength, longestLine) + 1
    let count = min(max(buffer.count, Self.byteCount), most - buffer.count)
    let more = try file.bytes(at: offset, count: count)
    offset += more.count
    buffer += more
    return !more.isEmpty
  }
}

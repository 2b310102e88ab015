import FluxJSON
import FluxSystem

/// Reads the lines of a file from any offset, whatever they contain.
struct LineReader {
  private let file: OpenFile
  private let longestLine: Int
  /// The length from which a line is read on its own.
  private let longLength: Int
  /// The number of bytes to read at once, unless the line is longer.
  private let block: Int
  /// The end of the part of the file to read; `nil` to read to the end of the file, which may grow.
  private let end: Int?
  private(set) var buffer: [UInt8] = []
  private var start = 0
  /// The first byte after the buffer.
  private var offset: Int
  /// The number of the last line that was read, counted from 1.
  private(set) var number: Int
  /// The length of that line if it is too long, so that `next` returned at most its beginning.
  private(set) var tooLong: Int?

  /// Starts at the beginning of a file, or of the line after that `number`; reads at most `longestLine`
  /// bytes of a line.
  init(
    _ file: OpenFile, longestLine: Int = MemoryLimit.standard.lineByteCount,
    longLength: Int = 1 << 24, block: Int = 1 << 18, from offset: Int = 0, to end: Int? = nil,
    number: Int = 0
  ) {
    self.file = file
    self.longestLine = longestLine
    self.longLength = longLength
    self.block = block
    self.offset = offset
    self.end = end
    self.number = number
  }

  /// Returns the next line without its newline; `nil` at the end.
  ///
  /// - Throws: ``LogError`` if the file cannot be read, or ends before the part to read.
  mutating func next() throws(LogError) -> [UInt8]? {
    tooLong = nil
    var searched = start
    while true {
      if let newline = buffer.firstNewline(from: searched) {
        return take(newline, next: newline + 1)
      }
      guard buffer.count - start <= min(longLength, longestLine) else { return try longLine() }
      searched = buffer.count - start
      guard try fill() else { break }
    }
    return start < buffer.count ? take(buffer.count, next: buffer.count) : nil
  }

  /// Takes the line that ends at a place of the buffer; a line that has the buffer alone is not copied.
  private mutating func take(_ lineEnd: Int, next: Int) -> [UInt8] {
    number += 1
    if lineEnd - start > longestLine { tooLong = lineEnd - start }
    guard start == 0, next == buffer.count else {
      defer { start = next }
      return Array(buffer[start..<lineEnd])
    }
    var line: [UInt8] = []
    swap(&line, &buffer)
    line.removeSubrange(lineEnd...)
    return line
  }

  /// Reads the line at the start of the buffer, which does not end there; returns the part in the buffer if the line is
  /// too long.
  ///
  /// The end is found first, so that the line is in memory once.
  private mutating func longLine() throws(LogError) -> [UInt8] {
    let size = if let end { end } else { try max(offset, file.status().size) }
    let lineStart = offset - (buffer.count - start)
    number += 1
    let lineEnd = try file.newline(in: offset..<size, by: block) ?? size
    let count = lineEnd - lineStart
    let beginning = Array(buffer[start...])
    (buffer, start) = ([], 0)
    offset = min(lineEnd + 1, size)
    guard count <= longestLine else {
      tooLong = count
      return beginning
    }
    return try file.wholeBytes(at: lineStart, count: count, line: number)
  }

  /// Reads more bytes; returns `false` at the end.
  ///
  /// Reads at least as many bytes as the buffer holds, so a long line is copied a constant number
  /// of times.
  private mutating func fill() throws(LogError) -> Bool {
    buffer.removeSubrange(..<start)
    start = 0
    let most = min(longLength, longestLine) + 1
    let count = min(max(buffer.count, block), most - buffer.count, end.map { $0 - offset } ?? .max)
    let more =
      end == nil
      ? try file.bytes(at: offset, count: count)
      : try file.wholeBytes(at: offset, count: count, line: number + 1)
    offset += more.count
    if buffer.isEmpty { buffer = more } else { buffer += more }
    return !more.isEmpty
  }
}

extension [UInt8] {
  /// The content of a line: without the carriage return before its newline.
  var lineContent: [UInt8] { last == UInt8(ascii: "\r") ? dropLast() : self }

  /// `true` if a line is empty or has only blanks, which readers skip.
  var isBlankLine: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}

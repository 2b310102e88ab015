import FluxJSON
import FluxSystem

/// Scans pieces of a log one after another; each thread has its own scanner.
struct PieceScanner: ~Copyable {
  private let file: OpenFile
  private let fileSize: Int
  /// The longest line to read, at least as long as a piece.
  private let longestLine: Int
  private var buffer: ScanBuffer
  private var builder: PieceBuilder

  /// Makes a scanner of the first `fileSize` bytes of a file.
  init(file: OpenFile, fileSize: Int, longestLine: Int, names: LogNames) {
    self.file = file
    self.fileSize = fileSize
    self.longestLine = longestLine
    buffer = ScanBuffer()
    builder = PieceBuilder(names: names)
  }

  /// Scans the lines that start in a piece.
  ///
  /// - Parameters:
  ///   - piece: The range of the file, not empty.
  ///   - startsLine: `true` if a line is known to start at the piece; otherwise the byte before it
  ///     decides.
  ///   - includesUnterminated: `true` to include a last line without a newline.
  /// - Returns: The index of the steps, and the other lines between them.
  /// - Throws: ``LogError`` if the file cannot be read or became shorter.
  mutating func scan(
    _ piece: Range<Int>, startsLine: Bool, includesUnterminated: Bool = false
  ) throws(LogError) -> ScannedPiece {
    let from = startsLine ? piece.lowerBound : piece.lowerBound - 1
    // A last line without a newline may be too long to be read.
    let end =
      includesUnterminated ? min(piece.upperBound, from + longestLine + 1) : piece.upperBound
    try buffer.fill(from: file, from..<end)
    var position = from
    if !startsLine {
      // The line that contains the start of the piece belongs to the previous piece.
      position = buffer.newline(from: from).map { $0 + 1 } ?? piece.upperBound
    }
    builder.begin(at: min(position, piece.upperBound))
    while position < piece.upperBound {
      var newline = buffer.newline(from: position)
      if newline == nil { newline = try newlineReadOn(line: position) }
      guard let newline else { break }
      take(position, to: newline, isTorn: false)
      position = newline + 1
    }
    if includesUnterminated, position < piece.upperBound {
      take(position, to: fileSize, isTorn: true)
      position = fileSize
    }
    return builder.finish(end: max(position, from))
  }

  @inline(__always)
  private mutating func take(_ start: Int, to end: Int, isTorn: Bool) {
    guard end <= buffer.end else { return takeTooLong(start, isTorn: isTorn) }
    // The buffer does not change during the call.
    unsafe builder.take(
      JSONBytes(buffer.bytes), start - buffer.base..<end - buffer.base, start: start,
      isTorn: isTorn)
  }

  /// Adds a line of which only the beginning was read.
  @inline(never)
  private mutating func takeTooLong(_ start: Int, isTorn: Bool) {
    let beginning = start - buffer.base..<buffer.count
    unsafe builder.takeTooLong(
      JSONBytes(buffer.bytes), beginning, limit: longestLine, isTorn: isTorn)
  }

  /// Returns the first newline after the bytes in the buffer, which have none.
  ///
  /// Reads the rest of the line, unless it is too long; then the file is only searched.
  @inline(never)
  private mutating func newlineReadOn(line: Int) throws(LogError) -> Int? {
    var searched = buffer.end
    // Most lines end soon after the piece. Each read doubles, up to the end of the file.
    var more = 1 << 12
    while searched < fileSize, more <= Self.readOnByteCount, searched - line + more <= longestLine {
      try buffer.extend(from: file, by: min(more, fileSize - searched))
      if let newline = buffer.newline(from: searched) { return newline }
      searched = buffer.end
      more *= 2
    }
    guard let newline = try file.newline(in: searched..<fileSize, by: 1 << 20) else { return nil }
    // The length is known now, and no more is read than the line has.
    if newline - line <= longestLine { try buffer.extend(from: file, by: newline + 1 - searched) }
    return newline
  }

  /// Limits the memory for a line whose length is not known yet; it is kept until the scan is over.
  private static let readOnByteCount = 1 << 24
}

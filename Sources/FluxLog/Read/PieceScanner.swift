#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Scans stretches of a log, one after the other; each thread has one of its own.
struct PieceScanner: ~Copyable {
  private let file: OpenFile
  private let fileSize: Int
  /// How long a line may be that is read, not less than a stretch.
  private let longestLine: Int
  private var buffer: ScanBuffer
  private var builder: PieceBuilder

  /// Prepares to scan a file as far as `fileSize`.
  init(file: OpenFile, fileSize: Int, longestLine: Int, names: LogNames) {
    self.file = file
    self.fileSize = fileSize
    self.longestLine = longestLine
    buffer = ScanBuffer()
    builder = PieceBuilder(names: names)
  }

  /// Scans the lines that begin in a stretch.
  ///
  /// - Parameters:
  ///   - piece: The stretch, not empty.
  ///   - startsLine: Whether a line is known to begin with it; otherwise the byte before tells.
  ///   - takesUnterminated: Whether a line that the file ends in is looked at.
  /// - Returns: The index of those lines, and what stands between the steps.
  /// - Throws: ``LogError`` where the file cannot be read, or has become shorter.
  mutating func scan(
    _ piece: Range<Int>, startsLine: Bool, takesUnterminated: Bool = false
  ) throws(LogError) -> ScannedPiece {
    let from = startsLine ? piece.lowerBound : piece.lowerBound - 1
    // A line that the file ends in may be too long to be read.
    let end = takesUnterminated ? min(piece.upperBound, from + longestLine + 1) : piece.upperBound
    try buffer.fill(from: file, from..<end)
    var position = from
    if !startsLine {
      // The line around the beginning belongs to the stretch before.
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
    if takesUnterminated, position < piece.upperBound {
      take(position, to: fileSize, isTorn: true)
      position = fileSize
    }
    return builder.finish(end: max(position, from))
  }

  @inline(__always)
  private mutating func take(_ start: Int, to end: Int, isTorn: Bool) {
    guard end <= buffer.end else { return takeTooLong(start, isTorn: isTorn) }
    // The buffer does not change before the builder is done.
    unsafe builder.take(
      JSONBytes(buffer.bytes), start - buffer.base..<end - buffer.base, start: start,
      isTorn: isTorn)
  }

  /// Takes in a line of which only the beginning was read.
  @inline(never)
  private mutating func takeTooLong(_ start: Int, isTorn: Bool) {
    let beginning = start - buffer.base..<buffer.count
    unsafe builder.takeTooLong(
      JSONBytes(buffer.bytes), beginning, limit: longestLine, isTorn: isTorn)
  }

  /// The first newline after what was read so far, which has none.
  ///
  /// The line is read on as far as that, unless it is too long: then the file is only searched.
  @inline(never)
  private mutating func newlineReadOn(line: Int) throws(LogError) -> Int? {
    var searched = buffer.end
    // Most lines end soon after the stretch; from one read to the next twice as much, and never
    // more than there is.
    var more = 1 << 12
    while searched < fileSize, more <= Self.readOnByteCount, searched - line + more <= longestLine {
      try buffer.extend(from: file, by: min(more, fileSize - searched))
      if let newline = buffer.newline(from: searched) { return newline }
      searched = buffer.end
      more *= 2
    }
    guard let newline = try file.newline(in: searched..<fileSize, by: 1 << 20) else { return nil }
    // Now that it is known, no more is read than the line has.
    if newline - line <= longestLine { try buffer.extend(from: file, by: newline + 1 - searched) }
    return newline
  }

  /// Lines of less than twice that are read once; it is kept in memory until the scan is over.
  private static let readOnByteCount = 1 << 24
}

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
  private var buffer: ScanBuffer
  private var builder: PieceBuilder

  /// Prepares to scan a file as far as `fileSize`.
  init(file: OpenFile, fileSize: Int, names: LogNames) {
    self.file = file
    self.fileSize = fileSize
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
    try buffer.fill(from: file, from..<piece.upperBound)
    var position = from
    if !startsLine {
      // The line around the beginning belongs to the stretch before.
      position = buffer.newline(from: from).map { $0 + 1 } ?? piece.upperBound
    }
    builder.begin(at: min(position, piece.upperBound))
    while position < piece.upperBound {
      var newline = buffer.newline(from: position)
      if newline == nil { newline = try newlineReadOn() }
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
    // The buffer does not change before the builder is done.
    unsafe builder.take(
      JSONBytes(buffer.bytes), start - buffer.base..<end - buffer.base, start: start,
      isTorn: isTorn)
  }

  /// The first newline after what was read so far, which has none: the file is read on.
  @inline(never)
  private mutating func newlineReadOn() throws(LogError) -> Int? {
    var searched = buffer.end
    // Most lines end soon after the stretch; from one read to the next twice as much, and never
    // more than there is.
    var more = 1 << 12
    while searched < fileSize {
      try buffer.extend(from: file, by: min(more, fileSize - searched))
      if let newline = buffer.newline(from: searched) { return newline }
      searched = buffer.end
      more *= 2
    }
    return nil
  }
}

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
      let newline = try endOfLine(from: position)
      if newline == nil, !takesUnterminated {
        builder.stopUnterminated(at: position)
        break
      }
      let end = newline ?? fileSize
      let text = position - buffer.base..<end - buffer.base
      unsafe builder.take(
        JSONBytes(buffer.bytes), text, start: position, isTorn: newline == nil)
      position = end + (newline == nil ? 0 : 1)
    }
    return builder.finish(end: max(position, from))
  }

  /// The newline that ends a line; where the stretch ends before it, the file is read on.
  private mutating func endOfLine(from position: Int) throws(LogError) -> Int? {
    var searched = position
    while true {
      if let newline = buffer.newline(from: searched) { return newline }
      searched = buffer.end
      guard buffer.end < fileSize else { return nil }
      // Twice as much each time; never more than there is.
      let more = min(max(buffer.count, 1 << 16), fileSize - buffer.end)
      try buffer.extend(from: file, by: more)
    }
  }
}

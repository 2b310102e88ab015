import FluxJSON
import FluxSystem

/// Scans pieces of a log one after another; each thread has its own scanner.
struct PieceScanner: ~Copyable {
  private let file: OpenFile
  private let fileSize: Int
  /// The longest line to read, at least as long as a piece.
  private let longestLine: Int
  /// The length from which a line is read on its own.
  private let longLength: Int
  private var buffer: ScanBuffer
  private var builder: PieceBuilder
  /// The last line of the piece if it is long: an array that documents share, so it is in memory once.
  private(set) var longLine: (start: Int, text: [UInt8])?

  init(
    file: OpenFile, fileSize: Int, longestLine: Int, longLength: Int = 1 << 24, names: LogNames
  ) {
    self.file = file
    self.fileSize = fileSize
    self.longestLine = longestLine
    self.longLength = longLength
    buffer = ScanBuffer()
    builder = PieceBuilder(names: names)
  }

  /// Scans the lines that start in a piece.
  ///
  /// If a line is not known to start at the piece, the byte before it decides. A last line without
  /// a newline is left out unless `includesUnterminated`.
  mutating func scan(
    _ piece: Range<Int>, startsLine: Bool, includesUnterminated: Bool = false
  ) throws(LogError) -> ScannedPiece {
    longLine = nil
    let from = startsLine ? piece.lowerBound : piece.lowerBound - 1
    // A last line without a newline may be long: then it is read on its own, or not at all.
    let end =
      includesUnterminated
      ? min(piece.upperBound, from + min(longLength, longestLine) + 1) : piece.upperBound
    try buffer.fill(from: file, from..<end)
    var position = from
    if !startsLine {
      // The line that contains the start of the piece belongs to the previous piece.
      position = buffer.newline(from: from).map { $0 + 1 } ?? piece.upperBound
    }
    builder.begin(at: min(position, piece.upperBound))
    // No line follows a long one.
    while position < piece.upperBound, position <= buffer.end {
      var newline = buffer.newline(from: position)
      if newline == nil { newline = try newlineReadOn(line: position) }
      guard let newline else { break }
      take(position, to: newline, isTorn: false)
      position = newline + 1
    }
    if includesUnterminated, position < piece.upperBound {
      try readOn(line: position, to: fileSize, next: fileSize)
      take(position, to: fileSize, isTorn: true)
      position = fileSize
    }
    return builder.finish(end: max(position, from))
  }

  /// The bytes in memory, without those of a long line.
  var bufferByteCount: Int { buffer.count }

  @inline(__always)
  private mutating func take(_ start: Int, to end: Int, isTorn: Bool) {
    guard end <= buffer.end else {
      if let longLine, longLine.start == start {
        return builder.take(whole: longLine.text, start: start, isTorn: isTorn)
      }
      return takeTooLong(start, byteCount: end - start)
    }
    // The buffer does not change during the call.
    unsafe builder.take(
      JSONBytes(buffer.bytes), start - buffer.base..<end - buffer.base, start: start,
      isTorn: isTorn)
  }

  @inline(never)
  private mutating func takeTooLong(_ start: Int, byteCount: Int) {
    let beginning = min(start - buffer.base, buffer.count)..<buffer.count
    unsafe builder.takeTooLong(
      JSONBytes(buffer.bytes), beginning, byteCount: byteCount, limit: longestLine)
  }

  /// Returns the first newline after the bytes in the buffer, which have none, and reads up to it
  /// unless the line is too long.
  @inline(never)
  private mutating func newlineReadOn(line: Int) throws(LogError) -> Int? {
    let end = buffer.end
    // Most lines end soon after the piece.
    guard let newline = try file.newline(in: end..<fileSize, by: 1 << 14) else { return nil }
    try readOn(line: line, to: newline, next: newline + 1)
    return newline
  }

  /// Reads the rest of a line, up to the next one, unless it is too long; a long one is read on its own.
  private mutating func readOn(line: Int, to end: Int, next: Int) throws(LogError) {
    let count = end - line
    guard next > buffer.end, count <= longestLine else { return }
    guard count > max(longLength, buffer.end - line) else {
      return try buffer.extend(from: file, by: next - buffer.end)
    }
    longLine = (line, try file.wholeBytes(at: line, count: count))
  }
}

/// The part of a file that is being scanned; all offsets are those in the file.
///
/// Safe although it holds a pointer: the buffer owns the memory, and every offset is checked.
@safe
private struct ScanBuffer: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  private(set) var base = 0
  private(set) var count = 0

  init() {
    unsafe memory = .allocate(byteCount: 0, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  var end: Int { base + count }

  /// The bytes in the buffer, valid until it changes.
  var bytes: UnsafeRawBufferPointer {
    // `count` is never greater than the size of the memory.
    unsafe UnsafeRawBufferPointer(start: memory.baseAddress, count: count)
  }

  mutating func fill(from file: OpenFile, _ range: Range<Int>) throws(LogError) {
    base = range.lowerBound
    count = 0
    try extend(from: file, by: range.count)
  }

  mutating func extend(from file: OpenFile, by more: Int) throws(LogError) {
    if unsafe count + more > memory.count { grow(to: count + more) }
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + more])
    let read = try unsafe file.read(into: rest, at: end)
    count += read
    guard read == more else { throw LogError(path: file.path, reason: .shrunk(line: nil)) }
  }

  private mutating func grow(to size: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    unsafe larger.copyMemory(from: bytes)
    unsafe memory.deallocate()
    unsafe memory = larger
  }

  @inline(__always)
  func newline(from offset: Int) -> Int? {
    let index = offset - base
    precondition(index >= 0 && index <= count)
    guard index < count, let start = unsafe memory.baseAddress else { return nil }
    // Inside the buffer: `index + (count - index)` is its count.
    guard let found = unsafe memchr(start + index, 0x0A, count - index) else { return nil }
    return unsafe base + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
  }
}

import FluxJSON
import FluxSystem

/// Reads the bytes of a segment up to its last newline, while a recorder appends to it.
///
/// The file stays open, so it can be read to its end even if rotation deletes it meanwhile.
package struct SegmentReader: Sendable {
  /// The end of a segment, as its last line says.
  package enum Ending: Sendable, Equatable {
    /// There is no `end` line: the recording continues, or has crashed.
    case open
    /// The recording continues in the next segment.
    case continued
    /// The log was closed.
    case closed
  }

  /// A bound for the length of an `end` line.
  private static let endLineByteCount = 256

  package let segment: RecordedSegment
  private let file: OpenFile
  /// The bytes that were read.
  private var offset = 0
  /// The end of the last line that is known.
  private var end = 0
  /// The bytes that were searched for newlines.
  private var searched = 0

  /// Opens a segment; nil if another file is at its path by now, or none.
  package init?(_ segment: RecordedSegment) throws(LogError) {
    let file: OpenFile
    do throws(LogError) {
      file = try OpenFile(reading: segment.path, followsLinks: false)
    } catch {
      if case .system("open", ENOENT) = error.reason { return nil }
      throw error
    }
    guard try segment.isContent(of: file) else { return nil }
    (self.segment, self.file) = (segment, file)
    try findLines()
  }

  /// The place after the last complete line.
  package mutating func lastPlace() throws(LogError) -> SegmentPlace {
    try findLines()
    return SegmentPlace(
      log: segment.log, first: segment.first, offset: end, crc: try lineChecksum(before: end) ?? 0)
  }

  /// Continues after a place.
  ///
  /// - Returns: `false` if the file has other lines before the place.
  package mutating func move(to place: SegmentPlace) throws(LogError) -> Bool {
    guard place.first == segment.first, place.log == segment.log,
      try lineChecksum(before: place.offset) == place.crc
    else { return false }
    offset = place.offset
    return true
  }

  /// Returns the next bytes, up to the last newline that is in the file by now; none if all were returned.
  ///
  /// - Throws: ``LogError`` if the file became shorter, or cannot be read.
  package mutating func next(_ limit: Int) throws(LogError) -> (offset: Int, bytes: [UInt8]) {
    if offset == end { try findLines() }
    let bytes = try file.wholeBytes(at: offset, count: min(limit, end - offset))
    defer { offset += bytes.count }
    return (offset, bytes)
  }

  /// Returns what the last complete line says about the end.
  package func ending() throws(LogError) -> Ending {
    let count = min(end, Self.endLineByteCount)
    guard count > 0 else { return .open }
    let bytes = try file.wholeBytes(at: end - count, count: count).dropLast()
    guard let start = bytes.lastIndex(of: 0x0A).map({ $0 + 1 }) ?? (count == end ? 0 : nil),
      bytes[start...].starts(with: #"{"end":"#.utf8)
    else { return .open }
    guard let line = JSON(ifValid: Array(bytes[start...])) else { return .open }
    return line["end"]?["continued"]?.bool == true ? .continued : .closed
  }

  private mutating func findLines() throws(LogError) {
    let size = try file.status().size
    guard size >= end else { throw LogError(path: file.path, reason: .shrunk(line: nil)) }
    // A failed write is cut back to its last newline.
    let known = size < searched ? end : searched
    if let newline = try file.lastNewline(in: known..<size) { end = newline + 1 }
    searched = size
  }

  /// Returns the checksum of the line that ends at an offset; nil if none does.
  private func lineChecksum(before offset: Int) throws(LogError) -> UInt32? {
    guard offset > 0 else { return offset == 0 ? 0 : nil }
    guard offset <= end, try file.wholeBytes(at: offset - 1, count: 1) == [0x0A] else { return nil }
    let start = try file.lastNewline(in: 0..<offset - 1).map { $0 + 1 } ?? 0
    return try file.checksum(of: start..<offset - 1)
  }
}

extension OpenFile {
  /// Returns the offset of the last newline in a range of the file; reads backwards, block by block.
  fileprivate func lastNewline(in range: Range<Int>) throws(LogError) -> Int? {
    var end = range.upperBound
    while end > range.lowerBound {
      let start = max(range.lowerBound, end - 1 << 16)
      let bytes = try wholeBytes(at: start, count: end - start)
      if let newline = bytes.lastIndex(of: 0x0A) { return start + newline }
      end = start
    }
    return nil
  }
}

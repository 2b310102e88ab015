import FluxJSON
import FluxSystem

/// A block in a sidecar, read when it is first used; a search for a type reads only the types.
///
/// The index of a log with 20 million steps is 40 MB, and most of it is never needed.
final class StoredBlock: Sendable {
  private struct Parts {
    var block: IndexBlock?
    var types: NumberColumn?
    var shapes: NumberColumn?
  }

  private let entry: Entry
  private let sidecar: OpenFile
  private let log: OpenFile
  private let names: LogNames
  private let parts = Monitor(Parts())

  init(_ entry: Entry, sidecar: OpenFile, log: OpenFile, names: LogNames) {
    self.entry = entry
    self.sidecar = sidecar
    self.log = log
    self.names = names
  }

  func block() throws(LogError) -> IndexBlock {
    if let block = parts.withLock({ $0.block }) { return block }
    if let block = try storedBlock() { return keep(block) }
    return keep(try scannedBlock())
  }

  func types() throws(LogError) -> NumberColumn {
    if let known = parts.withLock({ $0.types }) { return known }
    if let types = try storedTypes() { return types }
    return try block().types
  }

  func shapes() throws(LogError) -> NumberColumn {
    if let known = parts.withLock({ $0.shapes }) { return known }
    if let shapes = try storedShapes() { return shapes }
    return try block().shapes
  }

  private func keep(_ block: IndexBlock) -> IndexBlock {
    parts.withLock { $0 = Parts(block: block, types: block.types, shapes: block.shapes) }
    return block
  }

  // MARK: In the sidecar

  // These return `nil` if the sidecar turns out to be wrong.

  private func storedBlock() throws(LogError) -> IndexBlock? {
    guard let types = try storedTypes(), let shapes = try storedShapes(),
      var reader = try reader(of: entry.rest, byteCount: entry.restByteCount, at: entry.restPlace)
    else { return nil }
    do throws(SidecarReader.Mismatch) {
      return try IndexBlock(entry, types: types, shapes: shapes, rest: &reader)
    } catch {
      return nil
    }
  }

  private func storedTypes() throws(LogError) -> NumberColumn? {
    try column(\.types, entry.types, at: entry.place, below: names.types.count)
  }

  private func storedShapes() throws(LogError) -> NumberColumn? {
    try column(\.shapes, entry.shapes, at: entry.shapesPlace, below: names.shapes.count)
  }

  /// Reads a column, once, whose numbers have to be below a limit.
  private func column(
    _ part: WritableKeyPath<Parts, NumberColumn?>, _ column: Entry.Column, at place: Int,
    below limit: Int
  ) throws(LogError) -> NumberColumn? {
    if let known = parts.withLock({ $0[keyPath: part] }) { return known }
    let count = NumberColumn.byteCount(width: column.width, count: entry.count)
    guard var reader = try reader(of: column.checksum, byteCount: count, at: place) else {
      return nil
    }
    do throws(SidecarReader.Mismatch) {
      let numbers = try NumberColumn(&reader, width: column.width, count: entry.count)
      guard numbers.isBelow(limit) else { return nil }
      parts.withLock { $0[keyPath: part] = numbers }
      return numbers
    } catch {
      return nil
    }
  }

  private func reader(
    of checksum: UInt32, byteCount: Int, at place: Int
  ) throws(LogError) -> SidecarReader? {
    let bytes = try sidecar.bytes(at: place, count: byteCount)
    return CRC32C.checksum(bytes) == checksum ? SidecarReader(bytes) : nil
  }

  // MARK: In the log

  private func scannedBlock() throws(LogError) -> IndexBlock {
    // A log with a line that is too long has no saved index.
    var scanner = PieceScanner(
      file: log, fileSize: entry.end, longestLine: JSON.maximumByteCount, names: names)
    var block = try scanner.scan(
      entry.offset..<entry.end, startsLine: true, includesUnterminated: true
    ).block
    block.firstLine = entry.firstLine
    guard block.count == entry.count else { throw LogError(path: log.path, reason: .changed) }
    return block
  }
}

// A block consists of the types, the shapes and the rest. The rest is the start of the first line,
// the distances to the other lines, and the skipped lines. Each of the three parts has its own
// checksum.
extension StoredBlock {
  /// The place of a block in the log and in the sidecar, and its expected contents.
  struct Entry: Sendable, Equatable {
    struct Column: Sendable, Equatable {
      /// The bytes per number; 0 if all numbers are equal.
      var width: UInt8
      var checksum: UInt32
    }

    var offset: Int
    var end: Int
    var firstLine: Int
    var count: Int
    var types: Column
    var shapes: Column
    var distanceWidth: UInt8
    var skipCount: Int
    var rest: UInt32
    /// The place of the types in the sidecar; the shapes and the rest follow.
    var place: Int

    var shapesPlace: Int { place + NumberColumn.byteCount(width: types.width, count: count) }

    var restPlace: Int { shapesPlace + NumberColumn.byteCount(width: shapes.width, count: count) }

    var restByteCount: Int {
      4 + NumberColumn.byteCount(width: distanceWidth, count: count - 1) + skipCount * 8
    }

    var byteCount: Int { restPlace + restByteCount - place }
  }
}

extension StoredBlock.Entry {
  /// Returns the entry of a block that is stored at a place, and the bytes of the block.
  static func storing(_ block: IndexBlock, at place: Int) -> (entry: Self, bytes: [UInt8]) {
    let (types, shapes, rest) = (block.types.stored, block.shapes.stored, block.storedRest)
    let entry = Self(
      offset: block.offset, end: block.end, firstLine: block.firstLine, count: block.count,
      types: Column(width: block.types.width, checksum: CRC32C.checksum(types)),
      shapes: Column(width: block.shapes.width, checksum: CRC32C.checksum(shapes)),
      distanceWidth: block.starts.distances.width, skipCount: block.skips.count,
      rest: CRC32C.checksum(rest), place: place)
    return (entry, types + shapes + rest)
  }

  init(_ reader: inout SidecarReader) throws(SidecarReader.Mismatch) {
    offset = try reader.count()
    end = try reader.count()
    firstLine = try reader.count()
    count = try reader.count(UInt32.self)
    types = Column(width: try reader.number(), checksum: try reader.number())
    shapes = Column(width: try reader.number(), checksum: try reader.number())
    distanceWidth = try reader.number(UInt8.self)
    skipCount = try reader.count(UInt32.self)
    rest = try reader.number(UInt32.self)
    place = try reader.count()
    guard offset <= end, count > 0,
      [types.width, shapes.width, distanceWidth].allSatisfy(NumberColumn.widths.contains)
    else { throw SidecarReader.Mismatch() }
  }

  func write(to writer: inout SidecarWriter) {
    writer.put(UInt64(offset))
    writer.put(UInt64(end))
    writer.put(UInt64(firstLine))
    writer.put(UInt32(count))
    for column in [types, shapes] {
      writer.put(column.width)
      writer.put(column.checksum)
    }
    writer.put(distanceWidth)
    writer.put(UInt32(skipCount))
    writer.put(rest)
    writer.put(UInt64(place))
  }
}

extension IndexBlock {
  init(
    _ entry: StoredBlock.Entry, types: NumberColumn, shapes: NumberColumn,
    rest reader: inout SidecarReader
  ) throws(SidecarReader.Mismatch) {
    let first = try reader.number(UInt32.self)
    let distances = try NumberColumn(
      &reader, width: entry.distanceWidth, count: entry.count - 1)
    let skips = try reader.numbers(UInt32.self, count: entry.skipCount * 2)
    guard skips.allSatisfy({ $0 <= Int32.max }) else { throw SidecarReader.Mismatch() }
    self.skips = stride(from: 0, to: skips.count, by: 2).map {
      Skip(step: Int(skips[$0]), lines: Int(skips[$0 + 1]))
    }
    (offset, end, firstLine) = (entry.offset, entry.end, entry.firstLine)
    (self.types, self.shapes) = (types, shapes)
    // Places in the file have to ascend.
    guard reader.isAtEnd, let starts = LineStarts(first: first, distances: distances),
      starts.last.map({ $0 < entry.end - entry.offset }) ?? false
    else { throw SidecarReader.Mismatch() }
    self.starts = starts
  }

  fileprivate var storedRest: [UInt8] {
    var writer = SidecarWriter()
    writer.put(UInt32(truncatingIfNeeded: starts.first ?? 0))
    starts.distances.write(to: &writer)
    writer.put(
      skips.flatMap { [UInt32(truncatingIfNeeded: $0.step), UInt32(truncatingIfNeeded: $0.lines)] })
    return writer.bytes
  }
}

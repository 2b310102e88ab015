// A block in a sidecar and its entry in the head; writing and reading are side by side. A block
// consists of the types, the shapes and the rest. The rest is the start of the first line, the
// distances to the other lines, and the skipped lines. Each of the three parts has its own
// checksum.

extension StoredBlock {
  /// The place of a block in the log and in the sidecar, and its expected contents.
  struct Entry: Sendable, Equatable {
    /// A stored column.
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
    /// The checksum of the rest.
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
    count = Int(try reader.number(UInt32.self))
    types = try Column(&reader)
    shapes = try Column(&reader)
    distanceWidth = try reader.number(UInt8.self)
    skipCount = Int(try reader.number(UInt32.self))
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
    types.write(to: &writer)
    shapes.write(to: &writer)
    writer.put(distanceWidth)
    writer.put(UInt32(skipCount))
    writer.put(rest)
    writer.put(UInt64(place))
  }
}

extension StoredBlock.Entry.Column {
  fileprivate init(_ reader: inout SidecarReader) throws(SidecarReader.Mismatch) {
    width = try reader.number(UInt8.self)
    checksum = try reader.number(UInt32.self)
  }

  fileprivate func write(to writer: inout SidecarWriter) {
    writer.put(width)
    writer.put(checksum)
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

/// A block of the index: in memory, or in the sidecar until it is needed.
enum BlockSlot: Sendable {
  case loaded(IndexBlock)
  case stored(StoredBlock)

  func block() throws(LogError) -> IndexBlock {
    switch self {
    case .loaded(let block): block
    case .stored(let stored): try stored.block()
    }
  }
}

/// A block that is in the sidecar.
///
/// Opening a log of 20 million steps takes its index from 40 MB; most of that is never needed.
final class StoredBlock: Sendable {
  /// Where the block is, in the log and in the sidecar, and what it has to be.
  struct Entry: Sendable, Equatable {
    var offset: Int
    var end: Int
    var firstLine: Int
    var count: Int
    var distanceWidth: UInt8
    var typeWidth: UInt8
    var shapeWidth: UInt8
    var skipCount: Int
    var place: Int
    var checksum: UInt32

    var byteCount: Int {
      4 + NumberColumn.byteCount(width: distanceWidth, count: count - 1)
        + NumberColumn.byteCount(width: typeWidth, count: count)
        + NumberColumn.byteCount(width: shapeWidth, count: count) + skipCount * 8
    }
  }

  private let entry: Entry
  private let sidecar: OpenFile
  private let log: OpenFile
  private let names: LogNames
  private let cache = Monitor<IndexBlock?>(nil)

  init(_ entry: Entry, sidecar: OpenFile, log: OpenFile, names: LogNames) {
    self.entry = entry
    self.sidecar = sidecar
    self.log = log
    self.names = names
  }

  func block() throws(LogError) -> IndexBlock {
    if let block = cache.withLock({ $0 }) { return block }
    let block = try load()
    cache.withLock { $0 = block }
    return block
  }

  /// Reads the block; where the sidecar turns out to be wrong, the log is scanned.
  private func load() throws(LogError) -> IndexBlock {
    let bytes = try sidecar.bytes(at: entry.place, count: entry.byteCount)
    let checksum = CRC32C.checksum(bytes)
    if checksum == entry.checksum {
      do throws(SidecarReader.Mismatch) {
        return try IndexBlock(entry, bytes, names)
      } catch {}
    }
    var scanner = PieceScanner(file: log, fileSize: entry.end, names: names)
    var block = try scanner.scan(
      entry.offset..<entry.end, startsLine: true, takesUnterminated: true
    ).block
    block.firstLine = entry.firstLine
    guard block.count == entry.count else { throw LogError(path: log.path, reason: .changed) }
    return block
  }
}

extension StoredBlock.Entry {
  /// The entry of a block whose bytes are appended to what `place` bytes are before.
  init(_ block: IndexBlock, place: Int, bytes: [UInt8]) {
    offset = block.offset
    end = block.end
    firstLine = block.firstLine
    count = block.count
    distanceWidth = block.starts.distances.width
    typeWidth = block.types.width
    shapeWidth = block.shapes.width
    skipCount = block.skips.count
    self.place = place
    checksum = CRC32C.checksum(bytes)
  }

  init(_ reader: inout SidecarReader) throws(SidecarReader.Mismatch) {
    offset = try reader.count()
    end = try reader.count()
    firstLine = try reader.count()
    count = Int(try reader.number(UInt32.self))
    distanceWidth = try reader.number(UInt8.self)
    typeWidth = try reader.number(UInt8.self)
    shapeWidth = try reader.number(UInt8.self)
    skipCount = Int(try reader.number(UInt32.self))
    place = try reader.count()
    checksum = try reader.number(UInt32.self)
    guard offset <= end, count > 0,
      [distanceWidth, typeWidth, shapeWidth].allSatisfy(NumberColumn.widths.contains)
    else { throw SidecarReader.Mismatch() }
  }

  func write(to writer: inout SidecarWriter) {
    writer.put(UInt64(offset))
    writer.put(UInt64(end))
    writer.put(UInt64(firstLine))
    writer.put(UInt32(count))
    writer.put(distanceWidth)
    writer.put(typeWidth)
    writer.put(shapeWidth)
    writer.put(UInt32(skipCount))
    writer.put(UInt64(place))
    writer.put(checksum)
  }
}

extension IndexBlock {
  fileprivate init(
    _ entry: StoredBlock.Entry, _ bytes: [UInt8], _ names: LogNames
  ) throws(SidecarReader.Mismatch) {
    var reader = SidecarReader(bytes)
    let first = try reader.number(UInt32.self)
    let distances = try NumberColumn(
      &reader, width: entry.distanceWidth, count: entry.count - 1)
    types = try NumberColumn(&reader, width: entry.typeWidth, count: entry.count)
    shapes = try NumberColumn(&reader, width: entry.shapeWidth, count: entry.count)
    let skips = try reader.numbers(UInt32.self, count: entry.skipCount * 2)
    self.skips = stride(from: 0, to: skips.count, by: 2).map {
      Skip(step: Int(skips[$0]), lines: Int(skips[$0 + 1]))
    }
    (offset, end, firstLine) = (entry.offset, entry.end, entry.firstLine)
    // Places in the file have to ascend, and numbers have to stand for something.
    guard reader.isAtEnd, let starts = LineStarts(first: first, distances: distances),
      starts.last.map({ $0 < entry.end - entry.offset }) ?? false,
      types.isBelow(names.types.count), shapes.isBelow(names.shapes.count)
    else { throw SidecarReader.Mismatch() }
    self.starts = starts
  }

  /// The block as it is stored.
  var storedBytes: [UInt8] {
    var writer = SidecarWriter()
    writer.put(UInt32(truncatingIfNeeded: starts.first ?? 0))
    starts.distances.write(to: &writer)
    types.write(to: &writer)
    shapes.write(to: &writer)
    writer.put(
      skips.flatMap { [UInt32(truncatingIfNeeded: $0.step), UInt32(truncatingIfNeeded: $0.lines)] })
    return writer.bytes
  }
}

extension NumberColumn {
  /// How many bytes a number takes; where all are the same, one is stored in four.
  fileprivate static let widths: [UInt8] = [0, 1, 2, 4]

  fileprivate static func byteCount(width: UInt8, count: Int) -> Int {
    width == 0 ? 4 : Int(width) * count
  }

  fileprivate init(
    _ reader: inout SidecarReader, width: UInt8, count: Int
  ) throws(SidecarReader.Mismatch) {
    switch width {
    case 0: self = .same(try reader.number(UInt32.self), count: count)
    case 1: self = .bytes(try reader.numbers(UInt8.self, count: count))
    case 2: self = .shorts(try reader.numbers(UInt16.self, count: count))
    default: self = .words(try reader.numbers(UInt32.self, count: count))
    }
  }

  fileprivate var width: UInt8 {
    switch self {
    case .same: 0
    case .bytes: 1
    case .shorts: 2
    case .words: 4
    }
  }

  fileprivate func write(to writer: inout SidecarWriter) {
    switch self {
    case .same(let number, _): writer.put(number)
    case .bytes(let numbers): writer.put(numbers)
    case .shorts(let numbers): writer.put(numbers)
    case .words(let numbers): writer.put(numbers)
    }
  }

  fileprivate func isBelow(_ limit: Int) -> Bool {
    range.map { Int($0.upperBound) < limit } ?? true
  }
}

import FluxJSON
import FluxSystem

/// A block whose contents are in a sidecar.
///
/// The index of a log with 20 million steps is 40 MB, and most of it is never needed. So a block is
/// read when it is first used, and a search for a type reads only the types.
final class StoredBlock: Sendable {
  /// The parts that have been read.
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
    if let types = try storedTypes() { return types }
    return try block().types
  }

  func shapes() throws(LogError) -> NumberColumn {
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
    if let types = parts.withLock({ $0.types }) { return types }
    let types = try column(entry.types, at: entry.place, below: names.types.count)
    parts.withLock { $0.types = types }
    return types
  }

  private func storedShapes() throws(LogError) -> NumberColumn? {
    if let shapes = parts.withLock({ $0.shapes }) { return shapes }
    let shapes = try column(entry.shapes, at: entry.shapesPlace, below: names.shapes.count)
    parts.withLock { $0.shapes = shapes }
    return shapes
  }

  /// Reads a column whose numbers have to be below a limit.
  private func column(
    _ column: Entry.Column, at place: Int, below limit: Int
  ) throws(LogError) -> NumberColumn? {
    let count = NumberColumn.byteCount(width: column.width, count: entry.count)
    guard var reader = try reader(of: column.checksum, byteCount: count, at: place) else {
      return nil
    }
    do throws(SidecarReader.Mismatch) {
      let numbers = try NumberColumn(&reader, width: column.width, count: entry.count)
      return numbers.isBelow(limit) ? numbers : nil
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

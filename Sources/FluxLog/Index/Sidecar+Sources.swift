import FluxSystem

// The section of source lines in a sidecar. It stands behind the blocks, where readers of the index do not look:
// eight bytes of magic, the length and the checksum of the section, the section.
extension Sidecar {
  /// The last character is the version of the section's layout.
  private static let sourcesMagic = Array("FLUXSRC1".utf8)

  /// Returns the source lines in the sidecar of a log; nil if there is no matching sidecar, or no section in it.
  static func sources(at place: SidecarPlace, header: [UInt8]) -> SourceColumn? {
    // If they cannot be read for any reason, the log is scanned.
    do {
      guard let (sidecar, file) = matching(place, header) else { return nil }
      guard let start = sidecar.end else { return nil }
      let size = try file.status().size
      guard size - start >= prefixCount else { return nil }
      let prefix = try file.bytes(at: start, count: prefixCount)
      guard prefix.starts(with: sourcesMagic) else { return nil }
      var reader = SidecarReader(Array(prefix.dropFirst(sourcesMagic.count)))
      let (count, checksum) = (try reader.count(), try reader.number(UInt32.self))
      guard count == size - start - prefixCount else { return nil }
      let bytes = try file.bytes(at: start + prefixCount, count: count)
      guard CRC32C.checksum(bytes) == checksum else { return nil }
      reader = SidecarReader(bytes)
      return try SourceColumn(&reader, count: sidecar.checker.position)
    } catch {
      return nil
    }
  }

  /// Writes the sidecar of a log again, with source lines; returns `false` if there is no matching one.
  static func add(
    _ sources: SourceColumn, at place: SidecarPlace, header: [UInt8]
  ) throws(LogError) -> Bool {
    guard let (sidecar, file) = matching(place, header), let end = sidecar.end else {
      return false
    }
    var section = SidecarWriter()
    sources.write(to: &section)
    var prefix = SidecarWriter()
    prefix.put(sourcesMagic)
    prefix.put(UInt64(section.bytes.count))
    prefix.put(CRC32C.checksum(section.bytes))
    let index = try file.bytes(at: 0, count: end)
    let replacement = try place.replacement()
    for part in [index, prefix.bytes, section.bytes] { try replacement.write(part) }
    try replacement.commit(isDurable: false)
    return true
  }
}

extension Sidecar {
  /// The place behind the blocks; nil if there are none.
  private var end: Int? { entries.map { $0.place + $0.byteCount }.max() }
}

extension SourceColumn {
  fileprivate func write(to writer: inout SidecarWriter) {
    writer.put(texts) { $0.put($1) }
    let column = NumberColumn(numbers)
    writer.put(UInt64(count))
    writer.put(column.width)
    column.write(to: &writer)
  }

  fileprivate init(
    _ reader: inout SidecarReader, count: Int
  ) throws(SidecarReader.Mismatch) {
    let texts = try reader.elements { reader throws(SidecarReader.Mismatch) in try reader.string() }
    let (stored, width) = (try reader.count(), try reader.number(UInt8.self))
    guard stored == count, NumberColumn.widths.contains(width), Set(texts).count == texts.count
    else { throw SidecarReader.Mismatch() }
    let column = try NumberColumn(&reader, width: width, count: count)
    guard reader.isAtEnd, column.isBelow(texts.count + 1) else { throw SidecarReader.Mismatch() }
    self.init(texts: texts, numbers: column.numbers)
  }
}

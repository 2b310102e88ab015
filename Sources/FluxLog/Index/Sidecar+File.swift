import FluxSystem

extension Sidecar {
  /// Returns the index of a log if there is a matching sidecar; its blocks stay in the file.
  static func index(log: OpenFile, header: [UInt8], names: LogNames) -> LogIndex? {
    // If the sidecar cannot be read for any reason, the log is scanned.
    do throws(LogError) {
      let file = try OpenFile(reading: LogFileNames.indexPath(of: log.path))
      guard let sidecar = try read(file),
        sidecar.identity == (try Identity(log: log, header: header))
      else { return nil }
      names.restore(types: sidecar.types, shapes: sidecar.shapes)
      let blocks = sidecar.entries.map {
        BlockSlot.stored(StoredBlock($0, sidecar: file, log: log, names: names))
      }
      return LogIndex(
        blocks: blocks, counts: sidecar.entries.map(\.count), checker: sidecar.checker,
        nextLine: sidecar.nextLine, end: sidecar.identity.size)
    } catch {
      return nil
    }
  }

  private static func read(_ file: OpenFile) throws(LogError) -> Sidecar? {
    let size = try file.status().size
    guard size >= prefixCount else { return nil }
    let prefix = try file.bytes(at: 0, count: prefixCount)
    guard prefix.starts(with: magic), let (count, checksum) = head(in: prefix),
      count <= size - prefixCount
    else { return nil }
    let head = try file.bytes(at: prefixCount, count: count)
    guard CRC32C.checksum(head) == checksum, let sidecar = parsed(head),
      sidecar.entries.allSatisfy({ $0.place <= size && $0.byteCount <= size - $0.place })
    else { return nil }
    return sidecar
  }

  private static func head(in prefix: [UInt8]) -> (count: Int, checksum: UInt32)? {
    var reader = SidecarReader(Array(prefix.dropFirst(magic.count)))
    do throws(SidecarReader.Mismatch) {
      return (try reader.count(), try reader.number(UInt32.self))
    } catch {
      return nil
    }
  }

  private static func parsed(_ head: [UInt8]) -> Sidecar? {
    var reader = SidecarReader(head)
    do throws(SidecarReader.Mismatch) {
      return try Sidecar(head: &reader)
    } catch {
      return nil
    }
  }

  /// Writes the index of a log beside it; readers see the old sidecar or the new one, never a part.
  static func save(
    _ index: LogIndex, identity: Identity, names: LogNames, log: String
  ) throws(LogError) {
    // The length of the head does not depend on the places of the blocks.
    var entries: [StoredBlock.Entry] = []
    var blocks: [UInt8] = []
    for slot in index.blocks {
      let (entry, bytes) = StoredBlock.Entry.storing(try slot.block(), at: blocks.count)
      entries.append(entry)
      blocks += bytes
    }
    let sidecar = { (entries: [StoredBlock.Entry]) in
      Sidecar(
        identity: identity, types: names.types, shapes: names.shapes, checker: index.checker,
        nextLine: index.nextLine, entries: entries)
    }
    let headCount = sidecar(entries).head.count
    for place in entries.indices { entries[place].place += prefixCount + headCount }
    let head = sidecar(entries).head
    var writer = SidecarWriter()
    writer.put(magic)
    writer.put(UInt64(head.count))
    writer.put(CRC32C.checksum(head))
    let path = LogFileNames.indexPath(of: log)
    removeLeftovers(of: path)
    let file = try unfinished(path)
    do throws(LogError) {
      for part in [writer.bytes, head, blocks] {
        if let failure = withoutFileSizeSignal({ file.append(part).failure }) { throw failure }
      }
      guard unsafe rename(file.path, path) == 0 else { throw file.failure("rename") }
    } catch {
      unsafe unlink(file.path)
      throw error
    }
  }

  private var head: [UInt8] {
    var writer = SidecarWriter()
    writeHead(to: &writer)
    return writer.bytes
  }
}

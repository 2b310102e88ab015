import FluxSystem

/// The index of a log in a file beside it, `<log>.idx`, or in a folder for caches.
///
/// Only a cache. It is used if the log is the file it was made from and has not changed since;
/// otherwise it is replaced. A copy of a log is indexed again. Only logs without findings have one.
///
/// Layout, with all numbers little-endian: eight bytes of magic, the length and the checksum of the
/// head, the head, the blocks, and perhaps the section of source lines. The head describes the log as a whole, and for each block its place
/// and the checksums of its parts.
struct Sidecar {
  struct Identity: Equatable {
    var size: Int
    var modified: Int64
    /// The time of the last status change, which detects an edit that restored `modified`.
    var changed: Int64
    var header: UInt32
    var end: UInt32
  }

  /// The last character is the version of the sidecar's layout.
  static let magic = Array("FLUXIDX5".utf8)
  static let prefixCount = 20

  let identity: Identity
  let types: [String]
  let shapes: [StepShape]
  let checker: SequenceChecker
  let nextLine: Int
  let entries: [StoredBlock.Entry]
}

extension Sidecar.Identity {
  init(log: OpenFile, header: [UInt8]) throws(LogError) {
    let status = try log.status()
    size = status.size
    modified = status.modified
    changed = status.changed
    let count = min(4096, status.size)
    let last = try log.bytes(at: status.size - count, count: count)
    self.header = CRC32C.checksum(header)
    end = CRC32C.checksum(last)
  }
}

extension Sidecar {
  /// Returns the index of a log if there is a matching sidecar; its blocks stay in the file.
  static func index(at place: SidecarPlace, header: [UInt8], names: LogNames) -> LogIndex? {
    guard let (sidecar, file) = matching(place, header) else { return nil }
    names.restore(types: sidecar.types, shapes: sidecar.shapes)
    let blocks = sidecar.entries.map {
      BlockSlot.stored(StoredBlock($0, sidecar: file, log: place.log, names: names))
    }
    return LogIndex(
      blocks: blocks, counts: sidecar.entries.map(\.count), checker: sidecar.checker,
      nextLine: sidecar.nextLine, end: sidecar.identity.size)
  }

  /// Returns the sidecar that belongs to a log, and its file; nil if there is none that can be trusted.
  static func matching(
    _ place: SidecarPlace, _ header: [UInt8]
  ) -> (sidecar: Sidecar, file: OpenFile)? {
    for path in place.paths {
      do {
        if let found = try matching(path, of: place.log, header) { return found }
      } catch {
        // If a sidecar cannot be read for any reason, it does not count.
      }
    }
    return nil
  }

  private static func matching(
    _ path: String, of log: OpenFile, _ header: [UInt8]
  ) throws -> (sidecar: Sidecar, file: OpenFile)? {
    let file = try OpenFile(reading: path, followsLinks: false)
    guard try isTrusted(file.status(), log: log), try file.status().size <= largest(for: log),
      let sidecar = try read(file), sidecar.identity == (try Identity(log: log, header: header))
    else { return nil }
    return (sidecar, file)
  }

  /// `true` if the index was made by the user, by root or by the owner of the log.
  ///
  /// In a shared folder, anybody could put an index beside a log that tells lies about it.
  private static func isTrusted(_ index: FileStatus, log: OpenFile) throws(LogError) -> Bool {
    try [geteuid(), 0, log.status().owner].contains(index.owner)
  }

  /// Returns the largest size that the index of a log can have.
  ///
  /// A line of at least one byte takes at most 20 bytes of a block, and less than its length of the head.
  private static func largest(for log: OpenFile) throws(LogError) -> Int {
    let (size, isTooLarge) = try log.status().size.multipliedReportingOverflow(by: 32)
    return isTooLarge ? .max : size + (1 << 16)
  }

  private static func read(_ file: OpenFile) throws -> Sidecar? {
    let size = try file.status().size
    guard size >= prefixCount else { return nil }
    let prefix = try file.bytes(at: 0, count: prefixCount)
    guard prefix.starts(with: magic) else { return nil }
    var reader = SidecarReader(Array(prefix.dropFirst(magic.count)))
    let (count, checksum) = (try reader.count(), try reader.number(UInt32.self))
    guard count <= size - prefixCount else { return nil }
    let head = try file.bytes(at: prefixCount, count: count)
    guard CRC32C.checksum(head) == checksum else { return nil }
    reader = SidecarReader(head)
    let sidecar = try Sidecar(head: &reader)
    let isInside = sidecar.entries.allSatisfy {
      $0.place <= size && $0.byteCount <= size - $0.place
    }
    return isInside ? sidecar : nil
  }

  /// Writes the index of a log; readers see the old sidecar or the new one, never a part.
  ///
  /// - Returns: The path of the sidecar.
  static func save(
    _ index: LogIndex, identity: Identity, names: LogNames, at place: SidecarPlace
  ) throws(LogError) -> String {
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
    let file = try place.replacement()
    for part in [writer.bytes, head, blocks] { try file.write(part) }
    // A cache whose checksums fail is made again, so it need not be on the disk.
    try file.commit(isDurable: false)
    return file.destination
  }

  private var head: [UInt8] {
    var writer = SidecarWriter()
    writeHead(to: &writer)
    return writer.bytes
  }
}

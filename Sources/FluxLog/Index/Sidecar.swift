import FluxSystem
import Foundation

/// The index of a log in a file beside it: `<log>.idx`.
///
/// Only a cache. It is used if the log is the file it was made from and has not changed since;
/// otherwise it is replaced. A copy of a log is indexed again. Only logs without findings have one.
///
/// Layout, with all numbers little-endian: eight bytes of magic, the length and the checksum of the
/// head, the head, the blocks. The head describes the log as a whole, and for each block its place
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
  static let magic = Array("FLUXIDX3".utf8)
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
  static func index(log: OpenFile, header: [UInt8], names: LogNames) -> LogIndex? {
    // If the sidecar cannot be read for any reason, the log is scanned.
    do {
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

  // MARK: Unfinished files

  // A sidecar is written to a temporary file, which is renamed once it is complete. Each save uses
  // a file of its own, because two can run at once. The file is locked while it is written. An
  // unlocked file was left by a process that was killed.

  /// Creates and locks the file that a sidecar is written to.
  static func unfinished(_ sidecar: String) throws(LogError) -> OpenFile {
    while true {
      let file = try OpenFile(creating: "\(sidecar).\(UInt64.random(in: 0 ... .max).hexDigits)")
      // Before it was locked, another process may have removed it as left over.
      if try file.lock(), try file.status().isLinked { return file }
    }
  }

  /// Removes the unfinished files that killed processes left beside a sidecar.
  static func removeLeftovers(of sidecar: String) {
    let url = URL(fileURLWithPath: sidecar)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(
        atPath: url.deletingLastPathComponent().path(percentEncoded: false))
    } catch {
      // If the folder cannot be listed, the files stay.
      return
    }
    let prefix = url.lastPathComponent + "."
    for name in names where name.hasPrefix(prefix) && isNumber(name.dropFirst(prefix.count)) {
      removeLeftover("\(sidecar).\(name.dropFirst(prefix.count))")
    }
  }

  private static func isNumber(_ digits: Substring) -> Bool {
    digits.utf8.count == 16
      && digits.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  private static func removeLeftover(_ path: String) {
    do throws(LogError) {
      let file = try OpenFile(reading: path)
      guard try file.lock() else { return }
      unsafe unlink(path)
    } catch {
      // A file that cannot be read, or is already gone, does not prevent saving.
    }
  }
}

import FluxSystem

/// The index of a log in a file beside it: `<log>.idx`.
///
/// Only a cache. It is used if the log is the file it was made from and has not changed since;
/// otherwise it is replaced. A copy of a log is indexed again. Only logs without findings have one.
///
/// Layout, with all numbers little-endian: eight bytes of magic, the length and the checksum of the
/// head, the head, the blocks. The head describes the log as a whole, and for each block its place
/// and the checksums of its parts.
struct Sidecar {
  /// Properties of a log that its sidecar must match.
  struct Identity: Equatable {
    var size: Int
    var modified: Int64
    /// The time of the last status change, which detects an edit that restored `modified`.
    var changed: Int64
    var header: UInt32
    /// The checksum of the last 4 KB.
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
  /// Makes the identity of a log as it is now.
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

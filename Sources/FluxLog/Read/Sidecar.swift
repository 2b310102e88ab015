/// The index of a log in a file beside it: `<log>.idx`.
///
/// Only a help: it is used where the log is the file that it was made of, untouched since, and made
/// anew where it is not; so a log that was copied is indexed again. Only logs without findings have one. Layout, all numbers little-endian: eight bytes of magic,
/// the count and the checksum of the head, the head, the blocks. The head has what is known of
/// the log as a whole and, for each block, where it is and the checksums of its parts.
struct Sidecar {
  /// What ties an index to its log.
  struct Identity: Equatable {
    var size: Int
    var modified: Int64
    /// When anything about the file changed, which tells an edit that kept `modified`.
    var changed: Int64
    var header: UInt32
    /// The checksum of the last 4 KB.
    var end: UInt32
  }

  static func path(of log: String) -> String { log + ".idx" }

  /// The format's own version is its last character.
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
  /// The identity of a log as it is at the moment.
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

import Foundation
import FuzzInput

/// An index whose bytes somebody has changed, and set the checksums anew.
///
/// The layout is that of `Sidecar`, written down a second time: a reader that has it wrong is not believed.
struct ForgedSidecar {
  private static let prefixCount = 20
  private static let identityCount = 32
  private static let entryCount = 55

  private var head: [UInt8]
  private var blocks: [UInt8]

  init(_ bytes: [UInt8]) {
    guard let count = bytes.number(at: 8, count: 8).map({ Int($0) }) else {
      preconditionFailure("no index")
    }
    head = Array(bytes[Self.prefixCount..<Self.prefixCount + count])
    blocks = Array(bytes[(Self.prefixCount + count)...])
  }

  /// Makes the changes of an input, the second byte of which says how they are shared out.
  mutating func apply(_ input: [UInt8]) {
    let rest = input.dropFirst(2)
    let share = rest.count * Int(input.dropFirst().first ?? 0) / 255
    var (ofBlocks, ofHead) = (Edits(rest.prefix(share)), Edits(rest.dropFirst(share)))
    ofHead.apply(to: &head, from: Self.identityCount)
    ofBlocks.apply(to: &blocks, from: 0)
    placeBlock()
  }

  /// Sets the place and the checksums of the last block, as far as it is there.
  private mutating func placeBlock() {
    let entry = head.count - Self.entryCount
    guard entry >= Self.identityCount, let count = head.number(at: entry + 24, count: 4),
      let skips = head.number(at: entry + 39, count: 4)
    else { return }
    let start = Self.prefixCount + head.count
    head.put(UInt64(start), at: entry + 47, count: 8)
    let columns = [(28, Int(count)), (33, Int(count)), (38, Int(count) - 1)].map { place, count in
      let width = Int(head[entry + place])
      return width == 0 ? 4 : width * max(0, count)
    }
    let rest = 4 + columns[2] + Int(skips) * 8
    guard columns[0] + columns[1] + rest <= blocks.count else { return }
    let shapes = columns[0] + columns[1]
    head.put(UInt64(checksum(blocks[..<columns[0]])), at: entry + 29, count: 4)
    head.put(UInt64(checksum(blocks[columns[0]..<shapes])), at: entry + 34, count: 4)
    head.put(UInt64(checksum(blocks[shapes..<shapes + rest])), at: entry + 43, count: 4)
  }

  /// Says that the index is of this very file.
  mutating func identify(log path: String) {
    var status = stat()
    // `status` is a local that outlives the call.
    guard unsafe stat(path, &status) == 0 else { preconditionFailure("no log at \(path)") }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    head.put(UInt64(status.st_size), at: 0, count: 8)
    for (place, time) in [(8, modified), (16, changed)] {
      head.put(UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec), at: place, count: 8)
    }
  }

  /// The whole file.
  var bytes: [UInt8] {
    var prefix = Array("FLUXIDX4".utf8) + [UInt8](repeating: 0, count: 12)
    prefix.put(UInt64(head.count), at: 8, count: 8)
    prefix.put(UInt64(checksum(head)), at: 16, count: 4)
    return prefix + head + blocks
  }
}

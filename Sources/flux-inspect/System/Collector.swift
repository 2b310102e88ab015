import Foundation
import SystemPackage

/// Reads a pipe to its end on a thread of its own, so that whoever writes to it never waits.
final class Collector: @unchecked Sendable {
  // Sendable: the bytes are written by the thread before it leaves the group, and read after that.
  private var bytes: [UInt8] = []
  private let group = DispatchGroup()

  init(_ descriptor: FileDescriptor) {
    group.enter()
    Thread { [self] in
      defer { group.leave() }
      do {
        try descriptor.closeAfter { try read(descriptor) }
      } catch {
        // A pipe within the machine breaks off only where the machine does: what came is kept.
      }
    }.start()
  }

  private func read(_ descriptor: FileDescriptor) throws {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try unsafe part.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
      guard count > 0 else { return }
      bytes += part.prefix(count)
    }
  }

  /// Waits for the end; all that came, as text.
  func wait() -> String {
    group.wait()
    return String(decoding: bytes, as: UTF8.self)
  }
}

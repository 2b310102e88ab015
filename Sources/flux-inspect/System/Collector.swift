import Foundation
import ScriptCommands
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
        bytes = try descriptor.closeAfter { try descriptor.readAll() }
      } catch {
        // A pipe within the machine breaks off only where the machine does: then nothing came.
      }
    }.start()
  }

  /// Waits for the end; all that came, as text.
  func wait() -> String {
    group.wait()
    return String(decoding: bytes, as: UTF8.self)
  }
}

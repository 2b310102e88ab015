import Foundation

/// A network that has nothing but its loopback device: no process outside of it is reached, and its ports are free.
final class NetworkNamespace {
  /// `true` if this user can create one on this machine.
  static let isAvailable: Bool = {
    do {
      _ = try NetworkNamespace()
      return true
    } catch {
      return false
    }
  }()

  private let holder = Process()

  init() throws {
    let output = Pipe()
    holder.executableURL = URL(filePath: "/usr/bin/env")
    holder.arguments = [
      "unshare", "--net", "sh", "-c",
      "ip link set lo up && command -v nsenter >&2 && echo ready && exec sleep 600",
    ]
    holder.standardOutput = output
    holder.standardError = FileHandle.nullDevice
    try holder.run()
    // A shell that ends closes its output.
    guard try output.fileHandleForReading.read(upToCount: 6)?.count == 6 else {
      holder.waitUntilExit()
      throw CocoaError(.executableLoad)
    }
  }

  deinit { holder.terminate() }

  /// The command that starts a program in the network.
  var starter: [String] {
    ["/usr/bin/env", "nsenter", "--net=/proc/\(holder.processIdentifier)/ns/net"]
  }
}

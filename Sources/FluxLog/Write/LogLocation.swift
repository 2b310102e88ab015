#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where a log is written at the moment, and the file of actions in flight beside it.
final class LogLocation: Sendable {
  private let current: Monitor<String>

  init(path: String) {
    current = Monitor(path)
  }

  var path: String { current.withLock { $0 } }

  /// The file of actions in flight that belongs to a log.
  static func inFlightPath(of log: String) -> String { log + ".inflight" }

  /// Goes on to another segment, and takes the actions in flight there.
  func move(to path: String) {
    let old = current.withLock { current in
      defer { current = path }
      return current
    }
    // Without actions in flight there is nothing to move.
    unsafe rename(Self.inFlightPath(of: old), Self.inFlightPath(of: path))
  }

  /// Removes the actions in flight: all are in the log.
  func removeInFlight() {
    unsafe unlink(Self.inFlightPath(of: path))
  }
}

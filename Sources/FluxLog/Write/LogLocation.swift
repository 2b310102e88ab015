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

  /// Puts the actions in flight beside the segment that is about to be made as well.
  ///
  /// Whichever segment is the newest when the app is killed then has them beside it.
  func share(with path: String) {
    // Without actions in flight, or on a file system without links, there is nothing to be done.
    unsafe link(Self.inFlightPath(of: self.path), Self.inFlightPath(of: path))
  }

  /// Goes on to another segment, and leaves the actions in flight beside that one only.
  func move(to path: String) {
    let old = current.withLock { current in
      defer { current = path }
      return Self.inFlightPath(of: current)
    }
    guard unsafe rename(old, Self.inFlightPath(of: path)) == 0 else { return }
    // `rename` leaves two names of one file as they are.
    unsafe unlink(old)
  }

  /// Removes the actions in flight: all are in the log.
  func removeInFlight() {
    unsafe unlink(Self.inFlightPath(of: path))
  }
}

import FluxSystem

/// Where a log is written at the moment, and the file of actions in flight beside it.
///
/// Somebody may remove a log that is being recorded, or give it another name, and begin another recording at its
/// path. The actions in flight that are there then belong to that one, and are left alone.
final class LogLocation: Sendable {
  private let current: Monitor<String>
  /// The file of actions in flight of this recording; nil where it has none.
  private let inFlight: FilePlace?

  init(path: String, inFlight: FilePlace?) {
    current = Monitor(path)
    self.inFlight = inFlight
  }

  var path: String { current.withLock { $0 } }

  /// The file of actions in flight that belongs to a log.
  static func inFlightPath(of log: String) -> String { log + ".inflight" }

  /// Removes the actions in flight of an earlier recording, whose log was replaced or removed.
  static func removeLeftovers(beside log: String) {
    unsafe unlink(inFlightPath(of: log))
  }

  /// Puts the actions in flight beside the segment that is about to be made as well.
  ///
  /// Whichever segment is the newest when the app is killed then has them beside it.
  func share(with path: String) {
    let own = Self.inFlightPath(of: self.path)
    guard isOwn(own) else { return }
    // On a file system without links there is nothing to be done.
    unsafe link(own, Self.inFlightPath(of: path))
  }

  /// Undoes ``share(with:)``: the segment belongs to another recorder.
  func unshare(with path: String) {
    let path = Self.inFlightPath(of: path)
    guard isOwn(path) else { return }
    unsafe unlink(path)
  }

  /// Goes on to another segment, and leaves the actions in flight beside that one only.
  func move(to path: String) {
    let old = current.withLock { current in
      defer { current = path }
      return Self.inFlightPath(of: current)
    }
    guard isOwn(old), unsafe rename(old, Self.inFlightPath(of: path)) == 0 else { return }
    // `rename` leaves two names of one file as they are.
    unsafe unlink(old)
  }

  /// Removes the actions in flight: all are in the log.
  func removeInFlight() {
    let path = Self.inFlightPath(of: path)
    guard isOwn(path) else { return }
    unsafe unlink(path)
  }

  /// Whether a file is that of this recording's actions in flight, which its map keeps from being any other.
  private func isOwn(_ path: String) -> Bool {
    guard let inFlight else { return false }
    // One that cannot be examined can be neither moved nor removed.
    do throws(LogError) { return try FilePlace(ofFileAt: path) == inFlight } catch { return false }
  }
}

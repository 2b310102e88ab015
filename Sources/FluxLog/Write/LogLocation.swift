import FluxSystem

/// The current path of a recording, and the file of actions in flight beside it.
///
/// While a log is recorded, somebody may remove or rename it and begin another recording at its
/// path. The actions in flight at that path then belong to the other recording and are left alone.
final class LogLocation: Sendable {
  private struct Place {
    var path: String
    /// The log that the actions in flight are beside: an earlier segment if they cannot be moved.
    var logOfRing: String
    /// `true` once the system has denied a link, which is reported once.
    var isLinkDenied = false
  }

  private let current: Monitor<Place>
  /// The actions in flight of this recording; `nil` if there are none.
  private let ring: InFlightRing?
  private let report: (@Sendable (LogError) -> Void)?

  init(path: String, ring: InFlightRing?, report: (@Sendable (LogError) -> Void)? = nil) {
    current = Monitor(Place(path: path, logOfRing: path))
    self.ring = ring
    self.report = report
  }

  var path: String { current.withLock { $0.path } }
  private var logOfRing: String { current.withLock { $0.logOfRing } }

  /// Links the actions in flight beside the next segment as well.
  ///
  /// So the newest segment has them beside it whenever the app is killed. The sandbox of Apple's systems and some file
  /// systems deny that; readers look beside the segment before, too.
  func share(with path: String) {
    guard let own = ownFile(beside: logOfRing) else { return }
    guard unsafe link(own, LogFileNames.inFlightPath(of: path)) != 0 else { return }
    let code = errno
    // The name is taken, or the file was removed: nothing is denied.
    if code == EEXIST || code == ENOENT { return }
    let isFirst = current.withLock { current in
      defer { current.isLinkDenied = true }
      return !current.isLinkDenied
    }
    if isFirst { report?(LogError(path: own, reason: .inFlight(.notLinked(code: code)))) }
  }

  /// Undoes ``share(with:)``: the segment belongs to another recorder.
  func unshare(with path: String) {
    if let own = ownFile(beside: path) { unsafe unlink(own) }
  }

  /// Changes the path to another segment, and leaves the actions in flight beside that one only.
  func move(to path: String) {
    let old = current.withLock { current in
      current.path = path
      return current.logOfRing
    }
    let new = LogFileNames.inFlightPath(of: path)
    if let own = ownFile(beside: old) {
      // Something that cannot be replaced has the name: the file stays, and moves with a later segment.
      guard unsafe rename(own, new) == 0 else { return }
      // `rename` does nothing if both names belong to one file.
      unsafe unlink(own)
    }
    current.withLock { $0.logOfRing = path }
    ring?.move(to: new)
  }

  /// Removes the actions in flight: all are in the log.
  func removeInFlight() {
    if let own = ownFile(beside: logOfRing) { unsafe unlink(own) }
  }

  /// Returns the path of the actions in flight beside a log, if they are this recording's.
  private func ownFile(beside log: String) -> String? {
    let path = LogFileNames.inFlightPath(of: log)
    guard let place = ring?.place else { return nil }
    // A file that cannot be examined can be neither moved nor removed.
    do throws(LogError) {
      return try FileStatus(at: path)?.place == place ? path : nil
    } catch {
      return nil
    }
  }
}

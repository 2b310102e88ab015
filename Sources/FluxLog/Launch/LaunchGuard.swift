import FluxSystem

/// Knows which files are being recorded, and deletes only others.
///
/// A recorder holds a lock of its file, unless locks are not used there. Without locks, a file counts
/// as being recorded for an hour after its last change.
struct LaunchGuard {
  private static let hour: Int64 = 3_600_000_000_000

  private let usesLocks: Bool
  private let now = FileStatus.now

  init(_ folder: LaunchFolder) {
    usesLocks = folder.locking.isHeld(at: folder.path)
  }

  /// `true` if somebody may be recording the file.
  func isInUse(_ file: LaunchFiles.File) -> Bool {
    guard usesLocks else { return isTooRecent(file) }
    do throws(LogError) {
      return try OpenFile(reading: file.path, followsLinks: false).isLocked()
    } catch {
      // Whoever deletes the file learns why it cannot be opened.
      return false
    }
  }

  /// `true` if there are no locks, and the file changed so recently that it may be in use.
  func isTooRecent(_ file: LaunchFiles.File) -> Bool {
    !usesLocks && now - file.modified < Self.hour
  }

  /// `true` if the time since the file's last change is longer than `age`, in nanoseconds.
  func isOlder(_ file: LaunchFiles.File, than age: Int64) -> Bool { now - file.modified > age }

  /// Removes what is left of a launch without a log, unless its recorder is just beginning.
  func removeLeftovers(of launch: LaunchFiles) throws(LogError) {
    guard let first = launch.others.first else { return }
    if launch.others.contains(where: isTooRecent) { return }
    let folder = SymbolicLink.folder(of: first.path)
    let lock: SegmentLock
    do throws(LogError) {
      lock = try SegmentLock(of: "\(folder)\(launch.name.text).jsonl")
    } catch {
      if error.reason == .locked { return }
      throw error
    }
    // Removes the file of the lock, too.
    defer { lock.release() }
    for file in launch.others where !file.path.hasSuffix(".lock") {
      do throws(LogError) {
        try LogOpening.remove(file.path)
      } catch {
        guard error.reason == .locked else { throw error }
      }
    }
  }
}

import FluxSystem

/// The lock over all segments of a flight recorder: a file with a dot-name next to them.
///
/// Each segment has its own lock, but a second recorder at the path could begin between two of
/// them. The file exists only while a recorder has the lock, or after a crash, which releases the lock
/// and leaves the file to the next recorder.
struct SegmentLock: Sendable {
  private let file: OpenFile

  /// Takes the lock over the segments of the log at `path`.
  ///
  /// - Throws: ``LogError/Reason/locked`` if another recorder has it.
  init(of path: String) throws(LogError) {
    let lockPath = LogFileNames.lockPath(of: path)
    while true {
      do throws(LogError) {
        let file = try Self.open(lockPath)
        guard try file.lock() else { throw LogError(path: path, reason: .locked) }
        // The recorder that had the lock may have removed the file before it released the lock.
        guard try file.isAtPath() else { continue }
        self.file = file
        return
      } catch {
        throw LogError(path: path, reason: error.reason)
      }
    }
  }

  /// Opens the file; a planted link in its place is removed, and not followed.
  private static func open(_ path: String) throws(LogError) -> OpenFile {
    do throws(LogError) {
      return try OpenFile(lock: path)
    } catch {
      guard error.isAboutLink, unsafe unlink(path) == 0 else { throw error }
      return try OpenFile(lock: path)
    }
  }

  /// Removes the file and releases the lock, in this order, so that nobody removes a file in use.
  func release() {
    do throws(LogError) {
      // Somebody else may have removed the file, and another recorder has one at this path.
      if try file.isAtPath() { unsafe unlink(file.path) }
    } catch {
      // A file that stays is locked by nobody.
    }
    file.unlock()
  }
}

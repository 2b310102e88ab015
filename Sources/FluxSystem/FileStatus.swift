/// The identity of a file, which survives renaming.
///
/// Two identities are comparable only while the file is open or known to exist: the system reuses the numbers.
package struct FileIdentity: Sendable, Equatable {
  private let device: UInt64
  private let node: UInt64

  fileprivate init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(status.st_ino)
  }
}

/// A file's identity, size and times.
package struct FileStatus: Sendable, Equatable {
  package let identity: FileIdentity
  /// The size in bytes.
  package let byteCount: Int64
  /// The size, or the largest `Int` if that has 32 bits and the file is larger.
  package var size: Int { Int(clamping: byteCount) }
  /// The last change of the content, in nanoseconds since 1970.
  package let modified: Int64
  /// The last change of content or attributes, in nanoseconds since 1970; programs cannot set it.
  package let changed: Int64
  package let isRegular: Bool
  package let isFolder: Bool
  package let isSymbolicLink: Bool
  package let isSocket: Bool
  /// The user that the file belongs to.
  package let owner: uid_t
  /// The permission bits.
  package let permissions: mode_t
  /// `true` if the file has a name.
  package let isLinked: Bool

  /// Examines the file at `path`; `nil` if there is none.
  ///
  /// If `followsLinks` is `false`, a symbolic link at the path is examined itself.
  package init?(path: String, followsLinks: Bool = true) throws(SystemError) {
    var status = stat()
    // `status` is a local that outlives the call.
    let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else {
      guard errno == ENOENT else { throw SystemError(lastOf: "examine") }
      return nil
    }
    self.init(status)
  }

  /// Examines the file at `path`; `nil` also if that fails, for callers whose next operation on the file reports the reason.
  package static func known(at path: String, followsLinks: Bool = true) -> FileStatus? {
    do throws(SystemError) {
      return try FileStatus(path: path, followsLinks: followsLinks)
    } catch {
      return nil
    }
  }

  /// `true` if a folder is at `path`; `false` also if that cannot be found out.
  package static func isFolder(at path: String) -> Bool { known(at: path)?.isFolder ?? false }

  /// Describes bytes in memory, which never change otherwise than in size.
  package init(inMemory byteCount: Int) {
    var status = stat()
    status.st_size = off_t(byteCount)
    status.st_mode = S_IFREG | 0o600
    status.st_nlink = 1
    self.init(status)
  }

  init(descriptor: Int32) throws(SystemError) {
    var status = stat()
    // `status` is a local that outlives the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(lastOf: "examine") }
    self.init(status)
  }

  private init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    identity = FileIdentity(status)
    byteCount = Int64(status.st_size)
    self.modified = modified.nanoseconds
    self.changed = changed.nanoseconds
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isSymbolicLink = status.st_mode & S_IFMT == S_IFLNK
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
    owner = status.st_uid
    permissions = status.st_mode & 0o7777
    isLinked = status.st_nlink > 0
  }
}

extension FileStatus {
  /// The current time, in nanoseconds since 1970, as the system sets it in ``modified``.
  package static var now: Int64 {
    var time = timespec()
    // `time` is a local that outlives the call.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return time.nanoseconds
  }
}

extension timespec {
  /// The nanoseconds since 1970; the nearest limit if a file has a date before 1823 or after 2262.
  ///
  /// The lower limit is half of the range, so subtracting a date from the current time never overflows.
  fileprivate var nanoseconds: Int64 {
    let (seconds, isOutside) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    guard !isOutside else { return tv_sec < 0 ? .min / 2 : .max }
    let (sum, isLater) = seconds.addingReportingOverflow(Int64(tv_nsec))
    return isLater ? .max : max(sum, .min / 2)
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that is open, closed with the last reference to it.
///
/// Every failure is a ``LogError`` that names the file and what was tried.
final class OpenFile: Sendable {
  let path: String
  let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Opens a file to read from it.
  convenience init(reading path: String) throws(LogError) {
    // Without waiting for whoever might write to a pipe.
    try self.init(path, O_RDONLY | O_NONBLOCK)
    guard try status().isRegular else { throw LogError(path: path, reason: .notAFile) }
  }

  /// Opens a file to read it and to append to it, and makes it where there is none.
  convenience init(appending path: String) throws(LogError) {
    try self.init(path, O_RDWR | O_CREAT | O_APPEND)
  }

  /// Opens a file to read and write anywhere in it, and makes it anew.
  convenience init(replacing path: String) throws(LogError) {
    try self.init(path, O_RDWR | O_CREAT | O_TRUNC)
  }

  /// Opens the folder that a file is in.
  convenience init(folderOf path: String) throws(LogError) {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
    try self.init(folder, O_RDONLY | O_DIRECTORY)
  }

  /// Makes a file to append to it; where there is one already, it stays as it is, and this fails.
  convenience init(creating path: String) throws(LogError) {
    try self.init(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
  }

  private convenience init(_ path: String, _ flags: Int32) throws(LogError) {
    let descriptor = Self.retrying { unsafe open(path, flags | O_CLOEXEC, 0o644) }
    guard descriptor >= 0 else {
      throw LogError(path: path, reason: .system(operation: "open", code: errno))
    }
    self.init(path: path, descriptor: descriptor)
  }

  /// Calls the system again where a signal came in between.
  static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
    }
  }

  /// The error of the call that has just failed.
  func failure(_ operation: String) -> LogError {
    LogError(path: path, reason: .system(operation: operation, code: errno))
  }

  /// What the system knows of a file.
  struct Status: Equatable {
    var size: Int
    /// Nanoseconds since 1970 of the last change of what is in it.
    var modified: Int64
    /// Nanoseconds since 1970 of the last change of anything about it, which nobody can set.
    var changed: Int64
    var isRegular: Bool
    /// Whether it has a name.
    var isLinked: Bool
  }

  /// Asks for size and time of change.
  func status() throws(LogError) -> Status {
    var status = stat()
    // `status` is a local that outlives the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("examine") }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    return Status(
      size: Int(status.st_size), modified: modified.nanoseconds, changed: changed.nanoseconds,
      isRegular: status.st_mode & S_IFMT == S_IFREG, isLinked: status.st_nlink > 0)
  }
}

extension timespec {
  /// All of it in nanoseconds.
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Tells one build of an executable from the next.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Looks at the file of that name; one that cannot be examined is like any other such file.
  init(_ path: String) {
    var status = stat()
    // `status` is a local that outlives the call, and stays zero where that fails.
    _ = unsafe stat(path, &status)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    seconds = Int(modified.tv_sec)
    nanoseconds = Int(modified.tv_nsec)
  }
}

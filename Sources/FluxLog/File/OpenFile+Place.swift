#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What tells a file from every other one, whatever its name is, for as long as something holds it open.
struct FilePlace: Sendable, Equatable {
  private let device: UInt64
  private let node: UInt64

  fileprivate init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(status.st_ino)
  }

  /// The place of the file of a name; nil where there is none.
  init?(ofFileAt path: String) throws(LogError) {
    var status = stat()
    // `status` is a local that outlives the call.
    guard unsafe stat(path, &status) == 0 else {
      guard errno == ENOENT else {
        throw LogError(path: path, reason: .system(operation: "examine", code: errno))
      }
      return nil
    }
    self.init(status)
  }
}

extension OpenFile {
  /// The place of the file that is open.
  func place() throws(LogError) -> FilePlace {
    var status = stat()
    // `status` is a local that outlives the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("examine") }
    return FilePlace(status)
  }
}

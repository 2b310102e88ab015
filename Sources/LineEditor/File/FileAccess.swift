#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file, closed with its last reference.
final class FileAccess {
  let path: String
  let descriptor: Int32

  init(_ path: String, flags: Int32, mode: mode_t = 0o600) throws(FileError) {
    let descriptor = Self.retrying { unsafe open(path, flags | O_CLOEXEC, mode) }
    guard descriptor >= 0 else { throw .last("open", path) }
    self.path = path
    self.descriptor = descriptor
    var status = stat()
    // `status` is a local that outlives the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw .last("examine", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(path: path, operation: "use", cause: "not a regular file")
    }
  }

  deinit { close(descriptor) }

  /// The bytes of a file, nil where there is none.
  static func readIfPresent(_ path: String) throws(FileError) -> [UInt8]? {
    guard unsafe access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return try FileAccess(path, flags: O_RDONLY | O_NONBLOCK).read()
  }

  /// Everything from the start to the end.
  func read() throws(FileError) -> [UInt8] {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last("read", path) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
      // The system writes no more than the array has.
      let count = Self.retrying {
        unsafe part.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
      }
      guard count >= 0 else { throw .last("read", path) }
      guard count > 0 else { return bytes }
      bytes += part.prefix(count)
    }
  }

  /// Writes all bytes where the descriptor stands.
  func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The system reads no more than the slice has.
      let count = Self.retrying {
        unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0) }
      }
      guard count >= 0 else { throw .last("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Calls the system again where a signal came in between.
  static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
    }
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file that is closed when its last reference is released.
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

  /// Reads a file; returns nil if it does not exist.
  static func readIfPresent(_ path: String) throws(FileError) -> [UInt8]? {
    guard unsafe access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return try FileAccess(path, flags: O_RDONLY | O_NONBLOCK).read()
  }

  /// Reads the whole file.
  func read() throws(FileError) -> [UInt8] {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last("read", path) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
      // The system writes at most the size of the array.
      let count = Self.retrying {
        unsafe part.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
      }
      guard count >= 0 else { throw .last("read", path) }
      guard count > 0 else { return bytes }
      bytes += part.prefix(count)
    }
  }

  /// Writes all bytes at the current offset.
  func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // The system reads at most the size of the slice.
      let count = Self.retrying {
        unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0) }
      }
      guard count >= 0 else { throw .last("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Repeats a system call that a signal interrupted.
  static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
    }
  }
}

/// A failed operation on a file.
package struct FileError: Error, Equatable, CustomStringConvertible {
  /// The file or folder.
  package var path: String
  /// The operation that failed: `open`, `lock`.
  package var operation: String
  /// The system's reason: `Permission denied`.
  package var cause: String

  /// A message for the user.
  package var description: String { "\(path): cannot \(operation): \(cause)" }

  /// The error of the latest system call.
  static func last(_ operation: String, _ path: String) -> FileError {
    // The C library owns the string; it is copied at once.
    let text = unsafe strerror(errno)
    let cause = unsafe text.map { unsafe String(cString: $0) } ?? "error \(errno)"
    return FileError(path: path, operation: operation, cause: cause)
  }
}

// `read`, `write` and `close` under names that methods of the same name do not hide.

func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  // The system writes at most `count` bytes, the size of the buffer.
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
  // The system reads at most `count` bytes, the size of the buffer.
  unsafe write(descriptor, buffer.baseAddress, buffer.count)
}

func systemClose(_ descriptor: Int32) {
  close(descriptor)
}

/// Calls `body` with strings as a null-terminated C array.
func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  // The copies live until the call returns.
  var copies = unsafe strings.map { unsafe strdup($0) }
  unsafe copies.append(nil)
  defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
  return unsafe body(copies)
}

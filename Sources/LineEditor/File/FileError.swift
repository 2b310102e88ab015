#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the system would not do with a file.
package struct FileError: Error, Equatable, CustomStringConvertible {
  /// The file or folder.
  package var path: String
  /// What was tried: `open`, `lock`.
  package var operation: String
  /// The system's reason: `Permission denied`.
  package var cause: String

  /// A message for the user.
  package var description: String { "\(path): cannot \(operation): \(cause)" }

  /// The error of the call that has just failed.
  static func last(_ operation: String, _ path: String) -> FileError {
    // The string belongs to the C library and is copied at once.
    let text = unsafe strerror(errno)
    let cause = unsafe text.map { unsafe String(cString: $0) } ?? "error \(errno)"
    return FileError(path: path, operation: operation, cause: cause)
  }
}

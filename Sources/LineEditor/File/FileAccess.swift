import FluxSystem

/// An open regular file, whose errors name its path.
struct FileAccess {
  let path: String
  let descriptor: Descriptor

  /// Opens a file that exists.
  init(_ path: String, flags: Int32) throws(FileError) {
    try self.init(path) { () throws(SystemError) in try Descriptor(opening: path, flags) }
  }

  /// Opens a file of the user, or creates it for the user alone; a link, and a file of another user, are refused.
  init(own path: String, flags: Int32) throws(FileError) {
    try self.init(path) { () throws(SystemError) in
      try Descriptor(openingOrCreating: path, flags)
    }
    guard try status().owner == geteuid() else {
      throw FileError(path: path, operation: "use", cause: "it belongs to another user")
    }
  }

  private init(
    _ path: String, _ open: () throws(SystemError) -> Descriptor
  ) throws(FileError) {
    self.path = path
    do throws(SystemError) { descriptor = try open() } catch { throw FileError(path, error) }
    guard try status().isRegular else {
      throw FileError(path: path, operation: "use", cause: "not a regular file")
    }
  }

  /// Reads a file; returns nil if it does not exist.
  static func readIfPresent(_ path: String) throws(FileError) -> [UInt8]? {
    guard unsafe access(path, F_OK) == 0 || errno != ENOENT else { return nil }
    return try FileAccess(path, flags: O_RDONLY | O_NONBLOCK).read()
  }

  func status() throws(FileError) -> FileStatus {
    do throws(SystemError) { return try descriptor.status() } catch {
      throw FileError(path, error)
    }
  }

  /// `true` if the path still leads to this file.
  func isStillAtPath() throws(FileError) -> Bool {
    let identity = try status().identity
    do throws(SystemError) {
      return try FileStatus(path: path)?.identity == identity
    } catch {
      throw FileError(path, error)
    }
  }

  /// Reads from the current offset to the end.
  func read() throws(FileError) -> [UInt8] {
    do throws(SystemError) { return try descriptor.read(upTo: .max) } catch {
      throw FileError(path, error)
    }
  }

  /// Writes all bytes at the current offset.
  func write(_ bytes: [UInt8]) throws(FileError) {
    if let failure = descriptor.write(bytes).failure {
      throw FileError(path: path, operation: "write", code: failure.code)
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

  package var description: String { "\(path): cannot \(operation): \(cause)" }
}

extension FileError {
  init(path: String, operation: String, code: Int32) {
    self.init(path: path, operation: operation, cause: systemMessage(code))
  }

  init(_ path: String, _ error: SystemError) {
    self.init(path: path, operation: error.operation, code: error.code)
  }

  /// The error of the latest system call.
  static func last(_ operation: String, _ path: String) -> FileError {
    FileError(path: path, operation: operation, code: errno)
  }
}

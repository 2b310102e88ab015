import FluxSystem
import SystemPackage

/// A new file that takes its place when it is complete, so a failure leaves the old file as it was.
///
/// A pipe, a terminal or any other file that is not a regular one is written directly.
struct OutputFile {
  private enum Target {
    case direct(FileDescriptor)
    case unfinished(UnfinishedFile)
  }

  private let target: Target
  private let replacesExisting: Bool

  /// Creates the file.
  ///
  /// - Throws: `Errno`: `fileExists` if there is one that must not be replaced, and `noSuchAddressOrDevice` if it is
  ///   a pipe that nobody reads from.
  init(_ path: String, replacesExisting: Bool) throws(Errno) {
    let status = try Self.status(of: path)
    guard status == nil || replacesExisting else { throw .fileExists }
    self.replacesExisting = replacesExisting
    if let status, status.st_mode & S_IFMT != S_IFREG {
      target = .direct(try Self.unwrap { try .openAtOnce(path, .writeOnly, .truncate) })
      return
    }
    // A link stays one.
    let destination = try status == nil ? Self.target(of: path) : Self.resolved(path)
    target = .unfinished(
      try Self.unwrap {
        try UnfinishedFile(for: destination, permissions: status.map { $0.st_mode & 0o7777 })
      })
  }

  /// Appends bytes.
  ///
  /// - Throws: `Errno`.
  func write(_ bytes: [UInt8]) throws {
    switch target {
    case .direct(let descriptor): try descriptor.writeAll(bytes)
    case .unfinished(let file):
      if let failure = file.descriptor.write(bytes).failure { throw Errno(rawValue: failure.code) }
    }
  }

  /// Moves the file to its place once it is on the disk, or removes it if that fails.
  ///
  /// - Throws: `Errno`, `fileExists` if there is one by now that must not be replaced.
  func finish() throws(Errno) {
    try Self.unwrap {
      switch target {
      case .direct(let descriptor): try descriptor.close()
      case .unfinished(let file): try file.publish(replacesExisting: replacesExisting)
      }
    }
  }

  func abandon() {
    switch target {
    case .direct(let descriptor): descriptor.closeQuietly()
    case .unfinished(let file): file.discard()
    }
  }
}

// MARK: Places

extension OutputFile {
  /// The status of the file at a path, or at the end of its links; `nil` if there is none.
  private static func status(of path: String) throws(Errno) -> stat? {
    var status = stat()
    // The status is a local that outlives the call.
    guard unsafe stat(path, &status) != 0 else { return status }
    guard errno == ENOENT else { throw Errno(rawValue: errno) }
    return nil
  }

  private static func resolved(_ path: String) throws(Errno) -> String {
    guard let found = unsafe realpath(path, nil) else { throw Errno(rawValue: errno) }
    // The system has allocated it, and ends it with a zero.
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  /// The end of links that lead to no file.
  private static func target(of path: String) throws(Errno) -> String {
    var path = FilePath(path)
    // More than the system itself would follow.
    for _ in 0..<64 {
      guard let target = try destination(ofLink: path.string) else { return path.string }
      path = path.removingLastComponent().pushing(FilePath(target))
    }
    throw .tooManySymbolicLinkLevels
  }

  /// The destination of a link; `nil` if the path is not one.
  private static func destination(ofLink path: String) throws(Errno) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    // The system writes no more than the array has, and no zero.
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count < 0 else {
      return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard errno == EINVAL || errno == ENOENT else { throw Errno(rawValue: errno) }
    return nil
  }

  /// Calls `body`, and throws its errors as those of the system.
  private static func unwrap<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
    do {
      return try body()
    } catch let error as SystemError {
      throw Errno(rawValue: error.code)
    } catch {
      // The library's calls throw nothing else, and do not say so.
      throw error as? Errno ?? .ioError
    }
  }
}

import FluxSystem
import SystemPackage

/// A new file that takes its place when it is complete, so a failure leaves the old file as it was.
///
/// A pipe, a terminal or any other file that is not a regular one is written directly.
struct OutputFile {
  private let descriptor: FileDescriptor
  private let path: String
  private let replacesExisting: Bool
  /// The temporary file; `nil` if the bytes are written directly.
  private let unfinished: String?

  /// Creates the file.
  ///
  /// - Throws: `Errno`: `fileExists` if there is one that must not be replaced, and `noSuchAddressOrDevice` if it is
  ///   a pipe that nobody reads from.
  init(_ path: String, replacesExisting: Bool) throws(Errno) {
    let status = try Self.status(of: path)
    guard status == nil || replacesExisting else { throw .fileExists }
    self.replacesExisting = replacesExisting
    if let status, status.st_mode & S_IFMT != S_IFREG {
      self.path = path
      unfinished = nil
      descriptor = try Self.unwrap { try .openAtOnce(path, .writeOnly, .truncate) }
      return
    }
    // A link stays one.
    self.path = try status == nil ? Self.target(of: path) : Self.resolved(path)
    let (descriptor, unfinished) = try Self.make(beside: self.path)
    if let status { fchmod(descriptor.rawValue, status.st_mode & 0o7777) }
    self.descriptor = descriptor
    self.unfinished = unfinished
  }

  /// Appends bytes.
  ///
  /// - Throws: `Errno`.
  func write(_ bytes: [UInt8]) throws {
    try descriptor.writeAll(bytes)
  }

  /// Moves the file to its place, or removes it if that fails.
  ///
  /// - Throws: `Errno`, `fileExists` if there is one by now that must not be replaced.
  func finish() throws(Errno) {
    do throws(Errno) {
      try Self.unwrap { try descriptor.close() }
      if let unfinished { try put(unfinished) }
    } catch {
      removeUnfinished()
      throw error
    }
  }

  func abandon() {
    descriptor.closeQuietly()
    removeUnfinished()
  }

  private func removeUnfinished() {
    if let unfinished { unsafe unlink(unfinished) }
  }

  private func put(_ unfinished: String) throws(Errno) {
    if !replacesExisting {
      // Unlike a rename, a link never replaces a file that was created meanwhile.
      if unsafe link(unfinished, path) == 0 { return removeUnfinished() }
      let error = Errno(rawValue: errno)
      let hasNoLinks = [.notPermitted, .notSupported, .noFunction].contains(error)
      guard hasNoLinks else { throw error }
      guard try Self.status(of: path) == nil else { throw .fileExists }
    }
    guard unsafe rename(unfinished, path) == 0 else { throw Errno(rawValue: errno) }
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

  /// Creates a file with a name that no other process uses or has left there.
  private static func make(beside path: String) throws(Errno) -> (FileDescriptor, String) {
    while true {
      let unfinished = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 16)).unfinished"
      do throws(Errno) {
        let descriptor = try unwrap {
          try FileDescriptor.open(
            FilePath(unfinished), .writeOnly,
            options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
        }
        return (descriptor, unfinished)
      } catch .fileExists {
        continue
      }
    }
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

  /// The library's calls throw nothing else, and do not say so.
  private static func unwrap<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
    do {
      return try body()
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}

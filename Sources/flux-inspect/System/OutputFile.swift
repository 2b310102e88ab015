import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that is written anew, and takes its place once it is whole: what fails on the way leaves what was
/// there.
///
/// What is no plain file, as a pipe or a terminal, is written as it is.
struct OutputFile {
  private let descriptor: FileDescriptor
  private let path: String
  /// Where the bytes are until then; nil where they go to the place itself.
  private let unfinished: String?

  /// Makes the file.
  ///
  /// - Throws: `Errno`, `fileExists` where there is one that is not to be replaced.
  init(_ path: String, replacesExisting: Bool) throws(Errno) {
    var status = stat()
    // The status is a local that outlives the call.
    let isThere = unsafe stat(path, &status) == 0
    guard !isThere || replacesExisting else { throw .fileExists }
    guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
      self.path = path
      unfinished = nil
      descriptor = try Self.open(path, [.truncate, .closeOnExec])
      return
    }
    // A link stays one.
    self.path = isThere ? try Self.resolved(path) : path
    let unfinished = "\(self.path).\(getpid()).unfinished"
    self.unfinished = unfinished
    descriptor = try Self.open(unfinished, [.create, .exclusiveCreate, .closeOnExec])
    if isThere { fchmod(descriptor.rawValue, status.st_mode & 0o7777) }
  }

  /// Appends bytes.
  ///
  /// - Throws: `Errno`.
  func write(_ bytes: [UInt8]) throws {
    try descriptor.writeAll(bytes)
  }

  /// Puts the file in its place.
  func finish() throws(Errno) {
    try Self.unwrap { try descriptor.close() }
    guard let unfinished else { return }
    guard unsafe rename(unfinished, path) == 0 else {
      let error = Errno(rawValue: errno)
      unsafe unlink(unfinished)
      throw error
    }
  }

  /// Forgets what was written.
  func abandon() throws(Errno) {
    defer { if let unfinished { unsafe unlink(unfinished) } }
    try Self.unwrap { try descriptor.close() }
  }

  private static func open(
    _ path: String, _ options: FileDescriptor.OpenOptions
  ) throws(Errno) -> FileDescriptor {
    try unwrap {
      try FileDescriptor.open(
        FilePath(path), .writeOnly, options: options,
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    }
  }

  private static func resolved(_ path: String) throws(Errno) -> String {
    guard let found = unsafe realpath(path, nil) else { throw Errno(rawValue: errno) }
    // The system has allocated it, and ends it with a zero.
    defer { unsafe free(found) }
    return unsafe String(cString: found)
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

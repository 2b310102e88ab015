#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that is written beside another one, and takes its place once it is complete.
///
/// Life of the file: made, or taken over from a process that was killed, as `<path>.rewriting`, and locked;
/// written; renamed over the path, which has either all of the old bytes or all of the new ones at any moment.
/// Let go before that, it is removed.
final class ReplacementFile {
  /// The file while it is written.
  let file: OpenFile
  private let destination: String
  private let permissions: mode_t
  private var isCommitted = false

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - path: What it takes the place of; where that is a symbolic link, of the file that it leads to.
  ///   - source: What its permissions are taken from where nothing is there yet.
  /// - Throws: ``LogError`` where it cannot be made, or another process is writing it.
  init(of path: String, from source: OpenFile) throws(LogError) {
    destination = Self.resolved(path)
    let there = try Self.permissions(of: destination)
    permissions = if let there { there } else { try source.permissions() }
    file = try Self.locked(destination + ".rewriting")
    try file.truncate(to: 0)
  }

  deinit {
    guard !isCommitted else { return }
    // What is left behind where this fails, the next rewriting takes over.
    unsafe unlink(file.path)
  }

  /// Appends lines, and forgets them.
  func append(_ lines: inout LineBuffer) throws(LogError) {
    let bytes = lines.bytes
    if let failure = withoutFileSizeSignal({ file.append(bytes).failure }) { throw failure }
    lines.removeAll()
  }

  /// Puts the file in its place.
  func commit() throws(LogError) {
    guard OpenFile.retrying({ fchmod(file.descriptor, permissions) }) == 0 else {
      throw file.failure("set the permissions of")
    }
    try file.synchronize()
    guard unsafe rename(file.path, destination) == 0 else { throw file.failure("rename") }
    isCommitted = true
    try file.synchronizeName()
  }

  /// Opens a file and takes its lock.
  ///
  /// Between the two, the process that had it may have put it in its place: then that is another file.
  private static func locked(_ path: String) throws(LogError) -> OpenFile {
    while true {
      let file = try OpenFile(appending: path)
      guard try file.lock() else { throw LogError(path: path, reason: .locked) }
      if try file.isStillThere() { return file }
    }
  }

  /// The file that a path leads to; the path where there is none.
  private static func resolved(_ path: String) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    // The system has allocated it, and ends it with a zero.
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  private static func permissions(of path: String) throws(LogError) -> mode_t? {
    var status = stat()
    // `status` is a local that outlives the call.
    guard unsafe stat(path, &status) == 0 else {
      guard errno == ENOENT else {
        throw LogError(path: path, reason: .system(operation: "examine", code: errno))
      }
      return nil
    }
    return status.st_mode & 0o7777
  }
}

extension OpenFile {
  /// Whether the file's path still leads to this file.
  func isStillThere() throws(LogError) -> Bool {
    try FilePlace(ofFileAt: path) == place()
  }

  fileprivate func permissions() throws(LogError) -> mode_t {
    var status = stat()
    // `status` is a local that outlives the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("examine") }
    return status.st_mode & 0o7777
  }
}

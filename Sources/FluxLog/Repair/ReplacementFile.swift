import FluxSystem

/// A file that is written beside another file and replaces it once it is complete.
///
/// Life cycle: the file `<path>.rewriting` is created, or taken over from a process that was
/// killed, and locked. It is written, and then renamed to the path. At any moment the path has
/// either all the old bytes or all the new ones. If the object is released before that, the file is
/// removed.
final class ReplacementFile {
  /// The file that is being written.
  let file: OpenFile
  private let destination: String
  private let permissions: mode_t
  private var isCommitted = false

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: The path to replace; for a symbolic link, its target is replaced.
  ///   - source: The file to copy permissions from if nothing exists at the path.
  /// - Throws: ``LogError`` if the file cannot be created, or if another process is writing it.
  init(of path: String, from source: OpenFile) throws(LogError) {
    destination = Self.resolved(path)
    let there = try Self.permissions(of: destination)
    permissions = if let there { there } else { try source.permissions() }
    file = try Self.locked(destination + ".rewriting")
    try file.truncate(to: 0)
  }

  deinit {
    guard !isCommitted else { return }
    // If this fails, the next rewrite takes the file over.
    unsafe unlink(file.path)
  }

  /// Appends lines and empties the buffer.
  func append(_ lines: inout LineBuffer) throws(LogError) {
    let bytes = lines.bytes
    if let failure = withoutFileSizeSignal({ file.append(bytes).failure }) { throw failure }
    lines.removeAll()
  }

  /// Replaces the old file.
  func commit() throws(LogError) {
    guard retrying({ fchmod(file.descriptor, permissions) }) == 0 else {
      throw file.failure("set the permissions of")
    }
    try file.synchronize()
    guard unsafe rename(file.path, destination) == 0 else { throw file.failure("rename") }
    isCommitted = true
    try file.synchronizeName()
  }

  /// Opens a file and locks it.
  ///
  /// Between the two calls, the process that held the lock may have renamed the file. Then the path
  /// leads to another file, and this tries again.
  private static func locked(_ path: String) throws(LogError) -> OpenFile {
    while true {
      let file = try OpenFile(appending: path)
      guard try file.lock() else { throw LogError(path: path, reason: .locked) }
      if try file.isAtPath() { return file }
    }
  }

  /// Returns the target of a path after resolving links; the path itself if nothing exists there.
  private static func resolved(_ path: String) -> String {
    guard let found = unsafe realpath(path, nil) else { return path }
    // The system allocated the string and ended it with a zero.
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }

  private static func permissions(of path: String) throws(LogError) -> mode_t? {
    var status = stat()
    // `status` is a local variable that outlives the call.
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
  /// `true` if the path still leads to this file.
  func isAtPath() throws(LogError) -> Bool {
    try FilePlace(ofFileAt: path) == place()
  }

  fileprivate func permissions() throws(LogError) -> mode_t {
    var status = stat()
    // `status` is a local variable that outlives the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("examine") }
    return status.st_mode & 0o7777
  }
}

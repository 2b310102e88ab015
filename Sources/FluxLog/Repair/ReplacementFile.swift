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
    let there = try FileStatus(at: destination)
    permissions = if let there { there.permissions } else { try source.status().permissions }
    file = try Self.locked(destination + ".rewriting")
    try file.truncate(to: 0)
  }

  deinit {
    guard !isCommitted else { return }
    // If this fails, the next rewrite takes the file over.
    unsafe unlink(file.path)
  }

  /// Replaces the old file.
  func commit() throws(LogError) {
    guard retrying({ fchmod(file.descriptor, permissions) }) == 0 else {
      throw file.failure("set the permissions of")
    }
    try file.synchronize()
    _ = try file.renamed(to: destination)
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
}

extension OpenFile {
  /// Appends lines and empties the buffer.
  func write(_ lines: inout LineBuffer) throws(LogError) {
    let bytes = lines.bytes
    if let failure = withoutFileSizeSignal({ append(bytes).failure }) { throw failure }
    lines.removeAll()
  }
}

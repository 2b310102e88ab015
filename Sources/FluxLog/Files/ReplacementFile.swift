import FluxSystem

/// The file of a new log, which takes its place once it is complete.
///
/// At any moment the path has either all the old bytes or all the new ones. If the object is released before
/// ``commit()``, the file is removed. Errors name the destination.
final class ReplacementFile {
  private let unfinished: UnfinishedFile
  private let replacesExisting: Bool
  private let file: OpenFile
  private var isCommitted = false

  /// The path of the file until it is committed.
  var path: String { unfinished.path }
  var destination: String { unfinished.destination }

  /// Creates the file that replaces what is at a path; for a symbolic link that may be followed, its target.
  ///
  /// It gets the permissions of `source` if nothing exists at the path.
  convenience init(of path: String, from source: OpenFile) throws(LogError) {
    let destination = try LogError.naming(path) { () throws(SystemError) in
      try SymbolicLink.target(of: path)
    }
    let model = try FileStatus(at: destination)
    let permissions = if let model { model.permissions } else { try source.status().permissions }
    try self.init(for: destination, permissions: permissions)
  }

  /// Creates a file for a path where no file may exist, with the permissions of another one.
  convenience init(new path: String, from source: OpenFile) throws(LogError) {
    try self.init(new: path, permissions: source.status().permissions)
  }

  /// Creates a file for a path where no file and no link may exist, by default for the user alone.
  convenience init(new path: String, permissions: mode_t = 0o600) throws(LogError) {
    // A destination that appears later is found by `commit()`.
    guard try FileStatus(at: path, followsLinks: false) == nil else {
      throw LogError(path: path, reason: .system(operation: "open", code: EEXIST))
    }
    try self.init(for: path, permissions: permissions, replacesExisting: false)
  }

  /// Creates a file for a destination whose links are not followed.
  init(
    for destination: String, permissions: mode_t, replacesExisting: Bool = true
  ) throws(LogError) {
    self.replacesExisting = replacesExisting
    unfinished = try LogError.naming(destination) { () throws(SystemError) in
      try UnfinishedFile(for: destination, permissions: permissions)
    }
    file = OpenFile(destination, unfinished.descriptor)
  }

  deinit {
    if !isCommitted { unfinished.discard() }
    // Another thread may be starting a process. Until that runs its program, it has the descriptor too, and closing this
    // one alone would leave the file locked.
    file.unlock()
  }

  /// Appends lines and empties the buffer.
  func write(_ lines: inout LineBuffer) throws(LogError) {
    try write(lines.bytes)
    lines.removeAll()
  }

  func write(_ bytes: [UInt8]) throws(LogError) {
    if let failure = file.append(bytes).failure { throw failure }
  }

  /// Waits until everything written is on the disk.
  func synchronize() throws(LogError) { try file.synchronize() }

  /// Moves the file to its place, and waits until it is on the disk if it is to be durable.
  func commit(isDurable: Bool = true) throws(LogError) {
    try LogError.naming(destination) { [unfinished, replacesExisting] () throws(SystemError) in
      try unfinished.publish(replacesExisting: replacesExisting, isDurable: isDurable)
    }
    isCommitted = true
  }
}

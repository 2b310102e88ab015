#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The lines that a user has typed, in a file that several sessions share.
///
/// Each line is appended when it is entered, so that a session that crashes loses none and another
/// that begins has all. The file is the user's alone (mode 0600, in a folder made with 0700), as
/// what is typed into a debugger may be a secret. Every use of it holds a lock (`flock`).
package struct HistoryFile: Sendable {
  /// Where the file is.
  package let path: String
  /// How many entries are loaded; the file is cut to as many once it has four times as many lines.
  package let limit: Int

  /// Makes a history in a file, which need not exist, nor its folder.
  package init(path: String, limit: Int = 10_000) {
    self.path = path
    self.limit = max(1, limit)
  }

  /// The entries, oldest first, each once.
  ///
  /// Cuts the file where it has grown long.
  package func load() throws(FileError) -> [String] {
    guard unsafe access(path, F_OK) == 0 || errno != ENOENT else { return [] }
    let file = try locked()
    let bytes = try file.read()
    let entries = HistoryEntry.last(limit, of: bytes)
    if bytes.count(where: { $0 == UInt8(ascii: "\n") }) > limit * 4 { try replace(with: entries) }
    return entries
  }

  /// Appends an entry, unless it is empty or begins with a space, which keeps it private; returns
  /// whether it is one to remember.
  @discardableResult
  package func append(_ entry: String) throws(FileError) -> Bool {
    guard let first = entry.first, first != " " else { return false }
    let file = try locked()
    let bytes = Array((HistoryEntry.line(for: entry) + "\n").utf8)
    // A line that a full disk has cut off does not swallow this one.
    try file.write(try isTorn(file) ? [UInt8(ascii: "\n")] + bytes : bytes)
    return true
  }

  /// Opens the file, and waits for its lock.
  private func locked() throws(FileError) -> FileAccess {
    try makeFolder()
    while true {
      let file = try FileAccess(path, flags: O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK)
      guard FileAccess.retrying({ flock(file.descriptor, LOCK_EX) }) == 0 else {
        throw .last("lock", path)
      }
      // Another session may have replaced the file while this one waited.
      guard try file.isStill(at: path) else { continue }
      guard fchmod(file.descriptor, 0o600) == 0 else { throw .last("protect", path) }
      return file
    }
  }

  private func isTorn(_ file: FileAccess) throws(FileError) -> Bool {
    let end = lseek(file.descriptor, 0, SEEK_END)
    guard end >= 0 else { throw .last("read", path) }
    guard end > 0 else { return false }
    var last: UInt8 = 0
    // `last` is one byte, and so is what is read.
    guard unsafe pread(file.descriptor, &last, 1, end - 1) == 1 else { throw .last("read", path) }
    return last != UInt8(ascii: "\n")
  }

  /// Puts a file with these entries in place of the one that is locked.
  ///
  /// The old one stays whole until the new one is.
  private func replace(with entries: [String]) throws(FileError) {
    let draft = path + ".new"
    // The lock on the history is held: nobody else writes a draft.
    let file = try FileAccess(draft, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
    try file.write(Array(entries.map { HistoryEntry.line(for: $0) + "\n" }.joined().utf8))
    guard fsync(file.descriptor) == 0 else { throw .last("write", draft) }
    guard unsafe rename(draft, path) == 0 else { throw .last("replace", path) }
  }

  /// Makes the folders that are missing, for the user alone (XDG Base Directory Specification).
  private func makeFolder() throws(FileError) {
    var missing: [String] = []
    var folder = Self.parent(of: path)
    while let name = folder, unsafe access(name, F_OK) != 0 {
      missing.append(name)
      folder = Self.parent(of: name)
    }
    for name in missing.reversed() {
      guard unsafe mkdir(name, 0o700) == 0 || errno == EEXIST else { throw .last("make", name) }
    }
  }

  private static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
    return String(path[..<slash])
  }
}

extension FileAccess {
  /// Whether the path still leads to this file.
  fileprivate func isStill(at path: String) throws(FileError) -> Bool {
    var here = stat()
    var there = stat()
    // Both are locals that outlive the calls.
    guard unsafe fstat(descriptor, &here) == 0 else { throw .last("examine", path) }
    guard unsafe stat(path, &there) == 0 else {
      guard errno == ENOENT else { throw .last("examine", path) }
      return false
    }
    return here.st_ino == there.st_ino && here.st_dev == there.st_dev
  }
}

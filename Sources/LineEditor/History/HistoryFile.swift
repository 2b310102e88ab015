#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The history of typed lines, in a file that several sessions share.
///
/// Each line is appended when it is entered, so a crashed session loses none, and a new session has all. Only
/// the user can read the file (mode 0600, in a folder created with 0700), because lines typed into a debugger
/// may contain secrets. Every access holds a lock (`flock`).
package struct HistoryFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The number of entries to load; a file with four times as many lines is cut to this number.
  package let limit: Int

  /// Creates a history; neither the file nor its folder need exist.
  package init(path: String, limit: Int = 10_000) {
    self.path = path
    self.limit = max(1, limit)
  }

  /// Loads the entries, oldest first and without duplicates; cuts a file that has become long.
  package func load() throws(FileError) -> [String] {
    guard unsafe access(path, F_OK) == 0 || errno != ENOENT else { return [] }
    let file = try locked()
    let bytes = try file.read()
    let entries = HistoryEntry.last(limit, of: bytes)
    if bytes.count(where: { $0 == UInt8(ascii: "\n") }) > limit * 4 { try replace(with: entries) }
    return entries
  }

  /// Appends an entry, unless it is empty or private: a leading space makes it private.
  ///
  /// - Returns: `true` if the entry was appended.
  @discardableResult
  package func append(_ entry: String) throws(FileError) -> Bool {
    guard let first = entry.first, first != " " else { return false }
    let file = try locked()
    let bytes = Array((HistoryEntry.line(for: entry) + "\n").utf8)
    // A line that a full disk has truncated must not absorb this one.
    try file.write(try isTorn(file) ? [UInt8(ascii: "\n")] + bytes : bytes)
    return true
  }

  /// Opens the file and waits for its lock.
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
    // `last` has room for the one byte that is read.
    guard unsafe pread(file.descriptor, &last, 1, end - 1) == 1 else { throw .last("read", path) }
    return last != UInt8(ascii: "\n")
  }

  /// Replaces the locked file with one that contains these entries.
  ///
  /// The old file stays in place until the new one is complete.
  private func replace(with entries: [String]) throws(FileError) {
    let draft = path + ".new"
    // The lock on the history is held, so no other session writes a draft.
    let file = try FileAccess(draft, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
    try file.write(Array(entries.map { HistoryEntry.line(for: $0) + "\n" }.joined().utf8))
    guard fsync(file.descriptor) == 0 else { throw .last("write", draft) }
    guard unsafe rename(draft, path) == 0 else { throw .last("replace", path) }
  }

  /// Creates missing folders that only the user can access (XDG Base Directory Specification).
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
  /// `true` if the path still leads to this file.
  fileprivate func isStill(at path: String) throws(FileError) -> Bool {
    var here = stat()
    var there = stat()
    // Both variables outlive the calls.
    guard unsafe fstat(descriptor, &here) == 0 else { throw .last("examine", path) }
    guard unsafe stat(path, &there) == 0 else {
      guard errno == ENOENT else { throw .last("examine", path) }
      return false
    }
    return here.st_ino == there.st_ino && here.st_dev == there.st_dev
  }
}

/// The encoding of a history entry as one line, with `\\`, `\n`, `\r` and `\0` as escapes.
enum HistoryEntry {
  /// Encodes an entry as a line without a line feed.
  static func line(for entry: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": line.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": line.append(contentsOf: "\\n".unicodeScalars)
      case "\r": line.append(contentsOf: "\\r".unicodeScalars)
      case "\0": line.append(contentsOf: "\\0".unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  /// Decodes the entry of a line.
  ///
  /// A backslash before any other character stands for itself.
  static func entry(of line: String) -> String {
    var entry = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in line.unicodeScalars {
      guard isEscaped else {
        if scalar == "\\" { isEscaped = true } else { entry.append(scalar) }
        continue
      }
      isEscaped = false
      switch scalar {
      case "\\": entry.append("\\")
      case "n": entry.append("\n")
      case "r": entry.append("\r")
      case "0": entry.append("\0")
      default: entry.append(contentsOf: ["\\", scalar])
      }
    }
    if isEscaped { entry.append("\\") }
    return String(entry)
  }

  /// Returns the last entries in the bytes of a file, oldest first; of equal entries, the last one.
  static func last(_ limit: Int, of bytes: [UInt8]) -> [String] {
    var seen: Set<String> = []
    var newestFirst: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
      guard newestFirst.count < limit else { break }
      let entry = entry(of: String(decoding: line, as: UTF8.self))
      if seen.insert(entry).inserted { newestFirst.append(entry) }
    }
    return newestFirst.reversed()
  }
}

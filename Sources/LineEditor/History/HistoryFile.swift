import FluxSystem

/// The history of typed lines, in a file that several sessions share.
///
/// Each line is appended when it is entered, so a crashed session loses none, and a new session has all. Only
/// the user can read the file (mode 0600, in a folder created with 0700), because lines typed into a debugger
/// may contain secrets. A link, or a file of another user, is refused. Every access holds a lock (`flock`).
package struct HistoryFile: Sendable {
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

  /// Appends an entry, and returns `true`, unless it is empty or private: a leading space makes it private.
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
    try makeFolders()
    while true {
      let file = try FileAccess(own: path, flags: O_RDWR | O_APPEND | O_NONBLOCK)
      let number = file.descriptor.number
      guard retrying({ flock(number, LOCK_EX) }) == 0 else { throw .last("lock", path) }
      // Another session may have replaced the file while this one waited.
      guard try file.isStillAtPath() else { continue }
      guard fchmod(number, 0o600) == 0 else { throw .last("protect", path) }
      return file
    }
  }

  private func isTorn(_ file: FileAccess) throws(FileError) -> Bool {
    let end = try file.status().size
    guard end > 0 else { return false }
    var last: UInt8 = 0
    // `last` has room for the one byte that is read.
    let count = unsafe pread(file.descriptor.number, &last, 1, off_t(end - 1))
    guard count == 1 else { throw .last("read", path) }
    return last != UInt8(ascii: "\n")
  }

  /// Replaces the locked file with one that contains these entries.
  ///
  /// The old file stays in place until the new one is complete.
  private func replace(with entries: [String]) throws(FileError) {
    let lines = Array(entries.map { HistoryEntry.line(for: $0) + "\n" }.joined().utf8)
    do throws(SystemError) {
      let draft = try UnfinishedFile(for: path)
      if let failure = draft.descriptor.write(lines).failure {
        draft.discard()
        throw failure
      }
      try draft.publish(replacesExisting: true)
    } catch {
      throw FileError(path, error)
    }
  }

  /// Creates missing folders of the path that only the user can access (XDG Base Directory Specification).
  private func makeFolders() throws(FileError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    do throws(SystemError) {
      try PrivateFolder.create(folder)
    } catch {
      // A file in the place of a folder is found when the history is opened.
      guard error.code != ENOTDIR, error.code != EEXIST else { return }
      throw FileError(folder, error)
    }
  }
}

/// The encoding of a history entry as one line, with `\\`, `\n`, `\r` and `\0` as escapes.
enum HistoryEntry {
  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\\": "\\", "n": "\n", "r": "\r", "0": "\0",
  ]

  /// Encodes an entry as a line without a line feed.
  static func line(for entry: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in entry.unicodeScalars {
      let letter = escapes.first { $0.value == scalar }?.key
      line.append(contentsOf: letter.map { ["\\", $0] } ?? [scalar])
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
      entry.append(contentsOf: escapes[scalar].map { [$0] } ?? ["\\", scalar])
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

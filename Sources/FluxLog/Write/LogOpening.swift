import FluxSystem

/// Reserves the path of a new log, and makes room for it if a log is already there.
///
/// The new log is first written to a separate file, which then takes the place of an empty file
/// that reserves the path. Every name is created only if no file has it, and every log is moved or
/// removed only under its own lock. A process that opens a file before it is moved, and locks it
/// afterwards, notices that the path leads elsewhere and begins again. So any number of recorders
/// can open the same path at once: each gets its own file, and no log is lost.
struct LogOpening {
  /// An empty file that this writer has locked, whose place the new log takes.
  struct NewFile {
    let file: OpenFile
    /// The number of the segment.
    var number = 1
    /// The logs to remove once the new one is in its place.
    fileprivate var replaced: [String] = []

    /// Removes the logs that the new one replaces, with everything next to them.
    ///
    /// A log stays if another recorder is writing it by now, or if it cannot be removed. Neither is
    /// a reason not to record.
    func removeReplaced() {
      for path in replaced {
        do throws(LogError) { try LogOpening.remove(path) } catch {}
      }
    }
  }

  private let names: LogFileNames
  private let existing: LogWriter.Options.Existing

  init(_ names: LogFileNames, existing: LogWriter.Options.Existing) {
    self.names = names
    self.existing = existing
  }

  /// Creates the file in which a new log begins, under a name that nobody can predict.
  func draft() throws(LogError) -> OpenFile {
    try Self.opening(names.path) { path throws(LogError) in
      try LogError.naming(path) { () throws(SystemError) in
        let file = try UnfinishedFile(for: path)
        return OpenFile(file.path, file.descriptor)
      }
    }
  }

  // MARK: One file

  /// Reserves the path of a log that is not split into segments.
  ///
  /// - Throws: ``LogError`` if the file cannot be created, or `existing` forbids it.
  func open() throws(LogError) -> NewFile {
    do throws(LogError) {
      return try openAtPath()
    } catch {
      // The file at the path belongs to another user and stays, or another recorder is moving it.
      guard existing == .number,
        error.isAboutRights || error.isAboutLink || error.reason == .locked
      else { throw error }
      return try create(.numbered)
    }
  }

  private func openAtPath() throws(LogError) -> NewFile {
    let path = names.path
    var replaced: [String] = []
    while true {
      guard let file = try openRegular() else {
        try moveLink(&replaced)
        continue
      }
      guard try file.lock() else {
        guard existing == .number else { throw LogError(path: path, reason: .locked) }
        return try create(.numbered)
      }
      guard try file.isAtPath() else { continue }
      // Somebody else's empty file reserves nothing, and may be impossible to replace.
      if try file.isEmpty(), try file.isOwn() {
        // Earlier versions saved an index beside a large log.
        unsafe unlink(LogFileNames.indexPath(of: path))
        return NewFile(file: file, replaced: replaced)
      }
      guard existing != .refuse else { throw LogError(path: path, reason: .exists) }
      let number = try makeRoom()
      // Replaced logs are kept under a number, too, until the new log is in its place.
      if existing == .replace { replaced.append(names.path(.numbered, number)) }
      file.unlock()
    }
  }

  /// Opens the file at the path, or creates it; `nil` if a link is there.
  private func openRegular() throws(LogError) -> OpenFile? {
    do throws(LogError) {
      let file = try Self.opening(names.path) { path throws(LogError) in
        try OpenFile(appending: path)
      }
      guard try file.status().isRegular else {
        throw LogError(path: names.path, reason: .notAFile)
      }
      return file
    } catch {
      guard error.isAboutLink else { throw error }
      return nil
    }
  }

  /// Moves a link at the path to a numbered name; it is removed later if it is to be replaced.
  ///
  /// A link cannot be locked itself. Every recorder that finds one takes the lock that is named after
  /// the path, so none moves a log that another one has just put in the place of the link.
  private func moveLink(_ replaced: inout [String]) throws(LogError) {
    guard existing != .refuse else { throw LogError(path: names.path, reason: .exists) }
    try Self.checkLink(at: names.path)
    let lock = try SegmentLock(of: names.path)
    defer { lock.release() }
    let status = try FileStatus(at: names.path, followsLinks: false)
    guard status?.isSymbolicLink == true else { return }
    let number = try makeRoom()
    if existing == .replace { replaced.append(names.path(.numbered, number)) }
  }

  /// Refuses a link to a folder, a pipe or a device: whoever names `/dev/stdout` does not want that link moved away.
  static func checkLink(at path: String) throws(LogError) {
    let target: FileStatus?
    do throws(LogError) {
      target = try FileStatus(at: path)
    } catch {
      // A circle of links leads to nothing.
      return
    }
    guard target?.isRegular ?? true else { throw LogError(path: path, reason: .notAFile) }
  }

  /// Moves the log at the path to a numbered name; the caller holds its lock.
  ///
  /// An empty file reserves the name, and the log replaces it: unlike hard links and exclusive
  /// renames, this works on every file system. The ring goes first, because the next recorder at the
  /// path removes a ring that it finds there. If this process is killed in between, the next one
  /// finds the empty file and moves the log to the same number, so both are together again.
  private func makeRoom() throws(LogError) -> Int {
    let (reserved, number) = try reserve()
    let path = reserved.path
    do throws(LogError) {
      for (old, new) in zip(
        LogFileNames.inFlightPaths(of: names.path), LogFileNames.inFlightPaths(of: path))
      // There is none if its name would be too long, and the system would refuse that name.
      where FileStatus.known(at: old, followsLinks: false) != nil {
        try Self.move(old, new)
      }
      guard try Self.move(names.path, path) else {
        // Somebody else moved the log; nothing is in the way now.
        unsafe unlink(path)
        return number
      }
    } catch {
      unsafe unlink(path)
      throw error
    }
    reserved.unlock()
    return number
  }

  /// Creates an empty file of the number above the largest, or takes over one that a killed process left empty.
  private func reserve() throws(LogError) -> (OpenFile, Int) {
    if let last = names.numbers(.numbered).last {
      do throws(LogError) {
        let file = try OpenFile(reading: names.path(.numbered, last), followsLinks: false)
        // Only an empty file is locked: a recorder of the other log must not find it locked.
        if try file.isEmpty(), try file.isOwn(), try Self.take(file) { return (file, last) }
      } catch {
        // A file that cannot be examined is not ours, and the next number is.
      }
    }
    let new = try create(.numbered)
    return (new.file, new.number)
  }

  /// Renames a file; returns `false` if there is none.
  @discardableResult
  private static func move(_ old: String, _ new: String) throws(LogError) -> Bool {
    if unsafe rename(old, new) == 0 { return true }
    guard errno == ENOENT else {
      throw LogError(path: old, reason: .system(operation: "rename", code: errno))
    }
    return false
  }

  // MARK: Segments

  /// Reserves the path of a flight recorder's first segment, after the last existing one.
  ///
  /// - Throws: ``LogError`` if the file cannot be created, or `existing` forbids it.
  func openSegment() throws(LogError) -> NewFile {
    switch existing {
    case .number: return try create(.segments)
    case .replace:
      let replaced = try unlockedSegments()
      var file = try create(.segments)
      file.replaced = replaced
      return file
    case .refuse:
      guard let last = names.numbers(.segments).last else { return try create(.segments) }
      throw LogError(path: names.path(.segments, last), reason: .exists)
    }
  }

  /// Returns the existing segments, unless a recorder is writing them.
  ///
  /// A recorder locks its next segment before it unlocks the last one. So there is no recorder if
  /// all segments are unlocked and no segment appeared in the meantime.
  private func unlockedSegments() throws(LogError) -> [String] {
    var numbers = names.numbers(.segments)
    while true {
      let paths = numbers.map { names.path(.segments, $0) }
      for path in paths { try Self.openUnlocked(path)?.unlock() }
      let now = names.numbers(.segments)
      if now == numbers { return paths }
      numbers = now
    }
  }

  // MARK: Files

  /// Removes a log with its actions in flight and the index of an earlier version, if it is there.
  ///
  /// - Throws: ``LogError/Reason/locked`` if a recorder is writing the log, or the error of the file if it
  ///   cannot be removed.
  static func remove(_ path: String) throws(LogError) {
    guard let log = try openUnlocked(path) else { return try removeLink(path) }
    defer { log.unlock() }
    removeInFlight(of: path)
    unsafe unlink(LogFileNames.indexPath(of: path))
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw LogError(path: path, reason: .system(operation: "delete", code: errno))
    }
  }

  /// Removes the actions in flight next to a log, which belong to an earlier recording.
  static func removeInFlight(of log: String) {
    for path in LogFileNames.inFlightPaths(of: log) { unsafe unlink(path) }
  }

  /// Creates the file with the number above the largest, or the next free one if another recorder is
  /// faster.
  private func create(_ series: LogFileNames.Series) throws(LogError) -> NewFile {
    var number = names.next(series)
    while true {
      let path = names.path(series, number)
      if let file = try Self.create(path) { return NewFile(file: file, number: number) }
      guard existing != .refuse else { throw LogError(path: path, reason: .exists) }
      number += 1
    }
  }

  /// Creates a file and locks it.
  ///
  /// - Returns: The file; `nil` if there is one already, or another recorder took it over.
  static func create(_ path: String) throws(LogError) -> OpenFile? {
    do throws(LogError) {
      let file = try opening(path) { path throws(LogError) in try OpenFile(creating: path) }
      return try take(file) ? file : nil
    } catch {
      guard case .system(_, EEXIST) = error.reason else { throw error }
      return nil
    }
  }

  /// Locks an empty file; returns `false` if another recorder has it, or had it in the meantime.
  private static func take(_ file: OpenFile) throws(LogError) -> Bool {
    guard try file.lock(), try file.isAtPath() else { return false }
    return try file.isEmpty()
  }

  /// Opens and locks an existing log.
  ///
  /// - Returns: The file; `nil` if it is gone, or a link.
  /// - Throws: ``LogError/Reason/locked`` if a recorder is writing the log.
  private static func openUnlocked(_ path: String) throws(LogError) -> OpenFile? {
    do throws(LogError) {
      let file = try OpenFile(reading: path, followsLinks: false)
      guard try file.lock() else { throw LogError(path: path, reason: .locked) }
      return try file.isAtPath() ? file : nil
    } catch {
      guard case .system("open", let code) = error.reason, code == ENOENT || code == ELOOP else {
        throw error
      }
      return nil
    }
  }

  private static func removeLink(_ path: String) throws(LogError) {
    let status = try FileStatus(at: path, followsLinks: false)
    if status?.isSymbolicLink == true { unsafe unlink(path) }
  }

  /// Opens a file that is created if it is missing; only its folder can be missing then.
  private static func opening(
    _ path: String, _ open: (String) throws(LogError) -> OpenFile
  ) throws(LogError) -> OpenFile {
    do throws(LogError) {
      return try open(path)
    } catch {
      guard case .system("open", ENOENT) = error.reason else { throw error }
      throw LogError(path: path, reason: .noFolder)
    }
  }
}

extension OpenFile {
  /// `true` if the path still leads to this file.
  func isAtPath() throws(LogError) -> Bool {
    try FileStatus(at: path)?.identity == identity()
  }

  /// `true` if the file belongs to this user.
  fileprivate func isOwn() throws(LogError) -> Bool { try status().owner == geteuid() }

  fileprivate func isEmpty() throws(LogError) -> Bool { try status().size == 0 }
}

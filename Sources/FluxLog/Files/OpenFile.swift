package import FluxSystem

/// An open file of a log, closed with the last reference to it.
///
/// Every failure is a ``LogError`` that names the file and the operation.
///
/// Logs are read with `pread` and not through a map. If another process truncates a mapped file, the reader
/// dies with SIGBUS, and the pages of a map count as the reader's memory. The copy costs 0.1 s for each GB.
final class OpenFile: Sendable {
  private let place: LogPlace
  private let content: Content

  var path: String { place.path }
  var storedPath: String { place.storedPath }

  /// The place of the bytes.
  private enum Content {
    case descriptor(Descriptor)
    case memory(MemoryFile)
  }

  /// The number of the descriptor, for calls that only one caller makes; -1 in memory.
  var descriptor: Int32 {
    guard case .descriptor(let file) = content else { return -1 }
    return file.number
  }

  /// `true` if the bytes are only in memory, and no other file belongs to them.
  var isInMemory: Bool { descriptor < 0 }

  /// Makes a file to read from memory; errors name `path`.
  init(_ memory: MemoryFile, path: String) {
    place = LogPlace(path)
    content = .memory(memory)
  }

  private init(_ place: LogPlace, _ flags: Int32, mustExist: Bool = true) throws(LogError) {
    self.place = place
    content = try LogError.naming(place.path) { () throws(SystemError) in
      // A child must not hold the locks of files that this process writes.
      let isForked = mustExist && flags & O_CREAT == 0
      return .descriptor(
        mustExist
          ? try Descriptor(opening: place.storedPath, flags, isForked: isForked)
          : try Descriptor(openingOrCreating: place.storedPath, flags, isForked: isForked))
    }
  }

  /// Makes a file of an open descriptor; errors name `path`.
  init(_ path: String, _ file: Descriptor) {
    place = LogPlace(path)
    content = .descriptor(file)
  }

  /// Opens a file to read from it.
  ///
  /// If `followsLinks` is `false`, a symbolic link at the path fails with ELOOP.
  convenience init(reading path: String, followsLinks: Bool = true) throws(LogError) {
    try self.init(reading: LogPlace(path), followsLinks: followsLinks)
  }

  /// Opens the file with the bytes of a log to read from it.
  convenience init(reading place: LogPlace, followsLinks: Bool = true) throws(LogError) {
    // Opening a pipe must not wait for its writer.
    try self.init(place, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
    guard try status().isRegular else { throw LogError(path: path, reason: .notAFile) }
  }

  /// Opens a file to read it and to append to it, and creates it if there is none; follows no link.
  convenience init(appending path: String) throws(LogError) {
    try self.init(LogPlace(path), O_RDWR | O_APPEND | O_NONBLOCK, mustExist: false)
  }

  /// Creates a file to read and write anywhere in it; fails if the name is taken.
  convenience init(creatingRing path: String) throws(LogError) {
    try self.init(LogPlace(path), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
  }

  /// Creates a file to append to it; fails if the name is taken.
  convenience init(creating path: String) throws(LogError) {
    try self.init(LogPlace(path), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND)
  }

  /// Opens a file that is only locked, and creates it if there is none; follows no link.
  convenience init(lock path: String) throws(LogError) {
    try self.init(LogPlace(path), O_RDWR | O_NONBLOCK, mustExist: false)
  }

  convenience init(folderOf path: String) throws(LogError) {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
    try self.init(LogPlace(folder), O_RDONLY | O_DIRECTORY)
  }

  /// Calls `operation` with the descriptor, which a file in memory does not have; its errors name the
  /// file.
  func attempt<Result>(
    _ operation: (Descriptor) throws(SystemError) -> Result
  ) throws(LogError) -> Result {
    guard case .descriptor(let file) = content else {
      throw LogError(SystemError("use", code: EBADF), path: path)
    }
    return try LogError.naming(path) { () throws(SystemError) in try operation(file) }
  }

  func status() throws(LogError) -> FileStatus {
    if case .memory(let memory) = content { return FileStatus(inMemory: memory.byteCount) }
    return try attempt { (file) throws(SystemError) in try file.status() }
  }

  var volume: Volume {
    guard case .descriptor(let file) = content else { return .local }
    return Volume(of: file)
  }

  /// Returns the file's identity.
  func identity() throws(LogError) -> FileIdentity { try status().identity }
}

// MARK: Reading

extension OpenFile {
  /// Fills the buffer from `offset` on; returns the number of bytes, fewer only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(LogError) -> Int {
    if case .memory(let memory) = content { return unsafe memory.read(into: buffer, at: offset) }
    // The descriptor writes only within the caller's buffer.
    return try attempt { (file) throws(SystemError) in
      try unsafe file.read(into: buffer, at: offset)
    }
  }

  /// Reads up to `count` bytes, fewer only at the end of the file.
  func bytes(at offset: Int, count: Int) throws(LogError) -> [UInt8] {
    // The Thread Sanitizer reports that all empty arrays made in this way write to one place.
    guard count > 0 else { return [] }
    var failed: LogError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(LogError) {
        filled = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failed = error
      }
    }
    if let failed { throw failed }
    return bytes
  }

  /// Reads `count` bytes, and fails if the file became shorter; `line` is the number of their first line, if known.
  func wholeBytes(at offset: Int, count: Int, line: Int? = nil) throws(LogError) -> [UInt8] {
    let bytes = try bytes(at: offset, count: count)
    guard bytes.count == count else { throw LogError(path: path, reason: .shrunk(line: line)) }
    return bytes
  }

  /// Returns the offset of the first newline in a range of the file; reads `count` bytes at a time.
  func newline(in range: Range<Int>, by count: Int) throws(LogError) -> Int? {
    var start = range.lowerBound
    while start < range.upperBound {
      let bytes = try bytes(at: start, count: min(count, range.upperBound - start))
      guard !bytes.isEmpty else { throw LogError(path: path, reason: .shrunk(line: nil)) }
      if let newline = bytes.firstNewline(from: 0) { return start + newline }
      start += bytes.count
    }
    return nil
  }
}

extension [UInt8] {
  /// Returns the offset of the first newline from a offset on.
  ///
  /// Uses the C library: a line can be a whole state, and searching the end of one of 142 KB byte by byte
  /// took a tenth of a jump to it.
  func firstNewline(from offset: Int) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard offset >= 0, offset < bytes.count, let start = bytes.baseAddress,
        // Reads up to the count.
        let found = unsafe memchr(start + offset, 0x0A, bytes.count - offset)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - start
    }
  }
}

// MARK: Writing

extension OpenFile {
  /// Takes the file's lock; `false` if another writer has it, in this process or another.
  func lock() throws(LogError) -> Bool {
    try attempt { (file) throws(SystemError) in try file.lock() }
  }

  /// Returns `true` if a writer has the file's lock, in this process or another.
  func isLocked() throws(LogError) -> Bool {
    try attempt { (file) throws(SystemError) in try file.isLocked() }
  }

  /// Releases the file's lock.
  func unlock() {
    if case .descriptor(let file) = content { file.unlock() }
  }

  /// Appends all bytes, or as many as it can before an error.
  func append(_ bytes: [UInt8]) -> (written: Int, failure: LogError?) {
    switch content {
    case .memory(let memory):
      memory.append(bytes)
      return (bytes.count, nil)
    case .descriptor(let file):
      let (written, failure) = file.write(bytes)
      return (written, failure.map { LogError($0, path: path) })
    }
  }

  func truncate(to size: Int64) throws(LogError) {
    try attempt { (file) throws(SystemError) in try file.truncate(to: size) }
  }

  /// Renames the file, in place of any file at `path`; returns it under its new path.
  func renamed(to path: String) throws(LogError) -> OpenFile {
    try attempt { (file) throws(SystemError) in
      guard unsafe rename(self.path, path) == 0 else { throw SystemError(lastOf: "rename") }
      return OpenFile(path, file)
    }
  }

  /// Waits until everything written is on the disk.
  func synchronize() throws(LogError) {
    try attempt { (file) throws(SystemError) in try file.synchronize() }
  }

  /// Waits until the file's name is on the disk: a crash of the machine may lose a new name.
  func synchronizeName() throws(LogError) { try OpenFile(folderOf: path).synchronizeFolder() }

  /// Waits until the names in this folder are on the disk.
  func synchronizeFolder() throws(LogError) {
    try attempt { (folder) throws(SystemError) in try folder.synchronizeFolder() }
  }
}

extension FileStatus {
  /// Examines the file at `path`; `nil` if there is none.
  init?(at path: String, followsLinks: Bool = true) throws(LogError) {
    let status = try LogError.naming(path) { () throws(SystemError) in
      try FileStatus(path: path, followsLinks: followsLinks)
    }
    guard let status else { return nil }
    self = status
  }
}

extension LogError {
  /// The code of the system's error; `nil` for every other error.
  var code: Int32? { if case .system(_, let code) = reason { code } else { nil } }

  /// `true` if a symbolic link is at a path that must not have one.
  var isAboutLink: Bool { code == ELOOP }

  /// `true` if the user may not do that with a file, for example because it belongs to somebody else.
  var isAboutRights: Bool { code == EPERM || code == EACCES }

  /// `true` if the process or the system has too many open files at the moment.
  package var isOutOfFiles: Bool { code == EMFILE || code == ENFILE }

  /// Calls `body`, and turns its error into one that names a file.
  package static func naming<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(LogError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw LogError(error, path: path)
    }
  }

  package init(_ error: SystemError, path: String) {
    self.init(path: path, reason: .system(operation: error.operation, code: error.code))
  }
}

/// The path of a log as the user named it, and the file with its bytes.
///
/// A compressed log is read from a decompressed copy. Messages and results name the log as the user did.
package struct LogPlace: Sendable {
  /// The path of a log that was read from standard input, which no later command can open.
  package static let standardInput = "standard input"

  /// The path that the user named.
  package let path: String
  package let storedPath: String
  /// The owner of the stored file, which exists as long as its owner.
  private let owner: (any AnyObject & Sendable)?

  /// Makes the place of a log that is stored where the user says.
  package init(_ path: String) {
    (self.path, storedPath, owner) = (path, path, nil)
  }

  /// Makes the place of a log that is stored in another file, which `owner` keeps.
  package init(_ path: String, storedAt storedPath: String, keptBy owner: any AnyObject & Sendable)
  {
    (self.path, self.storedPath, self.owner) = (path, storedPath, owner)
  }
}

/// The bytes of a log that is only in memory.
///
/// One thread appends, and any thread reads.
final class MemoryFile: Sendable {
  private let content = Monitor<[UInt8]>([])

  var byteCount: Int { content.withLock { $0.count } }

  func append(_ bytes: [UInt8]) { content.withLock { $0 += bytes } }

  /// Fills the buffer from `offset` on; returns the number of bytes, fewer only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    content.withLock { content in
      guard offset < content.count else { return 0 }
      let end = min(content.count, offset + buffer.count)
      unsafe buffer.copyBytes(from: content[offset..<end])
      return end - offset
    }
  }
}

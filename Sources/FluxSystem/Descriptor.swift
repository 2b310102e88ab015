import CPlatform

/// An open file or stream, closed with the last reference to it.
package final class Descriptor: Sendable {
  package let number: Int32
  private let isForked: Bool

  package init(_ number: Int32) {
    self.number = number
    isForked = true
  }

  /// Opens a file, which never becomes a standard stream; processes that this one starts do not inherit it.
  ///
  /// A file that this creates belongs to the user alone, unless `permissions` says otherwise.
  /// If `isForked` is `false`, a child that is forked without another program does not have it either:
  /// there it leads to `/dev/null`.
  package init(
    opening path: String, _ flags: Int32, permissions: mode_t = 0o600, isForked: Bool = true
  ) throws(SystemError) {
    self.isForked = isForked
    number = flux_above_standard(retrying { unsafe open(path, flags | O_CLOEXEC, permissions) })
    guard number >= 0 else { throw SystemError(lastOf: "open") }
    if !isForked { flux_fork_add(number) }
  }

  /// Opens a file, or creates it for the user alone.
  ///
  /// A symbolic link at the path fails with ELOOP: nothing is created at the end of a link, and no file that appears meanwhile
  /// is taken for a new one.
  package init(
    openingOrCreating path: String, _ flags: Int32, isForked: Bool = true
  ) throws(SystemError) {
    self.isForked = isForked
    number = flux_above_standard(try Self.openOrCreate(path, flags | O_NOFOLLOW | O_CLOEXEC))
    guard number >= 0 else { throw SystemError(lastOf: "open") }
    if !isForked { flux_fork_add(number) }
  }

  private static func openOrCreate(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
    while true {
      let created = retrying { unsafe open(path, flags | O_CREAT | O_EXCL, 0o600) }
      if created >= 0 { return created }
      guard errno == EEXIST else { throw SystemError(lastOf: "open") }
      let opened = retrying { unsafe open(path, flags) }
      if opened >= 0 { return opened }
      // The file was removed in between.
      guard errno == ENOENT else { throw SystemError(lastOf: "open") }
    }
  }

  deinit {
    guard number >= 0 else { return }
    if !isForked { flux_fork_remove(number) }
    close(number)
  }

  /// Duplicates a descriptor of another owner, above the first three; child processes do not inherit it.
  package init(duplicating other: Int32) throws(SystemError) {
    isForked = true
    number = fcntl(other, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { throw SystemError(lastOf: "duplicate") }
  }
}

// MARK: Files

extension Descriptor {
  package func status() throws(SystemError) -> FileStatus { try FileStatus(descriptor: number) }

  /// Fills the buffer from `offset` on; returns the number of bytes, fewer only at the end of the file.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      // `rest` is valid for its count, and the system writes no more than that.
      let count = retrying {
        unsafe pread(number, rest.baseAddress, rest.count, off_t(offset + filled))
      }
      guard count >= 0 else { throw SystemError(lastOf: "read") }
      guard count > 0 else { break }
      filled += count
    }
    return filled
  }

  /// Writes all bytes, or as many as it can before an error.
  ///
  /// Waits for a full stream, also if another process that shares it has set it not to block. A limit on the size of files is an
  /// error, and raises no signal.
  package func write(_ bytes: [UInt8]) -> (written: Int, failure: SystemError?) {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let room: Int
        do throws(SystemError) {
          room = try self.room(for: buffer.count - written)
        } catch {
          return (written, error)
        }
        let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[written..<written + room])
        // `part` is valid for its count, and the system reads no more than that.
        let count = retrying { unsafe systemWrite(number, part.baseAddress, part.count) }
        if count > 0 {
          written += count
          continue
        }
        let failure = SystemError(lastOf: "write")
        guard failure.code == EAGAIN else { return (written, failure) }
        Descriptor.wait(reading: [], writing: self, milliseconds: -1)
      }
      return (written, nil)
    }
  }

  /// Returns how many of `count` bytes the limit on the size of files (RLIMIT_FSIZE) allows to write.
  ///
  /// The system does not only refuse more. It also sends SIGXFSZ, which ends the app: XNU sends it to the process, so no
  /// thread could block it.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - offset: The place to write them; nil for the place of the next write.
  /// - Returns: The number, at least 1 if `count` is.
  /// - Throws: ``SystemError`` with EFBIG if there is no room for a byte.
  func room(for count: Int, at offset: Int? = nil) throws(SystemError) -> Int {
    let limit = flux_file_size_limit()
    guard limit < .max else { return count }
    let status = try status()
    guard status.isRegular else { return count }
    let start: Int64 =
      if let offset {
        Int64(offset)
      } else if fcntl(number, F_GETFL) & O_APPEND != 0 {
        status.byteCount
      } else {
        Int64(lseek(number, 0, SEEK_CUR))
      }
    guard start < limit else { throw SystemError("write", code: EFBIG) }
    return Int(min(Int64(count), limit - start))
  }

  /// Reads to the end of a file or a stream, or until there are `limit` bytes.
  package func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = unsafe part.withUnsafeMutableBytes { buffer in
        // The system writes no more than the array has.
        retrying { unsafe systemRead(number, buffer.baseAddress, buffer.count) }
      }
      guard count >= 0 else { throw SystemError(lastOf: "read") }
      guard count > 0 else { break }
      bytes += part.prefix(min(count, limit - bytes.count))
    }
    return bytes
  }

  /// Takes the file's lock; `false` if another writer has it, in this process or another.
  ///
  /// The system drops the lock with the descriptor, so a crash leaves none behind.
  package func lock() throws(SystemError) -> Bool {
    for _ in 0..<Self.lockAttempts {
      if retrying({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
      guard errno == EWOULDBLOCK else { throw SystemError(lastOf: "lock") }
      // It may be one who asks with `isLocked()`, which takes an instant.
      usleep(1000)
    }
    return false
  }

  private static let lockAttempts = 5

  /// Returns `true` if a writer has the file's lock, in this process or another.
  ///
  /// The writer must not ask with the descriptor that has the lock, which would lose it.
  package func isLocked() throws(SystemError) -> Bool {
    // A shared lock, so that two who ask at the same time do not take each other for the writer.
    if retrying({ flock(number, LOCK_SH | LOCK_NB) }) == 0 {
      unlock()
      return false
    }
    guard errno == EWOULDBLOCK else { throw SystemError(lastOf: "lock") }
    return true
  }

  package func unlock() {
    // Cannot fail for an open descriptor; closing it has the same effect.
    _ = flock(number, LOCK_UN)
  }

  package func truncate(to size: Int64) throws(SystemError) {
    guard retrying({ ftruncate(number, off_t(size)) }) == 0 else {
      throw SystemError(lastOf: "shorten")
    }
  }

  /// Waits until everything written is on the disk.
  package func synchronize() throws(SystemError) {
    guard retrying({ flux_synchronize(number) }) == 0 else {
      throw SystemError(lastOf: "write to the disk")
    }
  }

  /// Waits until the folder's names are on the disk; a crash of the machine may lose a name made before that.
  package func synchronizeFolder() throws(SystemError) {
    let result = retrying { fsync(number) }
    // Some file systems have nothing to do there and answer with this error.
    guard result == 0 || errno == EINVAL else { throw SystemError(lastOf: "write to the disk") }
  }
}

// MARK: Streams

extension Descriptor {
  /// The result of a read from a stream.
  package enum Received {
    case bytes([UInt8])
    /// Nothing is there yet, and the stream does not block.
    case nothing
    /// The other side has closed the stream, or reading it failed.
    case end(SystemError?)
  }

  /// Reads the bytes that are there, at most 64 KB.
  package func receive() -> Received {
    let capacity = 65_536
    var end: Received?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      // The buffer has room for `capacity` bytes, and is initialized up to what the system wrote.
      let result = retrying { unsafe systemRead(number, buffer.baseAddress, capacity) }
      count = max(0, result)
      if result == 0 { end = .end(nil) }
      if result < 0, errno != EAGAIN { end = .end(SystemError(lastOf: "read")) }
    }
    return end ?? (bytes.isEmpty ? .nothing : .bytes(bytes))
  }

  /// Writes as much as the stream takes; nil if nobody reads it any more.
  ///
  /// A stream without a reader does not raise SIGPIPE, on Apple's systems after ``disableBrokenPipeSignal()``.
  package func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    withBlockedSignal(SIGPIPE) {
      unsafe bytes.withUnsafeBytes { buffer in
        // `buffer` is valid for its count, and the system reads no more than that.
        let result = retrying { unsafe systemWrite(number, buffer.baseAddress, buffer.count) }
        if result >= 0 { return result }
        return errno == EAGAIN ? 0 : nil
      }
    }
  }

  /// Writes all bytes, and waits whenever the stream takes none; `false` if nobody reads it any more.
  package func sendAll(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let count = send(rest) else { return false }
      // A stream that does not block may take nothing now.
      if count == 0 { Descriptor.wait(reading: [], writing: self, milliseconds: 50) }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Waits for bytes of a connection; nil once it is closed or fails, or if none come and `isOver` returns `true`.
  package func receive(until isOver: () -> Bool) -> [UInt8]? {
    do throws(SystemError) { return try read(until: isOver) } catch { return nil }
  }

  /// Waits for bytes; nil once the other side has closed the stream, or if none come and `isOver` returns `true`.
  ///
  /// - Throws: ``SystemError`` if the stream cannot be read.
  package func read(until isOver: () -> Bool) throws(SystemError) -> [UInt8]? {
    while true {
      guard Descriptor.wait(reading: [self], writing: nil, milliseconds: 50) else {
        if isOver() { return nil }
        continue
      }
      switch receive() {
      case .bytes(let bytes): return bytes
      case .nothing: continue
      case .end(let failure?): throw failure
      case .end(nil): return nil
      }
    }
  }

  /// Makes reads and writes return at once if they would have to wait.
  package func setNonBlocking() {
    // Cannot fail for an open descriptor.
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  /// Waits until one of the streams can be read or written.
  ///
  /// - Returns: `false` if the time was up before, or if a signal came.
  @discardableResult
  package static func wait(
    reading: [Descriptor], writing: Descriptor?, milliseconds: Int32
  ) -> Bool {
    var descriptors = reading.map {
      pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
    }
    if let writing {
      descriptors.append(pollfd(fd: writing.number, events: Int16(POLLOUT), revents: 0))
    }
    return unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0
  }

  /// `true` if there is something to read, or the other side has closed the stream.
  package var isReadable: Bool {
    Descriptor.wait(reading: [self], writing: nil, milliseconds: 0)
  }

  /// `true` if the other side has closed the stream, whether or not there is something to read.
  package var hasHungUp: Bool {
    // XNU reports a hang-up only together with requested events.
    var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    // The array of one is a local that outlives the call.
    guard unsafe poll(&descriptor, 1, 0) > 0 else { return false }
    return descriptor.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
  }

  /// Waits until the other side has closed the stream, without reading from it; returns at once if the system cannot tell.
  package func waitForHangUp() {
    while true {
      // XNU reports a hang-up only together with requested events.
      var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&descriptor, 1, -1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, descriptor.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else { return }
      // Bytes wait for their reader, and would end each wait at once.
      Descriptor.wait(reading: [], writing: nil, milliseconds: 100)
    }
  }
}

// The methods above hide the C library's functions of these names.

private func systemRead(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  // The caller's buffer has room for `count` bytes.
  unsafe read(number, bytes, count)
}

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  // The caller's buffer has `count` bytes.
  unsafe write(number, bytes, count)
}

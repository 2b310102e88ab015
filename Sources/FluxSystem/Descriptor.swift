import CPlatform

/// An open file or stream, closed with the last reference to it.
package final class Descriptor: Sendable {
  package let number: Int32
  private let isForked: Bool

  package init(_ number: Int32) {
    self.number = number
    isForked = true
  }

  /// Opens a file; processes that this one starts do not inherit it.
  ///
  /// A file that this creates belongs to the user alone, unless `permissions` says otherwise.
  /// If `isForked` is `false`, a child that is forked without another program does not have it either:
  /// there it leads to `/dev/null`.
  package init(
    opening path: String, _ flags: Int32, permissions: mode_t = 0o600, isForked: Bool = true
  ) throws(SystemError) {
    self.isForked = isForked
    number = retrying { unsafe open(path, flags | O_CLOEXEC, permissions) }
    guard number >= 0 else { throw SystemError(lastOf: "open") }
    if !isForked { flux_fork_add(number) }
  }

  /// Opens a file, or creates it for the user alone.
  ///
  /// A symbolic link at the path fails with ELOOP: nothing is created at the end of a link, and no file that appears meanwhile is taken for a new one.
  package init(
    openingOrCreating path: String, _ flags: Int32, isForked: Bool = true
  ) throws(SystemError) {
    self.isForked = isForked
    number = try Self.openOrCreate(path, flags | O_NOFOLLOW | O_CLOEXEC)
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
  package func write(_ bytes: [UInt8]) -> (written: Int, failure: SystemError?) {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        // `rest` is valid for its count, and the system reads no more than that.
        let count = retrying { unsafe systemWrite(number, rest.baseAddress, rest.count) }
        guard count > 0 else { return (written, SystemError(lastOf: "write to")) }
        written += count
      }
      return (written, nil)
    }
  }

  /// Takes the file's lock; `false` if another writer has it, in this process or another.
  ///
  /// The system drops the lock with the descriptor, so a crash leaves none behind.
  package func lock() throws(SystemError) -> Bool {
    let result = retrying { flock(number, LOCK_EX | LOCK_NB) }
    if result == 0 { return true }
    guard errno == EWOULDBLOCK else { throw SystemError(lastOf: "lock") }
    return false
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
    #if canImport(Darwin)
      // There fsync leaves the bytes in the disk's own memory.
      let result = retrying { fcntl(number, F_FULLFSYNC) }
    #else
      let result = retrying { fdatasync(number) }
    #endif
    guard result == 0 else { throw SystemError(lastOf: "write to the disk") }
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
    case end
  }

  /// Reads the bytes that are there, at most 64 KB.
  package func receive() -> Received {
    let capacity = 65_536
    var isEnd = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      // The buffer has room for `capacity` bytes, and is initialized up to what the system wrote.
      let result = retrying { unsafe systemRead(number, buffer.baseAddress, capacity) }
      count = max(0, result)
      isEnd = result == 0 || result < 0 && errno != EAGAIN
    }
    if isEnd { return .end }
    return bytes.isEmpty ? .nothing : .bytes(bytes)
  }

  /// Writes as much as the stream takes; nil if nobody reads it any more.
  ///
  /// A stream without a reader does not raise SIGPIPE.
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

  /// Waits until the other side has closed the stream; returns at once if the system cannot tell.
  package func waitForHangUp() {
    while true {
      // Without requested events, poll reports only a hang-up.
      var descriptor = pollfd(fd: number, events: 0, revents: 0)
      let count = unsafe poll(&descriptor, 1, -1)
      if count > 0 || count < 0 && errno != EINTR { return }
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

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension OpenFile {
  /// Takes the lock of the file; false where another writer has it, in this process or another.
  ///
  /// The system drops the lock with the descriptor, so a crash leaves none behind.
  func lock() throws(LogError) -> Bool {
    let result = Self.retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
    if result == 0 { return true }
    guard errno == EWOULDBLOCK else { throw failure("lock") }
    return false
  }

  /// Gives the lock back.
  func unlock() {
    // Cannot fail for a descriptor that is open; and closing it does the same.
    _ = flock(descriptor, LOCK_UN)
  }

  /// Appends bytes, all of them or as many as could be written before the error.
  func append(_ bytes: [UInt8]) -> (written: Int, failure: LogError?) {
    unsafe bytes.span.bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        // `rest` is valid for its count, and the system reads no more than that.
        let count = Self.retrying { unsafe write(descriptor, rest.baseAddress, rest.count) }
        guard count > 0 else { return (written, failure("write to")) }
        written += count
      }
      return (written, nil)
    }
  }

  /// Cuts the file off.
  func truncate(to size: Int) throws(LogError) {
    guard Self.retrying({ ftruncate(descriptor, off_t(size)) }) == 0 else {
      throw failure("shorten")
    }
  }

  /// Waits until everything written is on the disk.
  func synchronize() throws(LogError) {
    #if canImport(Darwin)
      // There fsync leaves the bytes in the disk's own memory.
      let result = Self.retrying { fcntl(descriptor, F_FULLFSYNC) }
    #else
      let result = Self.retrying { fdatasync(descriptor) }
    #endif
    guard result == 0 else { throw failure("write to the disk") }
  }

  /// Waits until the file's name is on the disk: one that was made or renamed may be missing after a crash of
  /// the machine, whatever was written to it.
  func synchronizeName() throws(LogError) {
    let folder = try OpenFile(folderOf: path)
    let result = Self.retrying { fsync(folder.descriptor) }
    // Some file systems have nothing to do there, and say that they cannot.
    guard result == 0 || errno == EINVAL else { throw folder.failure("write to the disk") }
  }
}

/// Calls `body` with SIGXFSZ held back on this thread.
///
/// A write beyond the limit on the size of files then fails with EFBIG; the signal would end the app.
func withoutFileSizeSignal<Result>(_ body: () -> Result) -> Result {
  holdingBack(SIGXFSZ, body)
}

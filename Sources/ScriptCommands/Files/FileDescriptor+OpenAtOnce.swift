import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension FileDescriptor {
  /// Opens a file, without waiting for whoever is to come to the other end of a pipe: Ctrl-C would not end that.
  ///
  /// Once it is open, reading and writing wait as ever.
  ///
  /// - Throws: `Errno`; `noSuchAddressOrDevice` where nobody reads from a pipe that is to be written to.
  static func openAtOnce(
    _ path: String, _ mode: AccessMode, _ options: OpenOptions = []
  ) throws -> FileDescriptor {
    let descriptor = try open(
      FilePath(path), mode, options: options.union([.nonBlocking, .closeOnExec]))
    let flags = fcntl(descriptor.rawValue, F_GETFL)
    guard flags >= 0, fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK) >= 0 else {
      let error = Errno(rawValue: errno)
      descriptor.closeQuietly()
      throw error
    }
    return descriptor
  }
}

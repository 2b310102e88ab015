// Shared by local sockets and ports. Child processes inherit neither.

extension Descriptor {
  /// Opens a stream socket.
  ///
  /// - Parameter domain: The address family, such as `AF_UNIX`.
  /// - Returns: The socket.
  /// - Throws: ``SystemError`` if the process has no descriptor left, or the system lacks the family.
  static func streamSocket(_ domain: Int32) throws(SystemError) -> Descriptor {
    let socket = Descriptor(systemSocket(domain, streamType, 0))
    guard socket.number >= 0 else { throw SystemError(lastOf: "open a socket on") }
    _ = fcntl(socket.number, F_SETFD, FD_CLOEXEC)
    return socket
  }

  /// Accepts a client of a listening socket, whose reads and writes never wait; nil if none waits.
  ///
  /// - Throws: ``SystemError`` if the process has no descriptor left for it.
  func acceptClient() throws(SystemError) -> Descriptor? {
    let number = retrying { systemAccept(self.number) }
    guard number >= 0 else {
      guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) else { return nil }
      throw SystemError(lastOf: "accept a client of")
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    let client = Descriptor(number)
    client.setNonBlocking()
    return client
  }
}

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif

// The methods of a descriptor would hide the C library's functions of these names.

private func systemSocket(_ domain: Int32, _ type: Int32, _ proto: Int32) -> Int32 {
  socket(domain, type, proto)
}

private func systemAccept(_ number: Int32) -> Int32 {
  // The address of the client is not asked for.
  accept(number, nil, nil)
}

import CPlatform

// Sockets and pipes. Child processes do not inherit them, and a reader that leaves sends no signal to this process.

extension Descriptor {
  /// Makes ``send(_:)`` safe on Apple's systems, where SIGPIPE reaches the process whichever thread blocks it.
  ///
  /// Sockets and pipes of this library are safe already; this is for a stream that somebody else has opened. Processes that
  /// have inherited the stream get no signal either.
  package func disableBrokenPipeSignal() { flux_disable_broken_pipe_signal(number) }

  /// Creates a pipe.
  ///
  /// - Parameter isWrittenHere: `false` if another program gets the writing end, which then may get the signal.
  /// - Returns: Its ends.
  /// - Throws: ``SystemError`` if the process has no descriptor left.
  package static func pipe(
    isWrittenHere: Bool
  ) throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    // The call fills the two elements of the array.
    guard unsafe flux_pipe(&ends) else { throw SystemError(lastOf: "open a pipe for") }
    let pipe = (reading: Descriptor(ends[0]), writing: Descriptor(ends[1]))
    if isWrittenHere { pipe.writing.disableBrokenPipeSignal() }
    return pipe
  }

  /// Opens a stream socket.
  ///
  /// - Parameter domain: The address family, such as `AF_UNIX`.
  /// - Returns: The socket.
  /// - Throws: ``SystemError`` if the process has no descriptor left, or the system lacks the family.
  static func streamSocket(_ domain: Int32) throws(SystemError) -> Descriptor {
    let socket = Descriptor(flux_above_standard(systemSocket(domain, streamType, 0)))
    guard socket.number >= 0 else { throw SystemError(lastOf: "open a socket on") }
    _ = fcntl(socket.number, F_SETFD, FD_CLOEXEC)
    socket.disableBrokenPipeSignal()
    return socket
  }

  /// Accepts a client of a listening socket, whose reads and writes never wait; nil if none waits.
  ///
  /// - Throws: ``SystemError`` if the process has no descriptor left for it.
  func acceptClient() throws(SystemError) -> Descriptor? {
    let number = flux_above_standard(retrying { systemAccept(self.number) })
    guard number >= 0 else {
      guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) else { return nil }
      throw SystemError(lastOf: "accept a client of")
    }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    let client = Descriptor(number)
    client.setNonBlocking()
    client.disableBrokenPipeSignal()
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

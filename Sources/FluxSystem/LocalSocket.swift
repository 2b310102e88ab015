import CPlatform

/// A socket in a folder of this machine, to which processes of this machine connect.
package final class LocalListener: ClientListener {
  /// The path that clients connect to.
  package let path: String
  package let socket: Descriptor
  private let process = ProcessIdentity()

  /// Listens at a path, which a socket that nobody listens to any more may have.
  ///
  /// The socket belongs to the user alone. It has its name only once it listens, so a client that is refused knows
  /// that nobody listens.
  ///
  /// - Throws: ``SystemError``, with ENAMETOOLONG for a path of more than about 100 bytes.
  package init(path: String) throws(SystemError) {
    let socket = try Descriptor.streamSocket(AF_UNIX)
    let unfinished = path + "~"
    // A process that was killed may have left its socket there. The path is a string that lives until the end of the
    // calls.
    if try FileStatus(path: unfinished, followsLinks: false)?.isSocket == true {
      _ = unsafe unlink(unfinished)
    }
    guard unsafe flux_local_bind(socket.number, unfinished) == 0 else {
      throw SystemError(lastOf: "make a socket")
    }
    var isNamed = false
    defer { if !isNamed { _ = unsafe unlink(unfinished) } }
    guard unsafe chmod(unfinished, 0o600) == 0 else {
      throw SystemError(lastOf: "set the permissions of")
    }
    guard listen(socket.number, 64) == 0 else { throw SystemError(lastOf: "listen on") }
    guard unsafe rename(unfinished, path) == 0 else { throw SystemError(lastOf: "name") }
    isNamed = true
    socket.setNonBlocking()
    self.socket = socket
    self.path = path
  }

  package func accept() throws(SystemError) -> Descriptor? { try socket.acceptClient() }

  /// Removes the socket's name; clients that are connected stay so.
  ///
  /// A forked child leaves it to its parent.
  package func removeName() {
    guard !process.isForked else { return }
    _ = unsafe unlink(path)
  }
}

extension Descriptor {
  /// Connects to a listening socket; later reads and writes never wait.
  ///
  /// - Throws: ``SystemError``, with ECONNREFUSED if nobody listens there any more, and ENOENT without such a socket.
  package static func connecting(toLocal path: String) throws(SystemError) -> Descriptor {
    let socket = try streamSocket(AF_UNIX)
    // The path is a string that lives until the end of the call.
    guard retrying({ unsafe flux_local_connect(socket.number, path) }) == 0 else {
      throw SystemError(lastOf: "connect to")
    }
    socket.setNonBlocking()
    return socket
  }

  /// The user that the process at the other end of a local socket runs as.
  ///
  /// - Throws: ``SystemError`` if the system does not tell.
  package func peerUser() throws(SystemError) -> uid_t {
    var user: UInt32 = 0
    // The user is a local that outlives the call.
    guard unsafe flux_local_peer(number, &user) else {
      throw SystemError(lastOf: "identify the client of")
    }
    return uid_t(user)
  }

  /// Returns `true` if the process at the other end of a local socket runs as a user; no other one is answered, not even
  /// one of root.
  package func isPeer(of user: uid_t) -> Bool {
    do throws(SystemError) {
      return try peerUser() == user
    } catch {
      return false
    }
  }
}

/// A socket on a port of this machine that no other machine reaches.
package final class LoopbackListener: ClientListener {
  package let socket: Descriptor
  /// The port.
  package let port: UInt16

  /// Listens on a port of 127.0.0.1; 0 lets the system choose one.
  package init(port: UInt16) throws(SystemError) {
    let socket = try Descriptor.streamSocket(AF_INET)
    // A port whose last session has just ended can be used again.
    var isReused: Int32 = 1
    // The system reads as many bytes as the value has.
    _ = unsafe setsockopt(
      socket.number, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    socket.setNonBlocking()
    self.socket = socket
    self.port = try Self.bind(socket.number, port)
    guard listen(socket.number, 512) == 0 else { throw SystemError(lastOf: "listen on") }
  }

  private static func bind(_ number: Int32, _ port: UInt16) throws(SystemError) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // An IPv4 address is a socket address of this size.
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard unsafe systemBind(number, pointer, size) == 0 else { return false }
        return unsafe getsockname(number, pointer, &size) == 0
      }
    }
    guard bound else { throw SystemError(lastOf: "listen on") }
    return UInt16(bigEndian: address.sin_port)
  }

  package func accept() throws(SystemError) -> Descriptor? {
    guard let client = try socket.acceptClient() else { return nil }
    // Without this, a small write waits for the acknowledgement of the one before.
    var sendsAtOnce: Int32 = 1
    // The system reads as many bytes as the value has.
    _ = unsafe setsockopt(
      client.number, Int32(IPPROTO_TCP), TCP_NODELAY, &sendsAtOnce,
      socklen_t(MemoryLayout<Int32>.size))
    return client
  }
}

// The method above hides the C library's function of this name.

private func systemBind(
  _ number: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
  // The caller's address has `size` bytes.
  unsafe bind(number, address, size)
}

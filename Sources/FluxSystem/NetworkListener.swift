import CPlatform

/// A socket on a port, to which other processes connect over TCP.
package final class NetworkListener: ClientListener {
  package let socket: Descriptor
  /// The address, with the port that the system chose if none was given.
  package let address: NetworkAddress

  /// Listens on an address, by default one that no other machine reaches; port 0 lets the system choose one.
  ///
  /// - Throws: ``SystemError`` if the port is taken, or if this machine has no such address.
  package init(_ address: NetworkAddress) throws(SystemError) {
    var port: UInt16 = 0
    // The host is a string that lives until the end of the call, and the port a local.
    let number = unsafe flux_network_listen(address.host, address.port, 512, &port)
    guard number >= 0 else { throw SystemError(lastOf: "listen on") }
    socket = Descriptor(number)
    socket.disableBrokenPipeSignal()
    self.address = NetworkAddress(host: address.host, port: port)
  }

  package func accept() throws(SystemError) -> Descriptor? {
    guard let client = try socket.acceptClient() else { return nil }
    flux_network_tune(client.number)
    return client
  }
}

extension Descriptor {
  /// Connects to an address; later reads and writes never wait.
  ///
  /// - Throws: ``SystemError``, with ECONNREFUSED if nobody listens there.
  package static func connecting(
    to address: NetworkAddress, milliseconds: Int32 = 5000
  ) throws(SystemError) -> Descriptor {
    // The host is a string that lives until the end of the call.
    let number = unsafe flux_network_connect(address.host, address.port, milliseconds)
    guard number >= 0 else { throw SystemError(lastOf: "connect to") }
    let socket = Descriptor(number)
    socket.disableBrokenPipeSignal()
    flux_network_tune(number)
    return socket
  }
}

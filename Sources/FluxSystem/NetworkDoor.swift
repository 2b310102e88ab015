/// Accepts connections over TCP, and hands on those whose other side has proved that it knows the token.
///
/// Strangers cost little: each has 256 bytes, 5 seconds and one of 64 places, of which the next one takes the oldest.
package final class NetworkDoor: Sendable {
  /// The number of connections without a proof at a time.
  private static let strangerCount = 64
  /// The milliseconds to wait for a place or a descriptor.
  private static let pause: Int32 = 1000

  /// The address that it listens on.
  package let address: NetworkAddress
  private let listener: NetworkListener
  private let waker: Waker
  private let isStopped = Monitor(false)
  private let server: ClientServer

  /// Listens on an address.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - side: The side that listens.
  ///   - token: The token that both sides know.
  ///   - admit: Called with each proved connection, on a thread of the server.
  ///   - refuse: Called with the reason if there is no proof, on a thread of the server.
  /// - Throws: The error of the system if it cannot listen.
  package init(
    _ address: NetworkAddress, _ side: Handshake.Side, _ token: AccessToken,
    admit: @escaping @Sendable (Descriptor, MessageCodes) -> Void,
    refuse: @escaping @Sendable (Handshake.Failure) -> Void = { _ in }
  ) throws(SystemError) {
    listener = try NetworkListener(address)
    self.address = listener.address
    waker = try Waker()
    server = ClientServer(listener, limit: Self.strangerCount) { client in
      do throws(Handshake.Failure) {
        let codes = try Handshake(side, token).perform(on: client.stream)
        client.handOver()
        admit(client.stream, codes)
      } catch {
        // A stranger gets no answer that could tell it anything.
        refuse(error)
      }
    }
  }

  /// Begins to accept connections, on another thread.
  ///
  /// - Throws: ``SystemError`` if the system has no thread for it.
  package func open() throws(SystemError) {
    try startThread(named: "flux.door") { [self] in
      while !isStopped.withLock({ $0 }) {
        let streams = [listener.socket, waker.reading]
        Descriptor.wait(reading: streams, writing: nil, milliseconds: -1)
        if !isStopped.withLock({ $0 }) { server.acceptNext(milliseconds: Self.pause) }
      }
    }
  }

  /// Stops accepting connections; those that were handed on stay.
  package func close() {
    isStopped.withLock { $0 = true }
    waker.wake()
  }
}

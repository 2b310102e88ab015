import Foundation

/// A socket that accepts clients.
package protocol ClientListener: Sendable {
  /// The socket, which can be read when a client waits.
  var socket: Descriptor { get }

  /// Accepts a client that waits; nil if there is none. Reads and writes of the client never wait.
  ///
  /// - Throws: ``SystemError`` if the process has no descriptor left for it.
  func accept() throws(SystemError) -> Descriptor?
}

/// A client that a ``ClientServer`` has accepted.
package final class ServedClient: Sendable {
  /// The connection.
  package let stream: Descriptor
  private let state = Monitor(State.unknown)

  private enum State { case unknown, known, handedOver }

  fileprivate init(_ stream: Descriptor) { self.stream = stream }

  /// Keeps the client from being dropped for another one: it has proved that it acts for the user.
  package func setKnown() { state.withLock { $0 = .known } }

  /// Leaves the connection to the caller: the server neither drops nor ends it.
  package func handOver() { state.withLock { $0 = .handedOver } }

  fileprivate var isKnown: Bool { state.withLock { $0 != .unknown } }

  /// Ends the connection, unless it was handed over; its thread reads the end of the stream.
  fileprivate func drop() {
    state.withLock { state in
      if state != .handedOver { _ = shutdown(stream.number, Int32(SHUT_RDWR)) }
    }
  }
}

/// Serves the clients of a listening socket, each on its own thread.
///
/// Strangers can neither stop the server nor take up the process. The number of clients is limited, and if it is
/// reached, the next client takes the place of the oldest that has not proved who it is. If the process has no
/// descriptor left, a place is made in the same way.
package final class ClientServer: Sendable {
  private struct State {
    var clients: [UInt64: ServedClient] = [:]
    var lastNumber: UInt64 = 0
  }

  private let listener: any ClientListener
  private let limit: Int
  private let serve: @Sendable (ServedClient) -> Void
  private let state = Monitor(State())

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - listener: The socket.
  ///   - limit: The number of clients at a time.
  ///   - serve: Serves a client on a thread of the server. The connection ends when it returns, and at once if the system
  ///     has no thread left for it.
  package init(
    _ listener: any ClientListener, limit: Int, serve: @escaping @Sendable (ServedClient) -> Void
  ) {
    (self.listener, self.limit, self.serve) = (listener, limit, serve)
  }

  /// Waits for the next client, at most that long, and begins to serve it.
  package func acceptNext(milliseconds: Int32) {
    guard
      Descriptor.wait(reading: [listener.socket], writing: nil, milliseconds: milliseconds)
    else { return }
    guard hasPlace(within: Int(milliseconds)) else { return }
    do throws(SystemError) {
      guard let stream = try listener.accept() else { return }
      begin(ServedClient(stream))
    } catch {
      // Another part of the process may have taken the last descriptor, so this waits in any case.
      dropOldest()
      state.waitUntil(milliseconds: Int(milliseconds), { _ in false }) { _ in }
    }
  }

  /// Returns `true` if another client can be accepted, after a stranger was dropped if necessary.
  private func hasPlace(within milliseconds: Int) -> Bool {
    if state.withLock({ $0.clients.count < limit }) { return true }
    dropOldest()
    return state.waitUntil(milliseconds: milliseconds, { $0.clients.count < limit }) {
      $0.clients.count < limit
    }
  }

  private func dropOldest() {
    let oldest = state.withLock { state in
      state.clients.filter { !$0.value.isKnown }.min { $0.key < $1.key }?.value
    }
    oldest?.drop()
  }

  private func begin(_ client: ServedClient) {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.clients[state.lastNumber] = client
      return state.lastNumber
    }
    do throws(SystemError) {
      try startThread { [self] in
        serve(client)
        end(client, number)
      }
    } catch {
      end(client, number)
    }
  }

  private func end(_ client: ServedClient, _ number: UInt64) {
    client.drop()
    state.withLock { $0.clients[number] = nil }
    state.signal()
  }
}

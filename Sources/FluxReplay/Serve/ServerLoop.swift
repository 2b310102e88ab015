import FluxJSON
package import FluxSystem

/// The streams of a server's clients, and the thread that reads them.
///
/// The thread waits for bytes, clients and events of the app; requests run on the queues of their parts.
package final class ServerLoop: @unchecked Sendable {
  // Sendable: the thread of `run` has the variables to itself; everything else is constant.

  private struct Connection {
    let client: AppClient
    let input: Descriptor
    let output: Descriptor
    var splitter = LineSplitter()
  }

  private let server: AppServer
  private let waker: Waker
  private let listener: (any ClientListener)?
  private let admits: @Sendable (Descriptor) -> Bool
  private let turn: @Sendable ([AppClient]) -> Int32?
  private var connections: [Connection] = []
  /// `true` if the process has no descriptor left for another client.
  private var isFull = false

  /// Makes a loop.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - waker: Ends a wait of the loop.
  ///   - listener: The socket to which clients connect; nil if there is one client.
  ///   - admits: Returns `true` for a client that may be served.
  ///   - turn: Called before each wait, with the clients; returns the milliseconds to wait at most, -1 for no limit, and
  ///     nil to stop.
  package init(
    _ server: AppServer, _ waker: Waker, listener: (any ClientListener)? = nil,
    admits: @escaping @Sendable (Descriptor) -> Bool = { _ in true },
    turn: @escaping @Sendable ([AppClient]) -> Int32? = { _ in -1 }
  ) {
    (self.server, self.waker, self.listener) = (server, waker, listener)
    (self.admits, self.turn) = (admits, turn)
  }

  /// Adds a client.
  ///
  /// - Parameters:
  ///   - input: The stream to read.
  ///   - output: The stream to write.
  ///   - write: Sends bytes; by default as many as the output takes at once.
  package func add(
    _ input: Descriptor, _ output: Descriptor,
    write: (@Sendable (ArraySlice<UInt8>) -> Int?)? = nil
  ) {
    let client = AppClient(
      wake: { [waker] in waker.wake() }, write: write ?? { output.send($0) })
    connections.append(Connection(client: client, input: input, output: output))
  }

  /// Serves until it is to stop, or until the only client has ended.
  package func run() {
    while let milliseconds = turn(connections.map(\.client)) {
      connections.removeAll { connection in
        guard connection.client.isOver else { return connection.client.hasEnded }
        server.leave(connection.client)
        return true
      }
      if listener == nil, connections.isEmpty { break }
      wait(milliseconds: isFull && milliseconds < 0 ? 1000 : milliseconds)
    }
    for connection in connections {
      connection.client.tell(.ended)
      server.leave(connection.client)
    }
    server.finish()
  }

  private func wait(milliseconds: Int32) {
    var streams = [(stream: waker.reading, reads: true, writes: false)]
    if let listener { streams.append((stream: listener.socket, reads: !isFull, writes: false)) }
    let first = streams.count
    for connection in connections {
      // Also while a request runs: a client that leaves is noticed by reading.
      streams.append((connection.input, reads: connection.client.takesBytes, writes: false))
      if connection.client.isWaiting {
        streams.append((connection.output, reads: false, writes: true))
      }
    }
    let ready = Descriptor.wait(for: streams, milliseconds: milliseconds)
    waker.reset()
    isFull = false
    // Handles the app's earlier events before the requests that follow them.
    _ = turn(connections.map(\.client))
    var place = first
    for index in connections.indices {
      let (input, state) = (streams[place], ready[place])
      place += 1
      if place < streams.count, streams[place].writes {
        if ready[place].canWrite || ready[place].canRead { connections[index].client.flush() }
        place += 1
      }
      if state.canRead { input.reads ? receive(at: index) : connections[index].client.leave() }
    }
    if listener != nil, ready[1].canRead { accept() }
  }

  private func accept() {
    while let listener {
      let socket: Descriptor
      do throws(SystemError) {
        guard let next = try listener.accept() else { return }
        socket = next
      } catch {
        // Somebody may free one without a sign, so the loop looks again soon.
        isFull = true
        return
      }
      guard admits(socket) else { continue }
      guard connections.count < AppProtocol.clientCount else {
        let error = RPCError(.failed, "the app has \(AppProtocol.clientCount) clients already")
        _ = socket.send(RPCLine.failure(.null, error)[...])
        continue
      }
      add(socket, socket)
    }
  }

  private func receive(at index: Int) {
    let client = connections[index].client
    switch connections[index].input.receive() {
    case .nothing: break
    case .bytes(let bytes):
      connections[index].splitter.append(bytes)
      while let line = connections[index].splitter.next() { take(line, of: client) }
      let limit = AppProtocol.messageByteCount
      // The parent of a spawned host knows what it sends.
      if listener != nil, connections[index].splitter.pendingCount > limit {
        let error = RPCError(.invalidRequest, "a message has more than \(limit) bytes")
        client.send(RPCLine.failure(.null, error))
        client.close()
      }
    case .end:
      take(connections[index].splitter.remainder(), of: client)
      // The only client may have closed its side after its last request, and gets all answers.
      listener == nil ? client.end() : client.leave()
    }
  }

  private func take(_ line: [UInt8], of client: AppClient) {
    let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
    if !isBlank { server.handle(line, of: client) }
  }
}

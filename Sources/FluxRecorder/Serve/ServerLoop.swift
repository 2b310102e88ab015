import FluxReplay
import FluxSystem

/// The streams of a server's clients, and the thread that reads them.
///
/// The thread waits for bytes, clients and events of the app; requests run on the queues of their parts.
final class ServerLoop: @unchecked Sendable {
  // Sendable: the thread of `run` has the variables to itself, and `arrivals` has a lock; everything else is constant.

  private struct Connection {
    let client: AppClient
    let input: Descriptor
    let output: Descriptor
    /// The codes of the messages from the client; nil on a connection that needs none.
    var code: MessageCode?
    let whenOver: @Sendable () -> Void
    var splitter = LineSplitter()
  }

  /// A client of another thread's that is not served yet.
  private struct Arrival {
    let stream: Descriptor
    let codes: MessageCodes
    let whenOver: @Sendable () -> Void
  }

  private let server: AppServer
  private let waker: Waker
  private let isSpawned: Bool
  private let listener: (any ClientListener)?
  private let admits: @Sendable (Descriptor) -> Bool
  private let turn: @Sendable ([AppClient]) -> Int32?
  private var connections: [Connection] = []
  /// `true` if the process has no descriptor left for another client.
  private var isFull = false
  /// The clients that other threads have admitted; nil once the loop has ended.
  private let arrivals = Monitor<[Arrival]?>([])

  /// Makes a loop, whose waits `waker` ends.
  ///
  /// `isSpawned` is `true` if the process only serves the client that has started it. `admits` returns `true` for a client of
  /// `listener` that may be served. `turn` is called before each wait, with the clients; it returns the milliseconds to wait
  /// at most, -1 for no limit, and nil to stop.
  init(
    _ server: AppServer, _ waker: Waker, isSpawned: Bool = false,
    listener: (any ClientListener)? = nil,
    admits: @escaping @Sendable (Descriptor) -> Bool = { _ in true },
    turn: @escaping @Sendable ([AppClient]) -> Int32? = { _ in -1 }
  ) {
    (self.server, self.waker, self.isSpawned) = (server, waker, isSpawned)
    (self.listener, self.admits, self.turn) = (listener, admits, turn)
  }

  /// Adds a client on the thread of ``run()``, or before that begins.
  ///
  /// By default, `write` sends as many bytes as the output takes at once.
  func add(
    _ input: Descriptor, _ output: Descriptor, _ codes: MessageCodes? = nil,
    write: (@Sendable (ArraySlice<UInt8>) -> Int?)? = nil,
    whenOver: @escaping @Sendable () -> Void = {}
  ) {
    let client = AppClient(
      code: codes?.sent, wake: { [waker] in waker.wake() }, write: write ?? { output.send($0) })
    connections.append(
      Connection(
        client: client, input: input, output: output, code: codes?.received, whenOver: whenOver))
  }

  /// Serves a client that has proved itself; any thread may call it.
  ///
  /// `whenOver` is called once when the connection is over, on any thread.
  func admit(
    _ stream: Descriptor, _ codes: MessageCodes, whenOver: @escaping @Sendable () -> Void = {}
  ) {
    let arrival = Arrival(stream: stream, codes: codes, whenOver: whenOver)
    let isTaken = arrivals.withLock { arrivals in
      arrivals?.append(arrival)
      return arrivals != nil
    }
    isTaken ? waker.wake() : whenOver()
  }

  /// Serves until it is to stop, or until the only client of a spawned process has ended.
  func run() {
    while let milliseconds = turn(connections.map(\.client)) {
      takeArrivals()
      removeEnded()
      if isSpawned, connections.isEmpty { break }
      wait(milliseconds: isFull && milliseconds < 0 ? 1000 : milliseconds)
    }
    for connection in connections {
      connection.client.tell(.ended)
      server.leave(connection.client)
      connection.whenOver()
    }
    // Others may keep the loop, and the streams end with the last reference to them.
    connections = []
    let late = arrivals.withLock { arrivals in
      defer { arrivals = nil }
      return arrivals ?? []
    }
    for arrival in late { arrival.whenOver() }
    server.finish()
  }

  private func removeEnded() {
    connections.removeAll { connection in
      guard connection.client.isOver else { return connection.client.hasEnded }
      server.leave(connection.client)
      connection.whenOver()
      return true
    }
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

  // MARK: New clients

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
      if admits(socket) { take(socket, nil) }
    }
  }

  private func takeArrivals() {
    let new = arrivals.withLock { arrivals in
      defer { arrivals?.removeAll() }
      return arrivals ?? []
    }
    for arrival in new { take(arrival.stream, arrival.codes, whenOver: arrival.whenOver) }
  }

  private func take(
    _ stream: Descriptor, _ codes: MessageCodes?, whenOver: @escaping @Sendable () -> Void = {}
  ) {
    add(stream, stream, codes, whenOver: whenOver)
    guard connections.count > AppProtocol.clientCount else { return }
    let error = RPCError(.failed, "the app has \(AppProtocol.clientCount) clients already")
    let client = connections.removeLast().client
    client.send(RPCLine.failure(.null, error))
    client.leave()
    whenOver()
  }

  // MARK: Reading

  private func receive(at index: Int) {
    let client = connections[index].client
    switch connections[index].input.receive() {
    case .nothing: break
    case .bytes(let bytes):
      connections[index].splitter.append(bytes)
      while let line = connections[index].splitter.next() {
        guard let message = message(in: line, at: index) else { return }
        take(message, of: client)
      }
      let limit = AppProtocol.messageByteCount
      // The parent of a spawned host knows what it sends.
      if !isSpawned, connections[index].splitter.pendingCount > limit {
        let error = RPCError(.invalidRequest, "a message has more than \(limit) bytes")
        client.send(RPCLine.failure(.null, error))
        client.close()
      }
    case .end:
      // The end of a connection may cut a message, whose code would be missing.
      let rest = connections[index].splitter.remainder()
      if connections[index].code == nil { take(rest, of: client) }
      // The only client may have closed its side after its last request, and gets all answers.
      isSpawned ? client.end() : client.leave()
    }
  }

  /// Returns the message in a line; nil if its code is wrong, which ends the connection.
  private func message(in line: [UInt8], at index: Int) -> [UInt8]? {
    guard connections[index].code != nil else { return line }
    let message = connections[index].code?.message(in: line)
    if message == nil { connections[index].client.leave() }
    return message
  }

  private func take(_ line: [UInt8], of client: AppClient) {
    if !RPCLine.isBlank(line) { server.handle(line, of: client) }
  }
}

import Dispatch
import FluxCore
import FluxJSON
import FluxReplay
import FluxSystem
import Foundation

/// The sockets and the thread of a live host, which do what a ``LiveHostMachine`` decides.
///
/// The thread waits for clients and for events of the app. Commands run on a queue of their own, one after the other:
/// while one waits for a long step of the app, the thread serves on.
final class LiveServer: @unchecked Sendable {
  // Sendable: the thread of `run` has the variables to itself; everything else is constant.

  /// A client's connection.
  private struct Connection {
    let socket: Descriptor
    var splitter = LineSplitter()
    var outbox = LiveOutbox()
    /// `true` if the connection ends as soon as everything is sent.
    var isClosing = false
  }

  /// The number of clients at a time: a person has a few, and each takes a descriptor of the app.
  static let clientLimit = 32
  /// The number of bytes of a request at most; a model from the log is the longest part.
  static let lineLimit = 64 << 20
  /// The number of steps in a notification at most.
  private static let groupLimit = 500
  /// The time between two looks for events while there are some.
  private static let pulse: Int32 = 5

  private let commands: LiveCommands
  private let queue: LiveQueue
  private let listener: LocalListener
  private let waker: Waker
  private let user: uid_t
  private let worker = DispatchQueue(label: "flux.live")

  private var machine: LiveHostMachine
  private var connections: [LiveHostMachine.ClientID: Connection] = [:]
  private var lastClient: LiveHostMachine.ClientID = 0
  private var isStopped = false
  /// `true` if the process has no descriptor left for another client.
  private var isFull = false
  /// Removes the tap from the dispatcher; only the worker uses it.
  private var removeTap: (@Sendable () -> Void)?

  /// Creates a server for the clients of `user`.
  init(_ commands: LiveCommands, listener: LocalListener, waker: Waker, user: uid_t) {
    self.commands = commands
    queue = commands.queue
    (self.listener, self.waker, self.user) = (listener, waker, user)
    machine = LiveHostMachine(allowed: commands.allowed)
  }

  func start() {
    let thread = Thread { [self] in run() }
    thread.name = "flux.live"
    thread.start()
  }

  /// Stops accepting connections, and asks the thread to end.
  func stop() {
    listener.removeName()
    queue.append(.stopped)
  }

  // MARK: The thread

  private func run() {
    while !isStopped {
      wait(milliseconds: queue.sleep() ? -1 : Self.pulse)
      waker.reset()
      take(queue.take())
    }
  }

  private func wait(milliseconds: Int32) {
    let clients = connections.keys.sorted()
    var streams = [(stream: waker.reading, reads: true, writes: false)]
    streams.append((stream: listener.socket, reads: !isFull, writes: false))
    for client in clients {
      guard let connection = connections[client] else { continue }
      // Also while a command of the client runs: a client that leaves is noticed by reading.
      let reads = !connection.outbox.isFull && !connection.isClosing
      streams.append(
        (stream: connection.socket, reads: reads, writes: !connection.outbox.isEmpty))
    }
    // Without a descriptor for the next client, somebody may free one without a sign.
    let ready = Descriptor.wait(
      for: streams, milliseconds: isFull && milliseconds < 0 ? 1000 : milliseconds)
    isFull = false
    // What happened before a request is handled before it.
    take(queue.take())
    for (client, (entry, state)) in zip(clients, zip(streams, ready).dropFirst(2)) {
      if state.canWrite { send(to: client) }
      if state.canRead { entry.reads ? receive(from: client) : drop(client) }
    }
    if ready[1].canRead { accept() }
  }

  private func take(_ events: [LiveEvent]) {
    var steps: [LiveStep] = []
    var dropped: UInt64 = 0
    func tellSteps() {
      guard !steps.isEmpty || dropped > 0 else { return }
      perform(machine.handle(.happened(.steps(steps, dropped: dropped))))
      (steps, dropped) = ([], 0)
    }
    for event in events {
      switch event {
      case .step(let envelope, let isRejected, let isTold, let changed, let model):
        if let model {
          commands.models.keep(model, after: envelope.step, changed: changed)
          queue.modelLimit = commands.models.waitingLimit
        }
        guard isTold, machine.isWatched else { continue }
        steps.append(
          LiveStep(number: envelope.step, type: envelope.name, isRejected: isRejected))
        if steps.count == Self.groupLimit { tellSteps() }
      case .dropped(let count):
        // A notification tells of dropped steps before its own.
        tellSteps()
        dropped += count
      case .restored(let step, let next):
        tellSteps()
        perform(machine.handle(.happened(.restored(step: step, next: next))))
      case .answered(let command, let result):
        tellSteps()
        perform(machine.handle(.answered(command, result)))
        readLines(of: command.client)
      case .stopped:
        tellSteps()
        perform(machine.handle(.stopped))
        isStopped = true
        return
      }
    }
    tellSteps()
  }

  // MARK: Clients

  private func accept() {
    while true {
      let socket: Descriptor
      do throws(SystemError) {
        guard let next = try listener.accept() else { return }
        socket = next
      } catch {
        isFull = true
        return
      }
      guard socket.isPeer(of: user) else { continue }
      guard connections.count < Self.clientLimit else {
        let error = RPCError(.failed, "the app has \(Self.clientLimit) clients already")
        _ = socket.send(RPCLine.failure(.null, error)[...])
        continue
      }
      lastClient += 1
      connections[lastClient] = Connection(socket: socket)
      perform(machine.handle(.connected(lastClient)))
    }
  }

  private func receive(from client: LiveHostMachine.ClientID) {
    switch connections[client]?.socket.receive() {
    case .bytes(let bytes)?:
      connections[client]?.splitter.append(bytes)
      readLines(of: client)
      if let count = connections[client]?.splitter.pendingCount, count > Self.lineLimit {
        drop(client)
      }
    case .end?: drop(client)
    case .nothing?, nil: break
    }
  }

  /// Handles the lines of a client, one at a time; a command ends that until it is answered.
  private func readLines(of client: LiveHostMachine.ClientID) {
    while machine.accepts(client), connections[client]?.outbox.isFull == false,
      let line = connections[client]?.splitter.next()
    {
      perform(machine.handle(.line(client, line)))
    }
  }

  private func send(to client: LiveHostMachine.ClientID) {
    while let connection = connections[client], !connection.outbox.isEmpty {
      guard let count = connection.socket.send(connection.outbox.unsent) else {
        drop(client)
        return
      }
      guard count > 0 else { return }
      connections[client]?.outbox.didSend(count)
    }
    if connections[client]?.isClosing == true { connections[client] = nil }
    readLines(of: client)
  }

  private func drop(_ client: LiveHostMachine.ClientID) {
    guard connections.removeValue(forKey: client) != nil else { return }
    perform(machine.handle(.left(client)))
  }

  // MARK: Actions

  private func perform(_ actions: [LiveHostMachine.Action]) {
    for action in actions {
      switch action {
      case .send(let client, let line):
        connections[client]?.outbox.add(line)
        send(soonTo: client)
      case .tell(let client, let notification):
        connections[client]?.outbox.add(notification)
        send(soonTo: client)
      case .close(let client):
        connections[client]?.isClosing = true
        if connections[client]?.outbox.isEmpty == true { connections[client] = nil }
      case .perform(let command):
        worker.async { [commands, queue] in
          do throws(RPCError) {
            queue.append(.answered(command, .success(try commands.perform(command.request))))
          } catch {
            queue.append(.answered(command, .failure(error)))
          }
        }
      case .endPresentation:
        worker.async { [commands] in commands.dispatcher.endPresenting() }
      case .observe(let isObserving):
        worker.async { [self] in observe(isObserving) }
      }
    }
  }

  /// Sends without waiting, so that a short answer does not take another turn of the loop.
  private func send(soonTo client: LiveHostMachine.ClientID) {
    guard let connection = connections[client],
      let count = connection.socket.send(connection.outbox.unsent)
    else { return }
    connections[client]?.outbox.didSend(count)
  }

  private func observe(_ isObserving: Bool) {
    if isObserving {
      removeTap = commands.dispatcher.install(LiveTap(queue, commands.models, commands.recorder))
    } else {
      removeTap?()
      removeTap = nil
      commands.models.removeAll()
    }
  }
}

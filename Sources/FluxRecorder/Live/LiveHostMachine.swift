import FluxJSON
import FluxLog
import FluxReplay

/// The decisions of a live host: takes events, and returns what to do.
///
/// It knows neither sockets nor threads nor the app.
struct LiveHostMachine {
  /// The number of a client: 1 for the first, never used again.
  typealias ClientID = UInt64

  /// A request of a client, which the app carries out.
  struct Command: Sendable, Equatable {
    let client: ClientID
    let id: JSON
    let request: LiveRequest
  }

  /// The result of a command.
  enum Answer: Sendable, Equatable {
    case done
    case welcome(LiveWelcome)
    case dispatched(LiveDispatched)
  }

  enum Event {
    case connected(ClientID)
    case line(ClientID, [UInt8])
    /// The client has closed its connection, or it broke.
    case left(ClientID)
    case answered(Command, Result<Answer, RPCError>)
    /// An event for all clients that watch.
    case happened(LiveNotification)
    case stopped
  }

  enum Action: Equatable {
    /// Sends the answer to a request.
    case send(ClientID, [UInt8])
    /// Sends an event to a client, unless it is too slow.
    case tell(ClientID, LiveNotification)
    /// Lets the app carry out a command; commands are carried out in order.
    case perform(Command)
    /// Ends the presentation in the app, after the commands so far.
    case endPresentation
    /// Begins or ends to watch the app, after the commands so far.
    case observe(Bool)
    case close(ClientID)
  }

  /// The states of a client.
  private enum Phase {
    /// It has not said which version it speaks.
    case greeting
    /// It has, and the app is asked to describe itself.
    case attaching
    case attached(watches: Bool)
  }

  private struct Client {
    var phase = Phase.greeting
    /// `true` while a command of the client is carried out.
    var isBusy = false
  }

  /// The parts of the app that clients may use.
  let allowed: Set<LivePermission>
  private var clients: [ClientID: Client] = [:]
  private var isObserving = false
  /// The client whose model the app's views show.
  private(set) var presenter: ClientID?

  init(allowed: Set<LivePermission>) { self.allowed = allowed }

  /// `true` if a client watches steps.
  var isWatched: Bool {
    clients.values.contains { client in
      if case .attached(watches: true) = client.phase { true } else { false }
    }
  }

  /// Returns `true` if the next line of a client can be handled: one request at a time.
  func accepts(_ client: ClientID) -> Bool { clients[client].map { !$0.isBusy } ?? false }

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .connected(let client):
      clients[client] = Client()
      return []
    case .line(let client, let line): return handle(line, of: client)
    case .left(let client): return leave(client)
    case .answered(let command, let result): return answer(command, result)
    case .happened(let notification): return tell(notification)
    case .stopped:
      let actions = tell(.ended) + clients.keys.sorted().map(Action.close)
      clients = [:]
      return actions + resumed(telling: false) + observing(false)
    }
  }

  // MARK: Requests

  private mutating func handle(_ line: [UInt8], of client: ClientID) -> [Action] {
    guard clients[client] != nil else { return [] }
    let message: RPCMessage
    do throws(RPCError) {
      message = try RPCMessage(line)
    } catch {
      // What follows cannot be trusted to be requests either.
      return [.send(client, RPCLine.failure(.null, error)), .close(client)] + leave(client)
    }
    guard case .request(let id, let method, let params) = message else { return [] }
    do throws(RPCError) {
      return try handle(try LiveRequest(method, params), id, of: client)
    } catch {
      return [.send(client, RPCLine.failure(id, error))]
    }
  }

  private mutating func handle(
    _ request: LiveRequest, _ id: JSON, of client: ClientID
  ) throws(RPCError) -> [Action] {
    let command = Command(client: client, id: id, request: request)
    switch (clients[client]?.phase, request) {
    case (.greeting, .initialize(let version, _)):
      guard HostProtocol.isCompatible(version) else {
        throw RPCError(
          .failed, "the app speaks version \(HostProtocol.version) of the protocol, not \(version)")
      }
      clients[client]?.phase = .attaching
    case (.greeting, _):
      throw RPCError(.notInitialized, "the first request must be initialize")
    case (.attached, .initialize):
      throw RPCError(.invalidRequest, "initialize was requested before")
    case (_, _):
      try check(request)
      if request == .watch {
        clients[client]?.phase = .attached(watches: true)
        return [.send(client, RPCLine.result(id, [:] as JSON))]
      }
    }
    clients[client]?.isBusy = true
    return observing(true) + [.perform(command)]
  }

  private func check(_ request: LiveRequest) throws(RPCError) {
    guard let permission = request.permission, !allowed.contains(permission) else { return }
    let names = LivePermission.allCases.filter(allowed.contains).map(\.rawValue)
    let rest = names.isEmpty ? "nothing" : "only \(names.joined(separator: ", "))"
    throw RPCError(.failed, "the app does not allow \(permission.rawValue); it allows \(rest)")
  }

  private mutating func answer(
    _ command: Command, _ result: Result<Answer, RPCError>
  ) -> [Action] {
    let effects = effects(of: command, result)
    guard let client = clients[command.client] else { return effects }
    clients[command.client]?.isBusy = false
    var line: [UInt8]
    switch result {
    case .success(.done): line = RPCLine.result(command.id, [:] as JSON)
    case .success(.welcome(let welcome)): line = RPCLine.result(command.id, welcome)
    case .success(.dispatched(let dispatched)): line = RPCLine.result(command.id, dispatched)
    case .failure(let error): line = RPCLine.failure(command.id, error)
    }
    if case .attaching = client.phase { clients[command.client]?.phase = .attached(watches: false) }
    return effects + [.send(command.client, line)]
  }

  /// The consequences of a command for the presentation.
  private mutating func effects(
    of command: Command, _ result: Result<Answer, RPCError>
  ) -> [Action] {
    guard case .success = result else { return [] }
    switch command.request {
    case .present(let position, let ignoresActions):
      presenter = command.client
      // A client that has left does not keep its model in the views.
      guard clients[command.client] != nil else { return resumed() }
      return tell(.presenting(step: position?.step, ignoresActions: ignoresActions))
    case .resume, .restore:
      // The app has ended the presentation with the command.
      guard presenter != nil else { return [] }
      presenter = nil
      return tell(.resumed)
    case .initialize, .watch, .dispatch: return []
    }
  }

  // MARK: Clients

  private mutating func leave(_ client: ClientID) -> [Action] {
    guard clients.removeValue(forKey: client) != nil else { return [] }
    let actions = presenter == client ? resumed() : []
    return actions + (clients.isEmpty ? observing(false) : [])
  }

  private mutating func resumed(telling: Bool = true) -> [Action] {
    guard presenter != nil else { return [] }
    presenter = nil
    return [.endPresentation] + (telling ? tell(.resumed) : [])
  }

  private mutating func observing(_ isObserving: Bool) -> [Action] {
    guard isObserving != self.isObserving else { return [] }
    self.isObserving = isObserving
    return [.observe(isObserving)]
  }

  /// Sends an event to all clients that watch.
  private func tell(_ notification: LiveNotification) -> [Action] {
    clients.sorted { $0.key < $1.key }.compactMap { id, client in
      guard case .attached(watches: true) = client.phase else { return nil }
      return .tell(id, notification)
    }
  }
}

public import FluxCore

/// The actions of the connection.
public enum ConnectionAction: Action, Equatable {
  case connect
  case opened
  case received(ServerEvent)
  case closed(reason: String)
  /// The device goes offline, for example on an airplane.
  case disconnect
}

/// The socket, which is opened again whenever it closes.
public struct ConnectionStore: Store {
  /// The connection and its last event.
  public struct State: StateValue {
    /// The phases of a connection.
    public enum Phase: StateValue {
      case offline
      case connecting(attempt: Int)
      case online
    }

    /// The phase of the connection.
    public internal(set) var phase = Phase.offline
    /// The position of the last event.
    public internal(set) var position = 0
    /// The reason why the connection closed; nil while it is open.
    public internal(set) var problem: String?
  }

  /// No connection.
  public let initialState = State()
  private let service: any ChatService

  /// Creates the store.
  ///
  /// - Parameter service: The server.
  public init(service: any ChatService) {
    self.service = service
  }

  /// Opens and closes the socket.
  public func reduce(
    _ state: inout State, _ action: ConnectionAction, _ step: inout Step
  ) throws {
    switch (state.phase, action) {
    case (.offline, .connect):
      guard try step[SessionStore.self].tokens != nil else {
        throw Rejection("nobody is signed in")
      }
      connect(1, &state, &step)
    case (.connecting, .opened):
      state.phase = .online
      state.problem = nil
    case (.online, .received(let event)):
      guard event.position > state.position else {
        throw Rejection("the event \(event.position) came again")
      }
      state.position = event.position
    case (.connecting(let attempt), .closed(let reason)):
      state.problem = reason
      connect(attempt + 1, &state, &step)
    case (.online, .closed(let reason)):
      state.problem = reason
      connect(2, &state, &step)
    case (.connecting, .disconnect), (.online, .disconnect): disconnect(&state, &step)
    default: throw Rejection.impossible
    }
  }

  /// Opens the socket and sends its events; a later attempt waits longer.
  private func connect(_ attempt: Int, _ state: inout State, _ step: inout Step) {
    state.phase = .connecting(attempt: attempt)
    step.effect("socket") { [service] send in
      do {
        try await send.sleep(for: attempt == 1 ? .zero : .seconds(1 << min(attempt - 1, 5)))
        guard let token = send[SessionStore.self].tokens?.access else { return }
        await Self.receive(service, token, send)
      } catch {
        // Cancelled while it waited: there is nothing to close.
      }
    }
  }

  private static func receive(
    _ service: any ChatService, _ token: Secret<String>, _ send: Send
  ) async {
    do {
      let events = try await service.events(
        after: send[ConnectionStore.self].position, token: token)
      send(ConnectionAction.opened)
      for try await event in events { send(ConnectionAction.received(event)) }
      send(ConnectionAction.closed(reason: "the server closed the connection"))
    } catch {
      // First, because closing starts the next effect, which replaces this one.
      if error as? ChatFailure == .unauthorized { send(SessionAction.expire(token)) }
      send(ConnectionAction.closed(reason: "\(error)"))
    }
  }

  private func disconnect(_ state: inout State, _ step: inout Step) {
    state = State(position: state.position)
    step.cancel("socket")
  }

  /// Begins and ends with the session.
  public var reactions: [Reaction<State>] {
    [
      .on(SessionAction.self) { state, action, step in
        switch action {
        case .signedIn: connect(1, &state, &step)
        case .signOut: disconnect(&state, &step)
        default: break
        }
      }
    ]
  }
}

public import FluxCore

/// The actions of a session.
public enum SessionAction: Action, Equatable {
  case signIn(user: String, password: Secret<String>)
  case signedIn(Tokens)
  /// The server no longer accepts an access token.
  case expire(Secret<String>)
  case refreshed(Tokens)
  case failed(ChatFailure)
  case signOut
}

/// The user, and the secrets that identify the user to the server.
public struct SessionStore: Store {
  /// The user and the tokens.
  public struct State: StateValue {
    /// The user's name; nil if nobody is signed in or signing in.
    public internal(set) var user: String?
    /// The tokens of the session.
    public internal(set) var tokens: Tokens?
    /// The key of this device, which is created once.
    public internal(set) var device: Secret<String>?
    /// `true` while new tokens are being fetched.
    public internal(set) var isRefreshing = false
    /// The message for the user.
    public internal(set) var notice: String?
  }

  /// A session in which nobody is signed in.
  public let initialState = State()
  private let service: any ChatService

  /// Creates the store.
  ///
  /// - Parameter service: The server.
  public init(service: any ChatService) {
    self.service = service
  }

  /// Signs users in and out, and exchanges expired tokens.
  public func reduce(_ state: inout State, _ action: SessionAction, _ step: inout Step) throws {
    switch action {
    case .signIn(let user, let password):
      guard state.user == nil else { throw Rejection.impossible }
      let device = state.device ?? step.secret()
      state = State(user: user, device: device)
      step.effect(
        "signIn", then: SessionAction.signedIn, catch: { .failed(ChatFailure($0)) }
      ) { [service] in
        try await service.signIn(user: user, password: password, device: device)
      }
    case .signedIn(let tokens):
      state.tokens = tokens
    case .expire(let token): try expire(token, &state, &step)
    case .refreshed(let tokens):
      guard state.tokens != nil else { throw Rejection("nobody is signed in") }
      state.tokens = tokens
      state.isRefreshing = false
    case .failed(.offline) where state.tokens != nil:
      // The next request is refused again, and asks for new tokens again.
      state.isRefreshing = false
    case .failed(let failure):
      state.notice = "\(failure)"
      step.dispatch(SessionAction.signOut)
    case .signOut:
      state = State(device: state.device, notice: state.notice)
      step.cancel("signIn")
    }
  }

  /// Fetches new tokens, unless they are here or on their way.
  ///
  /// The server forgets the old tokens. So the exchange is not cancelled halfway.
  private func expire(_ token: Secret<String>, _ state: inout State, _ step: inout Step) throws {
    guard let tokens = state.tokens else { throw Rejection("nobody is signed in") }
    guard tokens.access == token else {
      step.dispatch(SessionAction.refreshed(tokens))
      return
    }
    guard !state.isRefreshing else { return }
    state.isRefreshing = true
    step.effect("refresh", .uncancellable, ending: Self.ending) { [service] in
      try await service.refresh(tokens)
    }
  }

  @Sendable private static func ending(_ result: Result<Tokens, any Error>) -> SessionAction {
    switch result {
    case .success(let tokens): .refreshed(tokens)
    case .failure(let error): .failed(ChatFailure(error))
    }
  }
}

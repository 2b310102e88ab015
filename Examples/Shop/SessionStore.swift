public import FluxCore

/// The actions of a session.
public enum SessionAction: Action, Equatable {
  case signIn(user: String, password: String)
  case signedIn(token: String)
  case refused(reason: String)
  /// The server no longer accepts the token.
  case expire
  case signOut
}

/// The current customer of the shop.
public struct SessionStore: Store {
  /// The customer and the secret token.
  public struct State: StateValue {
    /// The customer's name; nil if nobody is signed in or signing in.
    public internal(set) var user: String?
    /// The token that identifies the customer to the server; a secret.
    public internal(set) var token: String?
    /// The message for the customer.
    public internal(set) var notice: String?
  }

  /// The JSON Pointers of the secrets in states; a recorder should redact them.
  public static let secretStates = ["/session/token"]
  /// The JSON Pointers of the secrets in payloads, by action type.
  public static let secretPayloads = [
    "session/signIn": ["/password"], "session/signedIn": ["/token"],
  ]

  /// A session in which nobody is signed in.
  public let initialState = State()
  private let service: any ShopService

  /// Creates the store.
  ///
  /// - Parameter service: The service that signs customers in.
  public init(service: any ShopService) {
    self.service = service
  }

  /// Signs customers in and out.
  public func reduce(
    _ state: inout State, _ action: SessionAction, _ step: inout Step
  ) throws {
    switch action {
    case .signIn(let user, let password):
      guard state.token == nil else { throw Rejection.impossible }
      state.user = user
      state.notice = nil
      step.effect(
        "signIn", then: SessionAction.signedIn, catch: { .refused(reason: "\($0)") }
      ) { [service] in try await service.signIn(user: user, password: password) }
    case .signedIn(let token):
      state.token = token
    case .refused(let reason):
      state.user = nil
      state.notice = reason
    case .expire:
      guard state.token != nil else { throw Rejection.impossible }
      state = State(notice: "your session has expired")
    case .signOut:
      state = State()
      step.cancel("signIn")
    }
  }
}

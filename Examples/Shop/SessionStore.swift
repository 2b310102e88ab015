public import FluxCore

/// What can happen to a session.
public enum SessionAction: Action, Equatable {
  case signIn(user: String, password: String)
  case signedIn(token: String)
  case refused(reason: String)
  /// The server no longer knows the token.
  case expire
  case signOut
}

/// Who is using the shop.
public struct SessionStore: Store {
  /// The customer, and the secret that the server knows the customer by.
  public struct State: StateValue {
    /// The customer's name; nil where nobody is signed in or about to be.
    public internal(set) var user: String?
    /// What stands for the customer at the server; a secret.
    public internal(set) var token: String?
    /// What the customer has to be told.
    public internal(set) var notice: String?
  }

  /// Where the secrets are in the states, as JSON Pointers; a recorder should leave them out.
  public static let secretStates = ["/session/token"]
  /// Where the secrets are in the payloads, by the types of the actions.
  public static let secretPayloads = [
    "session/signIn": ["/password"], "session/signedIn": ["/token"],
  ]

  /// Nobody is signed in.
  public let initialState = State()
  private let service: any ShopService

  /// Creates the store.
  ///
  /// - Parameter service: Who lets customers in.
  public init(service: any ShopService) {
    self.service = service
  }

  /// Signs in and out.
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

import FluxCore

/// An app with secrets in every place that an app has.
enum VaultAction: Action {
  case login(token: String)
  case register(name: String, password: String, hints: [String])
  case pay(card: Card)
  case refuse(password: String)
  case refuseQuoting(password: String)
  case logout

  struct Card: Codable, Sendable, Equatable {
    let number: Int
    let holder: String
  }
}

struct VaultSession: StateValue {
  var token: String?
  var card: VaultAction.Card?
}

struct SessionStore: Store {
  let id: StoreID = "session"
  let initialState: VaultSession

  init(token: String? = nil) { initialState = VaultSession(token: token) }

  func reduce(_ session: inout VaultSession, _ action: VaultAction, _ step: inout Step) throws {
    switch action {
    case .login(let token): session.token = token
    case .pay(let card): session.card = card
    case .refuse(let password): throw Rejection("the password \(password) is too weak")
    case .refuseQuoting: throw Rejection("cannot do \(action)")
    case .logout: session.token = nil
    case .register: break
    }
  }
}

struct UsersStore: Projection {
  struct User: StateValue {
    let password: String
    let hints: [String]
  }

  let id: StoreID = "users"
  let initialState: [String: User] = [:]

  var reactions: [Reaction<[String: User]>] {
    [
      .on(VaultAction.self) { users, action, _ in
        guard case .register(let name, let password, let hints) = action else { return }
        users[name] = User(password: password, hints: hints)
      }
    ]
  }
}

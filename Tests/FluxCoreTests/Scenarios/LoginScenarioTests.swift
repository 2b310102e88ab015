import FluxCore
import Testing

/// UniFlow's login, with the server behind an effect: scenario U9.
@Suite struct LoginScenarioTests {
  struct Login: Feature {
    enum Phase: StateValue {
      case anonymous
      case loggingIn(name: String)
      case loggedIn(token: String)
    }

    enum Action: FluxCore.Action {
      case setup
      case begin(name: String)
      case succeed(token: String)
      case fail
    }

    let server: @Sendable (_ name: String) async throws -> String

    func reduce(_ login: inout Phase?, _ action: Action, _ step: inout Step) throws {
      switch (login, action) {
      case (nil, .setup):
        login = .anonymous
      case (.anonymous, .begin(let name)):
        login = .loggingIn(name: name)
        step.effect("login", then: Action.succeed, catch: { _ in .fail }) { [server] in
          try await server(name)
        }
      case (.loggingIn, .succeed(let token)):
        login = .loggedIn(token: token)
      case (.loggingIn, .fail):
        login = .anonymous
      default:
        throw Rejection.impossible
      }
    }
  }

  struct WrongName: Error {}

  @Test("U9: Anonymous, LoggingIn(joe), LoggedIn(123) through an effect")
  func succeed() async {
    #expect(
      await phases(name: "joe") == [
        .anonymous, .loggingIn(name: "joe"), .loggedIn(token: "123"),
      ])
  }

  @Test("U9: a login that the server refuses leads back to Anonymous")
  func fail() async {
    #expect(
      await phases(name: "jim") == [.anonymous, .loggingIn(name: "jim"), .anonymous])
  }

  private func phases(name: String) async -> [Login.Phase?] {
    let login = Dispatcher([
      Login { name in
        guard name == "joe" else { throw WrongName() }
        return "123"
      }
    ]).store(Login.self)
    let seen = Recorded<Login.Phase?>()
    let receipt = login.observe(initial: false, { $0 }) { seen.append($0) }
    await login.run(.setup)
    await login.run(.begin(name: name))
    receipt.cancel()
    return seen.all
  }
}

import FluxCore
import Foundation
import TestFixtures
import Testing

/// The code of the page "Coming from Mobius".
@Suite(.hangLimit) struct ComingFromMobiusTests {
  struct Login: StateValue {
    var address = ""
    var isSending = false
    var isOnline = true
    var problem: String?
  }

  enum LoginAction: Action, Equatable {
    case began
    case left
    case network(isOnline: Bool)
    case typed(String)
    case submitted
    case accepted(user: String)
    case refused(reason: String)
  }

  enum GreetingAction: Action, Equatable { case greet(String) }

  struct LoginClient: Sendable {
    let send: @Sendable (_ address: String) async throws -> String
    let network: @Sendable () -> AsyncStream<Bool>
  }

  struct LoginStore: Store {
    let client: LoginClient
    let initialState = Login()

    func reduce(_ login: inout Login, _ action: LoginAction, _ step: inout Step) throws {
      switch action {
      case .began:
        step.effect("network") { [client] send in
          for await isOnline in client.network() { send(LoginAction.network(isOnline: isOnline)) }
        }
      case .left: step.cancel("network")
      case .network(let isOnline): login.isOnline = isOnline
      case .typed(let address):
        login.address = address
        login.problem = nil
      case .submitted:
        guard login.address.contains("@") else { throw Rejection("this is not an address") }
        login.isSending = true
        step.effect("send", then: LoginAction.accepted, catch: { .refused(reason: "\($0)") }) {
          [client, address = login.address] in try await client.send(address)
        }
      case .accepted(let user):
        login.isSending = false
        step.dispatch(GreetingAction.greet(user))
      case .refused(let reason):
        login.isSending = false
        login.problem = reason
      }
    }
  }

  struct GreetingStore: Store {
    let initialState = ""

    func reduce(_ greeting: inout String, _ action: GreetingAction, _ step: inout Step) {
      if case .greet(let user) = action { greeting = "hello \(user)" }
    }
  }

  struct Logger: Middleware {
    let write: @Sendable (String) -> Void

    func didDispatch(_ step: CompletedStep) {
      write("\(step.envelope.action): \(step.outcome.result)")
    }
  }

  @MainActor final class LoginView {
    var text = ""

    init(login: StoreHandle<LoginStore>) {
      login.observe(for: self, { $0.problem ?? $0.address }) { view, text in view.text = text }
    }
  }

  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  let dispatcher: Dispatcher
  let login: StoreHandle<LoginStore>
  let client: LoginClient

  init() {
    client = LoginClient(
      send: { address in
        guard address == "ada@example.org" else { throw Refusal(description: "unknown") }
        return "ada"
      },
      network: {
        AsyncStream {
          $0.yield(false)
          $0.finish()
        }
      })
    dispatcher = Dispatcher([LoginStore(client: client), GreetingStore()])
    login = dispatcher.store(LoginStore.self)
  }

  @Test("its update function")
  func update() {
    let dispatcher = Dispatcher(
      [LoginStore(client: client), GreetingStore()], mode: .simulate)
    let login = dispatcher.store(LoginStore.self)
    #expect(login.dispatch(.submitted).rejection?.message == "this is not an address")
    login.dispatch(.typed("ada@example.org"))
    let outcome = login.dispatch(.submitted)
    #expect(login.isSending)
    #expect(outcome.requestedEffects.map(\.name) == ["send"])
    #expect(login.dispatch(.submitted).result == .unchanged)
  }

  @Test("its effect handlers and event sources")
  func effects() async {
    await login.run(.began)
    #expect(!login.isOnline)
    login.dispatch(.typed("eve@example.org"))
    await login.run(.submitted)
    #expect(login.problem == "unknown")
    login.dispatch(.typed("ada@example.org"))
    await login.run(.submitted)
    #expect(dispatcher[GreetingStore.self] == "hello ada")
    #expect(login.dispatch(.left).requestedEffects.map(\.isCancellation) == [true])
    dispatcher.cancelEffects()
  }

  @Test("its loggers, controllers and views")
  @MainActor
  func views() throws {
    let lines = Recorded<String>()
    dispatcher.use(Logger { lines.append($0) })
    let view = LoginView(login: login)
    let saved = dispatcher.model
    login.dispatch(.typed("ada"))
    #expect(view.text == "ada")
    #expect(lines.all == [#"typed("ada"): changed"#])
    try dispatcher.restore(saved)
    #expect(login.address == "")
  }
}

import Foundation
import Testing

@testable import FluxCore

@Suite struct SecretTests {
  private struct Login: StateValue {
    var name = "ann"
    var password = Secret("hunter2")
    var pin: Secret<Int>? = Secret(1234)
  }

  private func encoded(_ info: [CodingUserInfoKey: any Sendable] = [:]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.userInfo = info
    return String(decoding: try encoder.encode(Login()), as: UTF8.self)
  }

  @Test("an encoder writes a fixed token, unless it has a maker of tokens or is told to reveal")
  func encodes() throws {
    #expect(
      try encoded()
        == #"{"name":"ann","password":"<redacted 0000000000000000>","pin":"<redacted 0000000000000000>"}"#
    )
    #expect(
      try encoded([.revealing: true]) == #"{"name":"ann","password":"hunter2","pin":1234}"#)
    let maker: SecretTokenMaker = { "token of \($0)" }
    #expect(
      try encoded([.secretToken: maker, .revealing: true])
        == #"{"name":"ann","password":"token of hunter2","pin":"token of 1234"}"#)
  }

  @Test("a token is decoded as a token, which stays one and has no value to reveal")
  func decodes() throws {
    let text =
      #"{"name":"ann","password":"<redacted 5f0c2a9e71b3d844>","pin":"<redacted 0c2a9e71b3d8445f>"}"#
    let login = try JSONDecoder().decode(Login.self, from: Data(text.utf8))
    #expect(login.password.isToken && login.pin?.isToken == true)
    #expect(throws: SecretError.token) { try login.password.reveal() }
    let encoder = JSONEncoder()
    encoder.userInfo = [.revealing: true]
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(login), as: UTF8.self) == text)
    let open = try JSONDecoder().decode(
      Login.self, from: Data(#"{"name":"ann","password":"hunter2","pin":1234}"#.utf8))
    #expect(open == Login())
    #expect(try open.password.reveal() == "hunter2")
    #expect(try open.pin?.reveal() == 1234)
  }

  @Test("two values or two tokens can be equal, a value and a token cannot")
  func equality() {
    let token = Secret<String>(token: "<redacted 5f0c2a9e71b3d844>")
    #expect(Secret("a") == Secret("a") && Secret("a") != Secret("b"))
    #expect(token == token && token != Secret<String>(token: "<redacted 0c2a9e71b3d8445f>"))
    #expect(token != Secret("<redacted 5f0c2a9e71b3d844>"))
  }

  @Test("no description shows a value")
  func descriptions() {
    var dumped = ""
    dump(Login(), to: &dumped)
    let texts = ["\(Login())", String(reflecting: Login()), "\(Secret("hunter2"))", dumped]
    #expect(texts.allSatisfy { !$0.contains("hunter2") && $0.contains("<secret>") })
  }

  private struct Vault: Store {
    enum Action: FluxCore.Action { case draw(Int) }
    let initialState: [Secret<String>] = []

    func reduce(_ keys: inout [Secret<String>], _ action: Action, _ step: inout Step) throws {
      guard case .draw(let count) = action else { return }
      for _ in 0..<count { keys.append(step.secret(bytes: 8)) }
    }
  }

  @Test("a step draws secrets from the system, and its replay gets the recorded tokens")
  func draws() throws {
    let dispatcher = Dispatcher([Vault()], seed: 7)
    let outcome = dispatcher.dispatch(Vault.Action.draw(2))
    let keys = try dispatcher[Vault.self].map { try $0.reveal() }
    #expect(keys.count == 2 && keys[0] != keys[1])
    #expect(keys.allSatisfy { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) })
    #expect(outcome.secrets == dispatcher[Vault.self])
    #expect(dispatcher.dispatch(Vault.Action.draw(0)).secrets == [])

    let replay = Dispatcher([Vault()], mode: .replay, seed: 7)
    let monitor = SecretMonitor()
    SecretMonitor.$current.withValue(monitor) {
      let token = "<redacted 5f0c2a9e71b3d844>"
      replay.replay(Vault.Action.draw(1), step: 1, at: .now, secrets: [token])
      #expect(replay[Vault.self] == [Secret(token: token)])
      #expect(!monitor.take())
      // The log has no token for a second one.
      replay.replay(Vault.Action.draw(2), step: 2, at: .now, secrets: [token])
      #expect(replay[Vault.self].last == Secret(token: "<redacted 0000000000000000>"))
      #expect(monitor.take() && !monitor.take())
    }
  }
}

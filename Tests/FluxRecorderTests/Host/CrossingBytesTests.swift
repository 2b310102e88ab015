import FluxCore
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

/// Every byte that a host sends, in all of its parts, of an app with secrets.
@Suite struct CrossingBytesTests {
  private static let secrets = ["sesame-open-42", "correct-horse-7"]

  private enum VaultAction: Action {
    case unlock(password: String), fail(password: String), touch, turn(Key)
  }

  /// A value whose decoding fails with a text of the app.
  private struct Key: Codable, Equatable {
    init(from decoder: any Decoder) throws {
      throw Rejection("the key is not \(CrossingBytesTests.secrets[0])")
    }
  }

  /// A store whose initial state, actions and rejections have secrets.
  private struct VaultStore: Store {
    struct State: StateValue {
      var token = CrossingBytesTests.secrets[0]
      var password: String?
      var count = 0
      var key: Key?
    }

    var initialState: State { State() }

    func reduce(_ vault: inout State, _ action: VaultAction, _ step: inout Step) throws {
      switch action {
      case .unlock(let password): vault.password = password
      case .fail(let password): throw Rejection("\(password) does not open \(vault.token)")
      case .touch: vault.count += 1
      case .turn(let key): vault.key = key
      }
    }
  }

  /// A client without a library: what it sends, and every byte that it gets.
  private struct RawClient {
    private let socket: Descriptor
    private(set) var received: [UInt8] = []
    private var splitter = LineSplitter()
    private var answers: [JSON] = []
    private var number = 0

    init(_ path: String) throws { socket = try Descriptor.connecting(toLocal: path) }

    /// Makes a request, and returns its answer, with a result or an error.
    mutating func ask(_ method: String, _ params: JSON = [:]) throws -> JSON {
      number += 1
      let request: JSON = [
        "jsonrpc": "2.0", "id": JSON(integerLiteral: Int64(number)),
        "method": JSON(stringLiteral: method),
        "params": params,
      ]
      var rest = Array("\(request.text)\n".utf8)[...]
      while !rest.isEmpty, let count = socket.send(rest) { rest = rest.dropFirst(count) }
      while true {
        let id = number
        if let answer = answers.first(where: { $0["id"]?.number?.int64 == Int64(id) }) {
          return answer
        }
        try receive()
      }
    }

    /// Reads until a line has a text.
    mutating func read(until text: String) throws {
      while !String(decoding: received, as: UTF8.self).contains(text) { try receive() }
    }

    private mutating func receive() throws {
      try #require(Descriptor.wait(reading: [socket], writing: nil, milliseconds: 60_000))
      guard case .bytes(let bytes) = socket.receive() else {
        throw LiveFailure.gone
      }
      received += bytes
      splitter.append(bytes)
      while let line = splitter.next() {
        answers.append(try JSON.parse(line))
      }
    }
  }

  /// An app whose dispatcher has met both secrets, and a client of it.
  private func attached(redacting: Bool) throws -> (AttachedApp, RawClient) {
    let stores: @Sendable () -> [any Store] = { [VaultStore()] }
    let app = try AttachedApp(stores(), app: AppDefinition(name: "Vault", stores: stores)) {
      guard redacting else { return }
      $0.redaction = Redaction(
        states: ["/vault/token", "/vault/password"], actions: ["*": ["/password"]])
    }
    let socket = try #require(try app.sockets.sockets().first)
    return (app, try RawClient(socket.path))
  }

  /// Makes a request of each kind; returns the bytes that crossed.
  private func bytes(redacting: Bool) throws -> [UInt8] {
    var (app, client) = try attached(redacting: redacting)
    let greeting = try client.ask("initialize", ["protocol": "2.0"])
    #expect(greeting["result"]?["parts"] == ["live", "replay", "log"])
    _ = try client.ask("live/watch")
    _ = try client.ask("log/follow")
    app.dispatcher.dispatch(VaultAction.unlock(password: Self.secrets[1]))
    app.dispatcher.dispatch(VaultAction.fail(password: Self.secrets[1]))
    try app.recorder.flush()
    try client.read(until: "vault/fail")
    let log = try #require(greeting["result"]?["recording"])
    let recorded = Timeline(try LogFile.open(app.recorder.url.path))
    try recorded.log.waitForIndex()
    let actions = try (0..<2).map { try recorded.step(at: $0).action }
    // Each request, and whether it succeeds; a token is no password.
    let start: JSON = [
      "mode": "simulate", "seed": "0000000000000000", "created": "2026-11-20T12:00:00.000000Z",
      "next": 1, "t": 0,
    ]
    let replayed: JSON = [["t": 0, "action": actions[0]], ["t": 0, "action": actions[1]]]
    let requests: [(String, JSON)] = [
      ("live/present", ["step": 1]), ("live/resume", [:]), ("live/restore", ["step": 1]),
      ("live/dispatch", ["action": ["type": "vault/touch"]]),
      ("live/dispatch", ["action": actions[0]]), ("live/dispatch", ["action": ["type": "vault/x"]]),
      ("live/dispatch", ["action": ["type": "vault/turn", "payload": ["_0": 1]]]),
      ("live/present", ["step": 99, "states": ["vault": ["token": "", "count": 0, "key": 1]]]),
      ("session/start", start), ("session/dispatch", ["session": 1, "actions": replayed]),
      ("session/states", ["session": 1]),
      ("session/upcast", ["session": 1, "states": [["store": "vault", "state": [:]]]]),
      ("actions/source", ["actions": [actions[0], actions[1]]]), ("session/end", ["session": 1]),
      ("verify", ["log": "/etc/passwd"]), ("verify", ["log": "/etc/passwd", "through": 2]),
      ("verify", ["log": log, "through": 99]),
      ("log/launches", [:]), ("log/inflight", ["log": log]), ("log/launch", ["log": log]),
    ]
    for (method, params) in requests { _ = try client.ask(method, params) }
    let verified = try client.ask("verify", ["log": log, "through": 2])
    #expect(verified["result"]?["verdict"] == "passed")
    try app.recorder.close()
    try client.read(until: "log/ended")
    app.host.stop()
    return client.received
  }

  private func secretsFound(in bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    return Self.secrets.flatMap { secret in
      [
        secret, secret.uppercased(), Data(secret.utf8).base64EncodedString(),
        secret.utf8.map { String($0, radix: 16) }.joined(), String(secret.reversed()),
      ].filter { text.contains($0) }
    }
  }

  @Test("no byte of a secret that the recorder redacts crosses, whatever is asked for")
  func redacted() throws {
    let bytes = try bytes(redacting: true)
    #expect(secretsFound(in: bytes) == [])
    #expect(String(decoding: bytes, as: UTF8.self).contains("<redacted "))
  }

  @Test("without a redaction, the same requests bring both")
  func plain() throws {
    let found = secretsFound(in: try bytes(redacting: false))
    for secret in Self.secrets { #expect(found.contains(secret)) }
  }
}

import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Recordings of an app with values of type `Secret`, without any redaction.
@Suite struct RecordedSecretTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Gate: Store {
    struct State: StateValue {
      var key: Secret<String>? = Secret("first key")
      var opened = 0
      var others: [Secret<String>] = []
    }

    enum Action: FluxCore.Action {
      case setKey(Secret<String>)
      case newKey
      case open(String)
      case ask(String)
      case count
    }

    let id: StoreID = "gate"
    let initialState = State()

    func reduce(_ gate: inout State, _ action: Action, _ step: inout Step) throws {
      switch action {
      case .setKey(let key): gate.key = key
      case .newKey:
        gate.key = step.secret(bytes: 8)
        gate.others.append(step.secret(bytes: 8))
      case .open(let key):
        guard try gate.key?.reveal() == key else { throw Rejection("wrong key") }
        gate.opened += 1
      case .ask(let text): throw Rejection("not \(text)")
      case .count: gate.opened += 10
      }
    }
  }

  private func log(_ use: (Dispatcher, Recorder) throws -> Void) throws -> URL {
    let url = folder.url("gate.jsonl")
    let recorder = Recorder(to: url)
    let dispatcher = Dispatcher([Gate()], seed: 7)
    dispatcher.use(recorder)
    try use(dispatcher, recorder)
    try recorder.close()
    return url
  }

  @Test(
    "secrets are tokens in states, payloads, words and actions in flight, drawn ones are listed")
  func tokens() async throws {
    let key = Secret("hunter2")
    var ring = Data()
    var drawn: [String] = []
    let url = try log { dispatcher, recorder in
      dispatcher.dispatch(Gate.Action.setKey(key))
      dispatcher.dispatch(Gate.Action.newKey)
      drawn = try dispatcher[Gate.self].others.map { try $0.reveal() }
      dispatcher.dispatch(Gate.Action.setKey(key))
      dispatcher.dispatch(Batch(nil, [Gate.Action.setKey(key)]))
      dispatcher.dispatch(Gate.Action.ask("HUNTER2"))
      recorder.mark("hunter2")
      try recorder.flush()
      ring = try Data(contentsOf: folder.url(".gate.jsonl.inflight"))
    }
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(drawn.count == 1)
    for secret in ["hunter2", "first key"] + drawn {
      #expect(!text.contains(secret) && ring.range(of: Data(secret.utf8)) == nil)
    }
    var names: [Substring: String] = [:]
    let lines = try linesWithoutSums(url).map { line in
      line.replacing(/<redacted [0-9a-f]{16}>/) { match in
        names[match.output] = names[match.output] ?? "<\(names.count + 1)>"
        return names[match.output] ?? ""
      }.replacing(/"t":[0-9.]+/, with: #""t":0"#)
    }
    #expect(names["<redacted 0000000000000000>"] == nil)
    #expect(lines[0].contains(#""initial":{"key":"<1>","opened":0,"others":[]}"#))
    #expect(lines[1].contains(#""action":{"type":"gate/setKey","payload":{"_0":"<2>"}}"#))
    #expect(lines[2].hasSuffix(#""secrets":["<3>","<4>"]}"#))
    #expect(
      lines[4].contains(
        #""payload":{"actions":[{"type":"gate/setKey","payload":{"_0":"<2>"}}]}"#))
    #expect(lines[5].contains(#""message":"not <2>""#))
    #expect(lines[6] == #"{"mark":"<2>","t":0}"#)

    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    #expect(try log.step(at: 1).secrets.count == 2)
    let report = try await AppDefinition { [Gate()] }.verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
  }

  @Test("a payload right behind the step that draws a secret does not show it")
  func drawn() throws {
    let url = folder.url("drawn.jsonl")
    var options = Recorder.Options()
    options.redaction = Redaction(states: ["/gate/key"])
    let recorder = Recorder(to: url, options: options)
    let dispatcher = Dispatcher([Gate()])
    dispatcher.use(recorder)
    var drawn: [String] = []
    for number in 0..<50 {
      dispatcher.dispatch(Gate.Action.newKey)
      let secret = try #require(try dispatcher[Gate.self].key?.reveal())
      dispatcher.dispatch(Gate.Action.open("copy \(number) of \(secret)"))
      drawn.append(secret)
    }
    try recorder.close()
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains("copy 49 of <redacted "))
    #expect(!drawn.contains(where: text.contains))
  }

  private struct Vault: Store {
    struct State: StateValue { var key = Secret(Data("-----BEGIN KEY-----\nabc".utf8)) }
    enum Action: FluxCore.Action { case ask(String) }

    let id: StoreID = "vault"
    let initialState = State()

    func reduce(_ vault: inout State, _ action: Action, _ step: inout Step) throws {
      guard case .ask(let text) = action else { return }
      throw Rejection("no \(text)")
    }
  }

  @Test("the text in secret data is replaced like the data")
  func data() throws {
    let url = folder.url("vault.jsonl")
    let recorder = Recorder(to: url)
    let dispatcher = Dispatcher([Vault()])
    dispatcher.use(recorder)
    dispatcher.dispatch(Vault.Action.ask("-----begin key-----\r\nABC"))
    try recorder.close()
    let lines = try linesWithoutSums(url)
    #expect(lines[1].wholeMatch(of: /.*"message":"no <redacted [0-9a-f]{16}>".*/) != nil)
  }

  @Test("a redispatched step draws the secrets that it drew in the recording")
  func redispatched() throws {
    let url = try log { dispatcher, _ in
      dispatcher.dispatch(Gate.Action.count)
      dispatcher.dispatch(Gate.Action.newKey)
      dispatcher.dispatch(Gate.Action.newKey)
      dispatcher.dispatch(Gate.Action.count)
    }
    let timeline = Timeline(try LogFile.open(url.path))
    let app = AppDefinition { [Gate()] }
    let fork = try Fork.redispatching(0..<4, of: timeline, in: app)
    #expect(try fork.compare().isSame)
    let times = try (0..<4).map { try timeline.log.step(at: $0).time }
    #expect(fork.steps.map(\.time) == times)
    let shorter = try Fork.redispatching(0..<4, of: timeline, in: app, skipping: [1])
    #expect(shorter.steps.map(\.number) == [1, 2, 3])
    let recorded = try timeline.model(at: 3).json["gate"]
    #expect(shorter.model["gate"]?["key"] == recorded?["key"])
    #expect(shorter.model["gate"]?["others"] == recorded?["others"])
    #expect(shorter.model["gate"]?["opened"] == 10)
  }

  @Test("a replayed step that reveals a token is not compared, and the steps after it are")
  func revealing() async throws {
    let url = try log { dispatcher, _ in
      dispatcher.dispatch(Gate.Action.count)
      dispatcher.dispatch(Gate.Action.open("first key"))
      dispatcher.dispatch(Gate.Action.open("no key"))
      dispatcher.dispatch(Gate.Action.count)
    }
    let report = try await AppDefinition { [Gate()] }.verify(LogFile.open(url.path))
    #expect(
      report.text == """
        passed: \(url.path): 2 steps compared
          redacted, not compared: /gate/key
          note: 1 redacted value not compared, except for its presence
          note: 2 steps not compared: they need the value of a secret that the log does not have: steps 2, 3

        """)
    let error = try #require(throws: UpdateError.self) {
      try RecordingUpdate(
        of: Timeline(LogFile.open(url.path)), in: AppDefinition { [Gate()] },
        options: .init(environment: [:])
      ).write(to: url.path)
    }
    #expect(error.reason == .needsSecret(step: 2, action: "gate/open"))
  }

  @Test(
    "an action in flight that drew a secret is not rebuilt, because only its line has the token")
  func inFlight() throws {
    let recorder = Recorder(to: folder.url("gate.jsonl"))
    let dispatcher = Dispatcher([Gate()], seed: 7)
    dispatcher.use(recorder)
    dispatcher.dispatch(Gate.Action.count)
    dispatcher.dispatch(Gate.Action.newKey)
    dispatcher.dispatch(Gate.Action.count)
    let crashed = folder.url("crashed.jsonl")
    try FileManager.default.copyItem(
      atPath: folder.path(".gate.jsonl.inflight"), toPath: folder.path(".crashed.jsonl.inflight"))
    try recorder.close()
    let header =
      try String(contentsOf: folder.url("gate.jsonl"), encoding: .utf8)
      .prefix { $0 != "\n" } + "\n"
    try header.write(to: crashed, atomically: true, encoding: .utf8)
    let report = try CrashRepair(
      of: Timeline(LogFile.open(crashed.path)), in: AppDefinition { [Gate()] }
    ).write(to: folder.path("copy.jsonl"))
    #expect(report.rebuiltSteps == 1)
    #expect(
      report.notes == [
        "step 2, gate/newKey, is not rebuilt: it needs a secret whose value or token only the app had"
      ])
  }
}

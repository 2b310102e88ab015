import FluxInspector
import FluxJSON
import FluxReplay
import FluxSystem
import TestFixtures
import Testing

@testable import FluxAgent

/// A running app that takes whatever it is asked.
final class ShownApp: LiveApp {
  private let requests = Monitor<[LiveRequest]>([])
  private let shown = Monitor(LivePresentation())
  let welcome: Welcome
  let logPath: String?
  let replay: (any ReplayApp)?
  let ending: LiveFailure? = nil

  /// The app names the log as it sees it on a device; `log` is its copy here.
  init(_ log: String, replay: (any ReplayApp)? = nil) {
    welcome = Welcome(
      AppDescription(name: "Counter"), process: 42, parts: [.live], log: "/device/counter.jsonl")
    (logPath, self.replay) = (log, replay)
  }

  var asked: [LiveRequest] { requests.withLock { $0 } }

  var presentation: LivePresentation {
    get { shown.withLock { $0 } }
    set { shown.withLock { $0 = newValue } }
  }

  func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON {
    requests.withLock { $0.append(request) }
    if case .dispatch(let action, _) = request {
      guard action["type"] == "counter/add" else {
        throw .undecodable("no action \(action["type"] ?? .null)")
      }
      return ["step": 4, "last": 4, "verdict": "accepted"]
    }
    return [:]
  }
}

/// The tools of a server that is attached to a running app.
@Suite struct RunningAppToolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      ([ReplayToolTests.header] + ReplayToolTests.steps).map { "\($0)\n" }.joined(),
      to: "counter.jsonl")
  }

  @Test("the tools of the running app ask it, and are listed only for one")
  func runningApp() throws {
    let app = ShownApp(folder.path("counter.jsonl"))
    var world = AgentClient.world([], folder)
    world.attach = { _ in app }
    let client = AgentClient(world)
    let names = try client.ask("tools/list")["tools"]?.elements.compactMap { $0["name"]?.string }
    #expect(names?.suffix(4) == ["app_state", "app_dispatch", "app_show", "app_restore"])
    #expect(
      try client.call("app_state", ["path": "counter.count"]).text
        == #"{"log":"counter.jsonl","n":4,"app":"live","value":7}"#)
    #expect(try client.call("app_show", ["n": 1])["result"]?.text == #"{"app":"showing","step":1}"#)
    #expect(try client.call("app_restore", ["n": 3])["result"]?["app"] == "restored")
    #expect(
      try client.call(
        "app_dispatch", ["action": ["type": "counter/add", "payload": ["amount": 3]]])["result"]?[
          "steps"]?[0]?["n"]
        == 4)
    #expect(
      try client.failure("app_dispatch", ["action": ["type": "x"]])
        == #"app_dispatch: no action "x""#)
    #expect(
      try client.failure("app_dispatch", ["action": "counter/add"])
        == #"app_dispatch: an action is an object with a type: {"type":"todo/add"}"#)
    #expect(
      app.asked.prefix(2) == [
        .present(LivePosition(step: 1), ignoresActions: false), .restore(LivePosition(step: 3)),
      ])
    // The log of the app can be read by its name.
    #expect(try client.call("overview", ["log": "counter.jsonl"])["info"]?["steps"] == 4)
  }

  @Test("the state of an app that went back to a model which its log lists is that model")
  func restoredApp() throws {
    let gap = #"{"gap":{"from":2,"to":1,"why":"restored"},"states":{"counter":{"count":0}}}"#
    try folder.write(
      [ReplayToolTests.header, ReplayToolTests.steps[0], gap].map { "\($0)\n" }.joined(),
      to: "restored.jsonl")
    let app = ShownApp(folder.path("restored.jsonl"))
    var world = AgentClient.world([], folder)
    world.attach = { _ in app }
    let client = AgentClient(world)
    let note =
      "the app was set to another model after this step, and has not dispatched an action since"
    for (path, value) in [
      ("counter", #"{"count":0}"#), ("counter.count > 1", "false"),
      ("counter.*", #"[{"path":"/counter/count","value":0}]"#),
    ] {
      #expect(
        try client.call("app_state", ["path": .init(stringLiteral: path)]).text
          == #"{"log":"restored.jsonl","n":1,"app":"live","value":\#(value),"notes":["\#(note)"]}"#)
    }
    #expect(try client.call("app_state", [:])["value"]?.text == #"{"counter":{"count":0}}"#)
    #expect(
      try client.failure("app_state", ["path": "counter.total"])
        == "app_state: counter.total has no value in the model that the app was set to")
  }
}

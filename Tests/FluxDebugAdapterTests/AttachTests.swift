import FluxInspector
import FluxJSON
import FluxReplay
import FluxSystem
import Testing

/// A running app that records what it is asked.
private final class ShownApp: LiveApp {
  private struct State {
    var requests: [LiveRequest] = []
    var failure: LiveFailure?
    var presentation = LivePresentation()
  }

  private let state = Monitor(State())
  let welcome: Welcome
  let ending: LiveFailure? = nil

  init(_ log: String) {
    welcome = Welcome(
      AppDescription(name: "Shop"), process: 42, parts: [.live], log: log)
  }

  var requests: [LiveRequest] { state.withLock { $0.requests } }

  func fail(_ failure: LiveFailure) { state.withLock { $0.failure = failure } }

  var presentation: LivePresentation {
    get { state.withLock { $0.presentation } }
    set { state.withLock { $0.presentation = newValue } }
  }

  func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON {
    let failure = state.withLock { state in
      state.requests.append(request)
      return state.failure
    }
    if let failure { throw failure }
    return [:]
  }
}

/// An `attach` to a running app.
@Suite struct AttachTests {
  private func present(_ step: UInt64) -> LiveRequest {
    .present(LivePosition(step: step), ignoresActions: false)
  }

  private func attach(
    _ arguments: JSON, to app: ShownApp, _ shop: RecordedShop
  ) throws -> DebugClient {
    let client = try DebugClient(attach: { name in
      guard name == "Shop" else { throw CommandError(.notFound, "no running app is named \(name)") }
      return app
    })
    try client.ask("initialize", ["adapterID": "flux"])
    try client.ask("attach", arguments)
    try client.ask("configurationDone")
    _ = try client.stop()
    return client
  }

  @Test("the app shows each step at which the debugger stops, and is live at the newest")
  func shows() throws {
    let shop = try RecordedShop()
    let app = ShownApp(shop.log)
    let client = try attach(["process": "Shop"], to: app, shop)
    _ = try client.move("stepBack")
    _ = try client.move("next")
    #expect(app.requests == [.resume, present(7), .resume])
  }

  @Test("the app shows nothing if show is false")
  func showsNothing() throws {
    let shop = try RecordedShop()
    let app = ShownApp(shop.log)
    let client = try attach(["process": "Shop", "show": false], to: app, shop)
    _ = try client.move("stepBack")
    #expect(app.requests == [])
  }

  @Test("a failure of the app is told, and the debugger moves on")
  func failure() throws {
    let shop = try RecordedShop()
    let app = ShownApp(shop.log)
    app.fail(.gone)
    let client = try attach(["process": "Shop"], to: app, shop)
    _ = try client.move("stepBack")
    #expect(client.output.contains { $0.contains("the app has ended") })
  }

  @Test("an app that does not run is a refused attach")
  func missing() throws {
    let shop = try RecordedShop()
    let app = ShownApp(shop.log)
    let client = try DebugClient(attach: { _ in
      throw CommandError(.notFound, "no running app is named Shop")
    })
    try client.ask("initialize", ["adapterID": "flux"])
    #expect(try client.refusal("attach", ["process": "Shop"]) == "no running app is named Shop")
    #expect(
      try client.refusal("attach", [:])
        == #"attach: the log is missing; name it as "log", or a running app as "process""#)
    withExtendedLifetime(app) {}
  }
}

import FluxEditor
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
    var ending: LiveFailure?
    var presentation = LivePresentation()
    /// `true` while a request waits for ``release()``.
    var isHeld = false
    var holdsNext = false
  }

  private let state = Monitor(State())
  let welcome: Welcome
  var ending: LiveFailure? { state.withLock { $0.ending } }

  init(_ log: String) {
    welcome = Welcome(
      AppDescription(name: "Shop"), process: 42, parts: [.live], log: log)
  }

  var requests: [LiveRequest] { state.withLock { $0.requests } }

  func fail(_ failure: LiveFailure) { state.withLock { $0.failure = failure } }

  func end() { state.withLock { $0.ending = .gone } }

  /// The next request is answered after ``release()`` only.
  func holdNext() { state.withLock { $0.holdsNext = true } }

  /// Waits until a request is held; returns `false` after five seconds.
  func waitUntilHeld() -> Bool { state.waitUntil(milliseconds: 5000, { $0.isHeld }) { $0.isHeld } }

  func release() {
    state.withLock { $0.isHeld = false }
    state.signal()
  }

  var presentation: LivePresentation {
    get { state.withLock { $0.presentation } }
    set { state.withLock { $0.presentation = newValue } }
  }

  func ask(_ request: LiveRequest) throws(LiveFailure) -> JSON {
    let failure = state.withLock { state in
      state.requests.append(request)
      (state.isHeld, state.holdsNext) = (state.holdsNext, false)
      return state.failure
    }
    state.signal()
    state.waitUntil(milliseconds: 20_000, { !$0.isHeld }) { _ in }
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
    let client = try DebugClient(attach: { address in
      let expected: AppAddress = .local("Shop")
      guard address == expected else { throw CommandError(.notFound, "no app at \(address)") }
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

  @Test("a request that follows a stop at once sees the new position")
  func published() throws {
    let shop = try RecordedShop()
    let app = ShownApp(shop.log)
    let client = try attach(["process": "Shop"], to: app, shop)
    app.holdNext()
    try client.ask("stepBack", ["threadId": 1])
    #expect(app.waitUntilHeld())
    #expect(try client.frames().first?["name"] == "7 search/type")
    app.release()
    #expect(try client.stop() == "step: 7 search/type")
  }

  @Test("the app goes on while the debugger waits for its next step, and its end is a stop")
  func waits() throws {
    let shop = try RecordedShop([RecordedShop.header] + RecordedShop.steps)
    let app = ShownApp(shop.log)
    let client = try attach(["process": "Shop"], to: app, shop)
    _ = try client.move("stepBack")
    try client.ask("continue", ["threadId": 1])
    // Unlike requests that only read, this one comes after the search.
    try client.ask("evaluate", ["expression": "print $.n", "context": "repl"])
    #expect(app.requests == [.resume, present(7), .resume])
    app.end()
    #expect(try client.stop() == "end: 8 cart/clear")
  }

  @Test(
    "an app is named by its name or process, its container, the port on which it connects, or its address",
    arguments: [
      (["process": 4242], .local("4242")), (["process": "4242"], .local("4242")),
      (
        ["process": "Shop", "container": "com.example.shop"],
        .local("Shop", container: "com.example.shop")
      ),
      (["listen": 4711], .listening(on: NetworkAddress(port: 4711))),
      (
        ["listen": "0.0.0.0:0", "tokenFile": "t"],
        .listening(on: NetworkAddress(host: "0.0.0.0", port: 0), tokenFile: "t")
      ),
      (["connect": "[::1]:80"], .at(NetworkAddress(host: "::1", port: 80))),
    ] as [(JSON, AppAddress)])
  func addresses(_ arguments: JSON, _ expected: AppAddress) throws {
    let shop = try RecordedShop()
    let app = ShownApp(shop.log)
    let asked = Monitor<AppAddress?>(nil)
    let client = try DebugClient(attach: { address in
      asked.withLock { $0 = address }
      return app
    })
    try client.ask("initialize", ["adapterID": "flux"])
    try client.ask("attach", arguments)
    #expect(asked.withLock { $0 } == expected)
  }

  @Test("an address that is none is refused")
  func noAddress() throws {
    let shop = try RecordedShop()
    let app = ShownApp(shop.log)
    let client = try DebugClient(attach: { _ in app })
    try client.ask("initialize", ["adapterID": "flux"])
    #expect(
      try client.refusal("attach", ["listen": "here"]).contains(
        "here is not an address; expected HOST:PORT or a port"))
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

  @Test("the console reports once, and at once, that the app has ended", arguments: [false, true])
  func ending(isClosed: Bool) throws {
    let lines = [RecordedShop.header] + RecordedShop.steps
    let shop = try RecordedShop(isClosed ? lines + [RecordedShop.end] : lines)
    let app = ShownApp(shop.log)
    let client = try attach(["process": "Shop"], to: app, shop)
    app.end()
    while client.output.last != "the app has ended; its log stays open\n" {
      try client.event("output")
    }
    _ = try client.move("stepBack")
    _ = try client.move("stepBack")
    #expect(client.output.count { $0.contains("the app has ended") } == 1)
    #expect(app.requests == [.resume])
  }

  @Test("the end of a session says what is left of its app")
  func closing() throws {
    let shop = try RecordedShop()
    let app = ShownApp(shop.log)
    let client = try attach(["process": "Shop"], to: app, shop)
    #expect(!client.output.contains { $0.contains("the copy is kept") })
    try client.ask("disconnect")
    while !client.output.contains(where: { $0.contains("the copy is kept") }) {
      try client.event("output")
    }
    #expect(client.waitForEnd() == .closed)
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

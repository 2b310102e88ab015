import FluxCore
import FluxHost
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

/// Inspectors of an app over TCP, both in this process.
@Suite struct AppHostNetworkTests {
  private static let token = AccessToken(byteCount: 16)
  private static let stores: @Sendable () -> [any Store] = { [TallyStore(), Lamp()] }
  private static let add: JSON = ["type": "tally/add", "payload": ["_0": 1]]

  private func listeningApp() throws -> AttachedApp {
    try AttachedApp(
      app: AppDefinition(name: "Tally", stores: Self.stores), listensOn: 0,
      token: Self.token.text)
  }

  /// Carries out each kind of request.
  private func use(_ client: LiveConnection, of app: AttachedApp) throws {
    let before = app.dispatcher.store(TallyStore.self).state.total
    let dispatched = try client.dispatch(Self.add, to: nil)
    #expect(dispatched.verdict == "changed")
    _ = try client.dispatch(Self.add, to: nil)
    #expect(app.dispatcher.store(TallyStore.self).state.total == before + 2)
    let step = try #require(dispatched.step)
    try client.present(step, ignoresActions: false) { [:] }
    _ = try client.ask(.resume)
    try client.restore(step) { [:] }
    #expect(app.dispatcher.store(TallyStore.self).state.total == before + 1)
    try app.recorder.flush()
    let timeline = Timeline(try LogFile.open(app.recorder.url.path))
    let replay = try #require(client.replay)
    let report = try replay.verify(timeline)
    #expect(report.verdict == .passed, "\(report.text)")
    let fork = try Fork(at: 0, of: timeline, in: replay)
    try fork.dispatch(Self.add)
    #expect(fork.steps.count == 1)
  }

  @Test("an inspector that knows the token of an app that listens does what a local one does")
  func listening() throws {
    let app = try listeningApp()
    let client = try app.connect(Self.token)
    #expect(client.transport == .tcp && client.id == "\(getpid())")
    #expect(client.welcome == (try app.attach().welcome))
    try use(client, of: app)
  }

  @Test("a wrong token, and none, are refused, and the app goes on")
  func wrongToken() throws {
    let app = try listeningApp()
    let address = NetworkAddress(port: try #require(app.host.port))
    #expect(
      throws: LiveFailure.refused(
        "cannot attach to \(address): it closed the connection; its token may be different")
    ) { try app.connect(AccessToken(byteCount: 16)) }
    #expect(
      throws: LiveFailure.refused(
        "cannot attach to \(address): the token is not 32 hexadecimal digits")
    ) { try app.connect(AccessToken("secret")) }
    try use(try app.connect(Self.token), of: app)
  }

  @Test("an app connects to an inspector that listens, and the next one waits for the next session")
  func connecting() throws {
    let inspector = try ListeningInspector(NetworkAddress(port: 0), Self.token)
    let app = try AttachedApp(
      app: AppDefinition(name: "Tally", stores: Self.stores),
      connectsTo: "\(inspector.address)", token: Self.token.text)
    let client = try #require(inspector.next(isCancelled: { false }, refused: { _ in }))
    try use(client, of: app)
    // Another app waits for the next session.
    let other = try AttachedApp(connectsTo: "\(inspector.address)", token: Self.token.text)
    let waiting = try #require(inspector.next(isCancelled: { false }, refused: { _ in }))
    #expect(waiting.welcome.log == other.recorder.url.path)
    try use(client, of: app)
  }

  @Test("an inspector that listens tells why an app was refused, and goes on waiting")
  func refused() throws {
    let inspector = try ListeningInspector(NetworkAddress(port: 0), Self.token)
    let stranger = try AttachedApp(
      connectsTo: "\(inspector.address)", token: AccessToken(byteCount: 16).text)
    var app: AttachedApp?
    var reasons: [Handshake.Failure] = []
    let client = try inspector.next(isCancelled: { false }) { reason in
      reasons.append(reason)
      app = try AttachedApp(connectsTo: "\(inspector.address)", token: Self.token.text)
    }
    #expect(reasons == [.ended])
    #expect(client?.welcome.log == app?.recorder.url.path)
    #expect(client?.welcome.log != stranger.recorder.url.path)
  }

  @Test("an app that connects again goes on with its session, over the new connection")
  func reconnecting() throws {
    let inspector = try ListeningInspector(NetworkAddress(port: 0), Self.token)
    let relay = try Relay(to: inspector.address)
    let app = try AttachedApp(
      app: AppDefinition(name: "Tally", stores: Self.stores), connectsTo: "\(relay.address)",
      token: Self.token.text)
    let client = try #require(inspector.next(isCancelled: { false }, refused: { _ in }))
    try use(client, of: app)
    try client.watch()
    while client.announcedSteps(after: nil).isEmpty { app.dispatcher.dispatch(TallyAction.add(1)) }
    let first = client.announcedSteps(after: nil).first
    client.presentation.isPaused = true
    relay.loseCallers()
    // The app tries again after a second.
    while client.presentation.isPaused { sched_yield() }
    try use(client, of: app)
    #expect(client.ending == nil && inspector.waiting == nil)
    // It announces its steps again, and the earlier ones are kept.
    let last = client.announcedSteps(after: nil).last?.number
    while client.announcedSteps(after: last).isEmpty {
      app.dispatcher.dispatch(TallyAction.add(1))
      sched_yield()
    }
    #expect(client.announcedSteps(after: nil).first == first)
  }

  @Test("what an app is asked for and cannot do is its failure only if no inspector reaches it")
  func failure() throws {
    let folder = try TemporaryFolder()
    let recorder = Recorder(to: folder.url("own.jsonl"))
    func host(
      _ address: String?, _ token: String?, in folders: [LiveFolder] = [],
      _ environment: [String: String] = [:], port: UInt16? = nil
    ) -> AppHost {
      AppHost(
        recorder, app: AppDefinition(name: "Own", stores: Self.stores), connectsTo: address,
        listensOn: port, token: token, in: folders, environment: environment)
    }
    #expect(host(nil, nil).failure == nil)
    #expect(host("127.0.0.1:1", Self.token.text).failure == nil)
    #expect(
      host("127.0.0.1:1", nil).failure
        == "FLUX_INSPECTOR_TOKEN is not set; flux-inspect attach --listen prints it")
    #expect(
      host(nil, nil, ["FLUX_INSPECTOR": "nowhere", "FLUX_INSPECTOR_TOKEN": Self.token.text]).failure
        == "FLUX_INSPECTOR is nowhere, and has to be HOST:PORT")
    #expect(
      host("127.0.0.1:1", "short").failure
        == "the token is not 32 hexadecimal digits, which flux-inspect attach --listen prints")
    #expect(host("127.0.0.1:1", nil, in: [LiveFolder(path: folder.path("s"))]).failure == nil)
    let refused = SystemError("start a thread for", code: EAGAIN)
    RefusedThreads.$failure.withValue(refused) {
      #expect(
        host("127.0.0.1:1", Self.token.text, port: 0).failure
          == "\(refused.text(about: "the inspector at 127.0.0.1:1")); \(refused.text(about: "port 0"))"
      )
    }
  }

  @Test("an altered message ends the connection, and is not obeyed")
  func altered() throws {
    var generator = SeededGenerator()
    let app = try listeningApp()
    for _ in 0..<40 {
      let relay = try Relay(to: NetworkAddress(port: try #require(app.host.port)))
      let client = try app.connect(Self.token, through: relay.address.port)
      let before = app.dispatcher.store(TallyStore.self).state.total
      let fromApp = Bool.random(using: &generator)
      // Within the request or its answer, which are longer.
      relay.alter(after: Int.random(in: 0..<80, using: &generator), fromTarget: fromApp)
      #expect(throws: LiveFailure.self) { try client.dispatch(Self.add, to: nil) }
      let obeyed = app.dispatcher.store(TallyStore.self).state.total - before
      #expect(obeyed == (fromApp ? 1 : 0))
    }
    try use(try app.connect(Self.token), of: app)
  }

  @Test("connections reset at random points lose no acknowledged action, and the app goes on")
  func resets() throws {
    var generator = SeededGenerator()
    let app = try listeningApp()
    let address = NetworkAddress(port: try #require(app.host.port))
    var (acknowledged, asked) = (0, 0)
    let isSoak = ProcessInfo.processInfo.environment["FLUX_SOAK"] != nil
    for _ in 0..<(isSoak ? 300 : 60) {
      let relay = try Relay(to: address)
      relay.cut(
        after: Int.random(in: 0..<6000, using: &generator),
        fromTarget: Bool.random(using: &generator))
      do {
        let client = try app.connect(Self.token, through: relay.address.port)
        for _ in 0..<20 {
          asked += 1
          _ = try client.dispatch(Self.add, to: nil)
          acknowledged += 1
        }
      } catch is LiveFailure {
        // As usual for a connection that breaks.
      }
    }
    print("\(acknowledged) of \(asked) actions were acknowledged")
    let client = try app.connect(Self.token)
    _ = try client.dispatch(Self.add, to: nil)
    let total = app.dispatcher.store(TallyStore.self).state.total
    #expect(total > acknowledged && total <= asked + 1)
    #expect(try app.lines().count == total)
    try use(client, of: app)
  }

  @Test("a host that is stopped closes its port and its connections")
  func stop() throws {
    let app = try listeningApp()
    let client = try app.connect(Self.token)
    app.host.stop()
    #expect(throws: LiveFailure.gone) { while true { _ = try client.ask(.watch) } }
  }
}

/// A relay between two sides of connections, which breaks what passes.
private final class Relay: Sendable {
  private struct State {
    /// The bytes that pass in each direction until the connection breaks, or one is altered.
    var rest: [Bool: Int] = [:]
    var alters = false
    var isOver = false
    /// The connections: from who has connected, and to the target.
    var pairs: [(caller: Descriptor, target: Descriptor)] = []
    /// The ends that stay open although the other one is lost.
    var halfOpen: [Descriptor] = []
  }

  private let listener: NetworkListener
  private let state = Monitor(State())
  private let waker: Waker

  var address: NetworkAddress { listener.address }

  init(to target: NetworkAddress) throws {
    listener = try NetworkListener(NetworkAddress(port: 0))
    waker = try Waker()
    Thread { [listener, state, waker] in
      while !state.withLock({ $0.isOver }) { Self.turn(listener, target, state, waker) }
    }.start()
  }

  deinit {
    state.withLock { $0.isOver = true }
    waker.wake()
  }

  /// Breaks the connection after so many bytes to or from the target.
  func cut(after count: Int, fromTarget: Bool) { state.withLock { $0.rest[fromTarget] = count } }

  /// Alters a byte to or from the target, after so many others.
  func alter(after count: Int, fromTarget: Bool) {
    state.withLock { ($0.rest[fromTarget], $0.alters) = (count, true) }
  }

  /// Ends the connections of those who have connected; the target does not see that.
  func loseCallers() {
    state.withLock { state in
      for pair in state.pairs {
        _ = shutdown(pair.caller.number, Int32(SHUT_RDWR))
        state.halfOpen.append(pair.target)
      }
      state.pairs = []
    }
    waker.wake()
  }

  private static func turn(
    _ listener: NetworkListener, _ target: NetworkAddress, _ state: Monitor<State>, _ waker: Waker
  ) {
    let pairs = state.withLock { $0.pairs }
    let streams = [waker.reading, listener.socket] + pairs.flatMap { [$0.caller, $0.target] }
    Descriptor.wait(reading: streams, writing: nil, milliseconds: -1)
    waker.reset()
    if let caller = try? listener.accept(), let target = try? Descriptor.connecting(to: target) {
      state.withLock { $0.pairs.append((caller, target)) }
    }
    for pair in pairs where state.withLock({ $0.pairs.contains { $0.caller === pair.caller } }) {
      let isOpen =
        pass(from: pair.caller, to: pair.target, fromTarget: false, state)
        && pass(from: pair.target, to: pair.caller, fromTarget: true, state)
      guard !isOpen else { continue }
      for end in [pair.caller, pair.target] { _ = shutdown(end.number, Int32(SHUT_RDWR)) }
      state.withLock { state in state.pairs.removeAll { $0.caller === pair.caller } }
    }
  }

  /// Hands on what is there; returns `false` if the connection is to end.
  private static func pass(
    from one: Descriptor, to other: Descriptor, fromTarget: Bool, _ state: Monitor<State>
  ) -> Bool {
    var bytes: [UInt8]
    switch one.receive() {
    case .nothing: return true
    case .end: return false
    case .bytes(let received): bytes = received
    }
    let isCut = state.withLock { state in
      guard let rest = state.rest[fromTarget] else { return false }
      state.rest[fromTarget] = rest - bytes.count
      guard rest < bytes.count else { return false }
      state.rest[fromTarget] = nil
      if state.alters {
        bytes[rest] ^= 1
      } else {
        bytes.removeSubrange(rest...)
      }
      return !state.alters
    }
    var unsent = bytes[...]
    while !unsent.isEmpty {
      guard let count = other.send(unsent) else { return false }
      unsent = unsent.dropFirst(count)
    }
    return !isCut
  }
}

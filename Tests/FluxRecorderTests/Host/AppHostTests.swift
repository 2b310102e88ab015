import CXNU
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

/// Clients of an app, both in this process, over real sockets.
@Suite struct AppHostTests {
  /// A view of the tally: the totals that it has shown, in order.
  @MainActor private final class View: Sendable {
    var totals: [Int] = []

    init(_ dispatcher: Dispatcher) {
      dispatcher.store(TallyStore.self).observe(for: self, \.total) { view, total in
        view.totals.append(total)
      }
    }

    /// Waits until the view shows a total.
    func wait(for total: Int) async {
      while totals.last != total { await Task.yield() }
    }
  }

  @Test("the folder and the socket belong to the user alone, and go with the host")
  func modes() throws {
    let app = try AttachedApp()
    #expect(try app.folder.permissions(of: "s") == 0o700)
    let name = try #require(try app.sockets.sockets().first?.path.split(separator: "/").last)
    #expect(try app.folder.permissions(of: "s/\(name)") == 0o600)
    app.host.stop()
    #expect(try app.sockets.sockets() == [])
  }

  @Test("the app describes itself")
  func welcome() throws {
    let app = try AttachedApp(allows: [.watch, .present])
    let client = try app.attach()
    var welcome = Welcome(
      AppDescription(name: "Tally", version: "1.0"), process: UInt64(getpid()),
      parts: [.live, .log], log: app.folder.path("tally.jsonl"), allows: [.watch, .present])
    welcome.recording = try LogFile.open(app.recorder.url.path).header.log
    #expect(client.welcome == welcome)
    #expect(welcome.recording != nil && !client.sendsLog)
    #expect(
      throws: LiveFailure.refused("the app does not allow restore; it allows only watch, present")
    ) {
      try client.restore(0) { [:] }
    }
  }

  @Test("an app whose recording failed says why, and serves no replay")
  func failed() throws {
    let other = try AttachedApp()
    var options = Recorder.Options()
    options.log.existing = .refuse
    let recorder = Recorder(to: other.recorder.url, options: options)
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    dispatcher.use(recorder)
    let place = LiveFolder(path: other.folder.path("t"))
    let host = AppHost(recorder, app: tally(), dispatcher: dispatcher, in: [place])
    defer { host.stop() }
    let socket = try #require(try place.sockets().first)
    let client = try #require(try LiveConnection.connect(to: socket))
    let failure = try #require(recorder.failure)
    #expect(client.welcome.problem == failure.message)
    #expect(!client.welcome.parts.contains("replay"))
  }

  @Test("a copy of the log has a step before the request that dispatched it is answered")
  func log() throws {
    let app = try AttachedApp()
    let client = try app.attach()
    let copy = try LogCopy(at: app.folder.path("copy.jsonl"))
    func check() throws {
      #expect(try app.folder.text(of: "copy.jsonl") == app.folder.text(of: "tally.jsonl"))
    }
    #expect(try client.follower.follow(into: copy))
    try check()
    for _ in 0..<20 {
      _ = try client.dispatch(["type": "tally/add", "payload": ["_0": 1]], to: nil)
      try check()
      try client.restore(0) { [:] }
      try check()
    }
    try app.recorder.close()
    #expect(copy.waitForEnd(milliseconds: 60_000))
    #expect(copy.isClosed == true)
    try check()
  }

  @Test("a client of another user is told nothing")
  func otherUser() throws {
    let app = try AttachedApp(user: geteuid() + 1)
    let socket = try #require(try app.sockets.sockets().first)
    #expect(throws: LiveFailure.gone) { try LiveConnection.connect(to: socket) }
    let own = try AttachedApp()
    let ownSocket = try #require(try own.sockets.sockets().first)
    #expect(throws: LiveFailure.refused("\(ownSocket.path) is served by user \(geteuid())")) {
      try LiveConnection.connect(to: ownSocket, user: geteuid() + 1)
    }
  }

  @Test(
    "a process of another user gets no byte, even if it can open folder and socket",
    .enabled(if: geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/python3")))
  func processOfAnotherUser() throws {
    let app = try AttachedApp()
    let socket = try #require(try app.sockets.sockets().first)
    for (path, mode) in [(app.sockets.path, 0o755), (socket.path, 0o666)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    func answer(to user: Int) throws -> String {
      let client = Process()
      client.executableURL = URL(filePath: "/usr/bin/python3")
      let line = RPCLine.request(1, .initialize, Greeting())
      client.arguments = [
        "-c",
        """
        import os, socket, sys
        os.setuid(int(sys.argv[1]))
        client = socket.socket(socket.AF_UNIX)
        client.connect(sys.argv[2])
        try:
            client.sendall(sys.argv[3].encode())
            print(len(client.recv(1)))
        except (BrokenPipeError, ConnectionResetError):
            print(0)
        """, String(user), socket.path, String(decoding: line, as: UTF8.self),
      ]
      let output = Pipe()
      client.standardOutput = output
      try client.run()
      let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
      client.waitUntilExit()
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try answer(to: 65534) == "0\n")
    #expect(try answer(to: 0) == "1\n")
  }

  @Test("a client that watches is told every step once, in order")
  func steps() throws {
    let app = try AttachedApp()
    app.dispatcher.dispatch(TallyAction.add(1))
    let events = LiveEvents()
    let client = try app.attach(events)
    try client.watch()
    app.dispatcher.dispatch(TallyAction.chain(2))
    app.dispatcher.dispatch(TallyAction.refuse)
    app.dispatcher.dispatch(Lamp.Action.turnOn)
    let told = events.wait { LiveEvents.steps($0).told.count == 5 }
    #expect(
      LiveEvents.steps(told).told == [
        LiveStep(number: 2, type: "tally/chain"), LiveStep(number: 3, type: "tally/add"),
        LiveStep(number: 4, type: "tally/add"),
        LiveStep(number: 5, type: "tally/refuse", isRejected: true),
        LiveStep(number: 6, type: "lamp/turnOn"),
      ])
    // If the app crashes, the client can name those that the log lacks.
    #expect(client.announcedSteps(after: 4).map(\.number) == [5, 6])
  }

  @Test("steps that the recorder leaves out are not told either")
  func untold() throws {
    let app = try AttachedApp { options in
      options.shouldSkip = { if case TallyAction.note = $0 { true } else { false } }
    }
    let events = LiveEvents()
    let client = try app.attach(events)
    try client.watch()
    app.dispatcher.dispatch(TallyAction.note("secret"))
    app.recorder.pause()
    app.dispatcher.dispatch(TallyAction.add(1))
    app.recorder.resume()
    app.dispatcher.dispatch(TallyAction.add(2))
    let told = events.wait { !LiveEvents.steps($0).told.isEmpty }
    #expect(told == [.steps([LiveStep(number: 3, type: "tally/add")], dropped: 0)])
  }

  @Test("presenting shows a model in the views, and leaves no trace in the log")
  func present() async throws {
    let app = try AttachedApp()
    let client = try app.attach()
    let view = await View(app.dispatcher)
    for amount in 1...3 { app.dispatcher.dispatch(TallyAction.add(amount)) }
    let lines = try app.lines()
    for step in [1, 0, 2] as [UInt64] {
      try client.present(step, ignoresActions: false) { [:] }
    }
    #expect(app.dispatcher[TallyStore.self].total == 6)
    await view.wait(for: 3)
    _ = try client.ask(.resume)
    await view.wait(for: 6)
    #expect(await view.totals.suffix(5) == [6, 1, 0, 3, 6])
    #expect(try app.lines() == lines)
  }

  @Test("while the app is paused, its actions are ignored")
  func pause() throws {
    let app = try AttachedApp()
    let client = try app.attach()
    app.dispatcher.dispatch(TallyAction.add(1))
    try client.present(nil, ignoresActions: true) { [:] }
    #expect(app.dispatcher.dispatch(TallyAction.add(1)).result == .ignored)
    #expect(
      try client.dispatch(["type": "tally/add", "payload": ["_0": 1]], to: nil)
        == LiveDispatched(verdict: "ignored"))
    _ = try client.ask(.resume)
    #expect(app.dispatcher.dispatch(TallyAction.add(1)).result == .changed)
    #expect(try app.lines().count == 2)
  }

  @Test("restoring sets the app to a model, tells those who watch, and the log verifies")
  func restore() async throws {
    let app = try AttachedApp()
    let events = LiveEvents()
    let (client, watcher) = (try app.attach(), try app.attach(events))
    try watcher.watch()
    for amount in 1...3 { app.dispatcher.dispatch(TallyAction.add(amount)) }
    try client.present(1, ignoresActions: true) { [:] }
    try client.restore(2) { [:] }
    #expect(app.dispatcher[TallyStore.self].total == 3)
    app.dispatcher.dispatch(TallyAction.add(10))
    let told = events.wait { LiveEvents.steps($0).told.count == 4 }
    let steps = told.flatMap { event in
      if case .steps(let steps, _) = event {
        steps.map { LiveNotification.steps([$0], dropped: 0) }
      } else {
        [event]
      }
    }
    func add(_ number: UInt64) -> LiveNotification {
      .steps([LiveStep(number: number, type: "tally/add")], dropped: 0)
    }
    #expect(
      steps == [
        add(1), add(2), add(3), .presenting(step: 1, ignoresActions: true),
        .restored(step: 2, next: 4), .resumed, add(4),
      ])
    let lines = try app.lines()
    #expect(
      lines == [
        #"{"n":1,"action":{"type":"tally/add","payload":{"_0":1}},"states":{"tally":{"dice":0,"notes":[],"share":0.3333333333333333,"total":1}}}"#,
        #"{"n":2,"action":{"type":"tally/add","payload":{"_0":2}},"states":{"tally":{"dice":0,"notes":[],"share":1,"total":3}}}"#,
        #"{"n":3,"action":{"type":"tally/add","payload":{"_0":3}},"states":{"tally":{"dice":0,"notes":[],"share":2,"total":6}}}"#,
        #"{"gap":{"from":4,"to":3,"why":"restored","step":2}}"#,
        #"{"n":4,"action":{"type":"tally/add","payload":{"_0":10}},"states":{"tally":{"dice":0,"notes":[],"share":4.333333333333333,"total":13}}}"#,
      ])
    try app.recorder.close()
    let log = try LogFile.open(app.recorder.url.path)
    #expect(try await AppDefinition { [TallyStore(), Lamp()] }.verify(log).verdict == .passed)
  }

  @Test("a client knows in which state another one has brought the app")
  func twoClients() throws {
    let app = try AttachedApp()
    let (client, other) = (try app.attach(), try app.attach())
    try client.watch()
    app.dispatcher.dispatch(TallyAction.add(1))
    try other.present(1, ignoresActions: true) { [:] }
    // The test's time limit ends a wait that is in vain.
    while client.presentation != LivePresentation(isPaused: true, step: 1) { sched_yield() }
    _ = try other.ask(.resume)
    while client.presentation != LivePresentation() { sched_yield() }
  }

  @Test("dispatching answers when the follow-ups are in the log")
  func dispatch() throws {
    let app = try AttachedApp()
    let client = try app.attach()
    #expect(
      try client.dispatch(["type": "tally/chain", "payload": ["_0": 2]], to: "tally")
        == LiveDispatched(verdict: "unchanged", step: 1, last: 3))
    #expect(try app.folder.text(of: "tally.jsonl").split(separator: "\n").count == 4)
    #expect(
      try client.dispatch(["type": "tally/refuse"], to: nil)
        == LiveDispatched(verdict: "rejected", step: 4, last: 4))
    let error = #expect(throws: LiveFailure.self) {
      try client.dispatch(["type": "shop/add"], to: nil)
    }
    #expect(
      error
        == .undecodable(
          #"no action is called "shop/add"; the app's actions are batch, lamp, tally. If it was renamed, add an alias to the app's Evolution"#
        ))
    #expect(
      throws: LiveFailure.undecodable("the value at /payload/_0 of the action is redacted")
    ) {
      try client.dispatch(
        ["type": "tally/note", "payload": ["_0": "<redacted 5f0c2a9e71b3d844>"]], to: nil)
    }
  }

  @Test("models that the app no longer has come from the log; redacted values are not restored")
  func forgotten() async throws {
    let app = try AttachedApp([HotelStore(), TallyStore()], keeping: 2) { options in
      options.redaction = Redaction(states: ["/hotel/key"], actions: ["*": ["/key"]])
    }
    app.dispatcher.dispatch(TallyAction.add(5))
    app.dispatcher.dispatch(HotelAction.open(key: "sesame"))
    for _ in 3...5 { app.dispatcher.dispatch(TallyAction.add(1)) }
    let client = try app.attach()
    let view = await View(app.dispatcher)
    #expect(throws: LiveFailure.forgotten(step: 2)) {
      try client.ask(.present(LivePosition(step: 2), ignoresActions: false))
    }
    try client.present(2, ignoresActions: false) { try app.recordedStates(after: 2) }
    await view.wait(for: 5)
    #expect(
      throws: LiveFailure.refused(
        "the log has no value for /hotel/key, which is redacted, and the app no longer has the model after step 2; it can be shown, but not restored"
      )
    ) { try client.restore(2) { try app.recordedStates(after: 2) } }
    try client.restore(1) { try app.recordedStates(after: 1) }
    #expect(app.dispatcher[HotelStore.self].key == nil)
    #expect(app.dispatcher[TallyStore.self].total == 5)
    #expect(
      try app.lines().last
        == #"{"gap":{"from":6,"to":5,"why":"restored"},"states":{"hotel":{"guests":[]},"tally":{"dice":0,"notes":[],"share":1.6666666666666667,"total":5}}}"#
    )
    #expect(throws: LiveFailure.self) { try client.restore(4) { ["tally": ["total": "many"]] } }
    let unknown = #expect(throws: LiveFailure.self) { try client.restore(4) { ["tale": [:]] } }
    #expect(
      unknown?.description.hasPrefix(
        "the state of tale does not fit the app: it has no store of that name; ") == true)
    // The newest models are those of the app, with the redacted values.
    app.dispatcher.dispatch(HotelAction.open(key: "sesame"))
    app.dispatcher.dispatch(TallyAction.add(1))
    try client.restore(6) { [:] }
    #expect(app.dispatcher[HotelStore.self].key == "sesame")
    #expect(!(try app.folder.text(of: "tally.jsonl").contains("sesame")))
  }

  @Test("an old model gives way to the newest when its client leaves")
  func presenterLeaves() async throws {
    let app = try AttachedApp()
    let events = LiveEvents()
    let watcher = try app.attach(events)
    try watcher.watch()
    let view = await View(app.dispatcher)
    app.dispatcher.dispatch(TallyAction.add(1))
    do {
      let client = try app.attach()
      try client.present(0, ignoresActions: true) { [:] }
      await view.wait(for: 0)
    }
    events.wait { $0.contains(.resumed) }
    await view.wait(for: 1)
    #expect(app.dispatcher.dispatch(TallyAction.add(1)).result == .changed)
  }

  @Test("a client that stops reading misses events, and neither the app nor others wait for it")
  func slowClient() throws {
    let app = try AttachedApp()
    let events = LiveEvents()
    let client = try app.attach(events)
    try client.watch()
    // This one does not read after the answers to its requests.
    let socket = try #require(try app.sockets.sockets().first)
    let mute = try Descriptor.connecting(toLocal: socket.path)
    var splitter = LineSplitter()
    for method in [AppProtocol.Method.initialize, .watch] {
      _ = mute.send(RPCLine.request(1, method, Greeting())[...])
      try #require(Descriptor.wait(reading: [mute], writing: nil, milliseconds: 60_000))
      guard case .bytes(let bytes) = mute.receive() else { break }
      splitter.append(bytes)
      #expect(splitter.next() != nil)
    }
    let count: UInt64 = 60_000
    for _ in 0..<count { app.dispatcher.dispatch(TallyAction.reset) }
    let told = LiveEvents.steps(
      events.wait { events in
        let (told, dropped) = LiveEvents.steps(events)
        return UInt64(told.count) + dropped == count
      })
    #expect(told.told.map(\.number) == told.told.map(\.number).sorted())
    // Now it reads: nothing is told twice, and what is missing is counted.
    var late: [LiveNotification] = []
    while true {
      let (steps, dropped) = LiveEvents.steps(late)
      if UInt64(steps.count) + dropped >= count { break }
      try #require(Descriptor.wait(reading: [mute], writing: nil, milliseconds: 60_000))
      guard case .bytes(let bytes) = mute.receive() else { break }
      splitter.append(bytes)
      while let line = splitter.next() {
        guard case .notification(let method, let params) = try RPCMessage(line) else { continue }
        late.append(try #require(try LiveNotification(method, params)))
      }
    }
    let (steps, dropped) = LiveEvents.steps(late)
    #expect(UInt64(steps.count) + dropped == count)
    #expect(dropped > 0)
    #expect(steps.map(\.number) == steps.map(\.number).sorted())
    // On a busy machine, the other one may miss the newest as well.
    #expect(told.told.count > steps.count)
  }

  @Test("1,000 clients that come and go leave nothing behind")
  func manyClients() async throws {
    let app = try AttachedApp()
    let stop = Monitor(false)
    let dispatching = Task.detached {
      while !stop.withLock({ $0 }) {
        app.dispatcher.dispatch(TallyAction.add(1))
        await Task.yield()
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for round in 0..<250 {
            let client = try app.attach()
            switch (worker + round) % 4 {
            case 0: try client.watch()
            case 1: try client.present(nil, ignoresActions: false) { [:] }
            case 2: _ = try client.dispatch(["type": "tally/stamp"], to: nil)
            default: break
            }
          }
        }
      }
      try await group.waitForAll()
    }
    stop.withLock { $0 = true }
    await dispatching.value
    let client = try app.attach()
    #expect(try client.dispatch(["type": "tally/stamp"], to: nil).verdict == "changed")
    app.host.stop()
    try app.recorder.close()
    let log = try LogFile.open(app.recorder.url.path)
    #expect(try await AppDefinition { [TallyStore(), Lamp()] }.verify(log).verdict == .passed)
  }

  @Test("more clients than a host takes are refused, and room is made when one leaves")
  func clientLimit() throws {
    let app = try AttachedApp()
    var clients = try (0..<AppProtocol.clientCount).map { _ in try app.attach() }
    #expect(throws: LiveFailure.refused("the app has 32 clients already")) { try app.attach() }
    clients.removeLast()
    // The host learns of it soon.
    while true {
      do {
        _ = try app.attach()
        break
      } catch LiveFailure.refused { continue }
    }
  }

  @Test("clients learn that the host has stopped")
  func stop() throws {
    let app = try AttachedApp()
    let events = LiveEvents()
    let client = try app.attach(events)
    try client.watch()
    app.host.stop()
    events.wait { $0.contains(.ended) }
    #expect(client.ending == .gone)
    #expect(throws: LiveFailure.gone) { try client.ask(.watch) }
    #expect(try app.sockets.sockets() == [])
    // The app goes on.
    #expect(app.dispatcher.dispatch(TallyAction.add(1)).result == .changed)
  }

  @Test("a client that leaves is noticed while its command runs")
  func leavingDuringCommand() throws {
    let app = try AttachedApp()
    let (began, end) = (Monitor(false), Monitor(false))
    let receipt = app.dispatcher.store(TallyStore.self).onChange { _ in
      began.withLock { $0 = true }
      began.signal()
      end.waitUntil({ $0 }) { _ in }
    }
    defer {
      end.withLock { $0 = true }
      end.signal()
    }
    Thread { app.dispatcher.dispatch(TallyAction.add(1)) }.start()
    began.waitUntil({ $0 }) { _ in }
    let socket = try #require(try app.sockets.sockets().first)
    let client = try Descriptor.connecting(toLocal: socket.path)
    _ = client.send(RPCLine.request(1, .initialize, Greeting())[...])
    let request = LiveRequest.dispatch(["type": "tally/stamp"], target: nil)
    _ = client.send(RPCLine.request(2, request.method, request)[...])
    // It sends nothing more, so the host reads the end of the stream.
    #expect(shutdown(client.number, Int32(SHUT_WR)) == 0)
    var isEnded = false
    while !isEnded {
      try #require(Descriptor.wait(reading: [client], writing: nil, milliseconds: 60_000))
      if case .end = client.receive() { isEnded = true }
    }
    #expect(!end.withLock { $0 })
    withExtendedLifetime(receipt) {}
  }

  @Test(
    "a client that does not read its answers ends no app, on XNU neither",
    .enabled(if: xnu_can_simulate()))
  func deafClient() async {
    await #expect(processExitsWith: .success) {
      xnu_simulate()
      let app = try AttachedApp()
      let socket = try #require(try app.sockets.sockets().first)
      let client = try Descriptor.connecting(toLocal: socket.path)
      #expect(shutdown(client.number, Int32(SHUT_RD)) == 0)
      _ = client.send(RPCLine.request(1, .initialize, Greeting())[...])
      client.waitForHangUp()
      #expect(try app.attach().dispatch(["type": "tally/stamp"], to: nil).verdict == "changed")
    }
  }

  @Test("a host that cannot listen says why, and the app runs")
  func failure() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "s")
    let dispatcher = Dispatcher([TallyStore()])
    let host = AppHost(
      Recorder(inMemory: 1000), dispatcher: dispatcher, in: [LiveFolder(path: folder.path("s"))])
    #expect(host.failure == "\(folder.path("s")): it is not a folder; remove it")
    #expect(dispatcher.dispatch(TallyAction.add(1)).result == .changed)
  }

  @Test("a host without a thread says so, leaves no socket, and the app runs")
  func withoutThread() throws {
    let folder = try TemporaryFolder()
    let dispatcher = Dispatcher([TallyStore()])
    let recorder = Recorder(inMemory: 1000)
    let failure = SystemError("start a thread for", code: EAGAIN)
    let host = RefusedThreads.$failure.withValue(failure) {
      AppHost(recorder, dispatcher: dispatcher, in: [LiveFolder(path: folder.path("s"))])
    }
    #expect(host.failure == failure.text(about: "itself"))
    #expect(try folder.names() == ["s"])
    #expect(dispatcher.dispatch(TallyAction.add(1)).result == .changed)
  }

  @Test("an app in a long step does not answer in time, and others are not disturbed")
  func longStep() throws {
    let app = try AttachedApp()
    let client = try app.attach()
    let (began, end) = (Monitor(false), Monitor(false))
    let receipt = app.dispatcher.store(TallyStore.self).onChange { _ in
      began.withLock { $0 = true }
      began.signal()
      end.waitUntil({ $0 }) { _ in }
    }
    Thread { app.dispatcher.dispatch(TallyAction.add(1)) }.start()
    began.waitUntil({ $0 }) { _ in }
    var limits = LiveConnection.Limits()
    limits.answer = 0.1
    let socket = try #require(try app.sockets.sockets().first)
    let events = LiveEvents()
    let impatient = try #require(
      try LiveConnection.connect(to: socket, limits: limits, tell: { events.append($0) }))
    #expect(throws: LiveFailure.timedOut(seconds: 0.1)) {
      try impatient.dispatch(["type": "tally/stamp"], to: nil)
    }
    // Steps are announced only once the dispatcher tells of them, so the answer waits as well.
    #expect(throws: LiveFailure.timedOut(seconds: 0.1)) { try impatient.watch() }
    // The thread of the host is not the one that waits.
    #expect(client.responds)
    end.withLock { $0 = true }
    end.signal()
    #expect(try client.dispatch(["type": "tally/stamp"], to: nil).verdict == "changed")
    // The client that has not waited watches all the same.
    events.wait { LiveEvents.steps($0).told.last?.type == "tally/stamp" }
    withExtendedLifetime(receipt) {}
  }
}

/// Replays in the process of an app that goes on meanwhile.
@Suite struct AttachedReplayTests {
  private static let stores: @Sendable () -> [any Store] = { [HotelStore(), TallyStore(), Lamp()] }

  /// An app that serves `replay`, with a redacted value.
  private func app(
    allows: Set<AppHost.Permission> = .all
  ) throws -> AttachedApp {
    try AttachedApp(
      Self.stores(), app: AppDefinition(name: "Tally", stores: Self.stores), allows: allows
    ) { options in
      options.redaction = Redaction(states: ["/hotel/key"], actions: ["*": ["/key"]])
    }
  }

  @Test("a log passes, and forks run, shrink and leave steps out, while the app dispatches")
  func whileDispatching() throws {
    let app = try app()
    for amount in 1...50 { app.dispatcher.dispatch(TallyAction.chain(amount)) }
    try app.recorder.flush()
    let timeline = Timeline(try LogFile.open(app.recorder.url.path))
    let (stop, count) = (Monitor(false), Monitor(0))
    Thread {
      while !stop.withLock({ $0 }) {
        app.dispatcher.dispatch(TallyAction.add(1))
        count.withLock { $0 += 1 }
        count.signal()
      }
      stop.signal()
    }.start()
    defer { stop.withLock { $0 = true } }
    let replay = try #require(try app.attach().replay)
    #expect(try replay.describe().stores.map(\.name) == ["hotel", "tally", "lamp"])
    let before = count.withLock { $0 }
    let report = try replay.verify(timeline)
    #expect(report.verdict == .passed && report.steps == timeline.log.count, "\(report.text)")
    let fork = try Fork(at: 0, of: timeline, in: replay)
    try fork.dispatch(["type": "tally/chain", "payload": ["_0": 2]])
    #expect(fork.steps.count == 3)
    #expect(fork.model["tally"]?["total"] == 3)
    let other = try Fork.redispatching(0..<10, of: timeline, in: replay, skipping: [1])
    // The ten steps are two, three and four, and the first of the next five; the fork runs all of those.
    #expect(other.steps.count == 12)
    let smallest = try Shrinker(0..<10, of: timeline, in: replay).run { fork in
      (fork.model["tally"]?["total"]?.number?.int64 ?? 0) >= 1
    }
    #expect(smallest?.kept.count == 1)
    // The app has gone on.
    count.waitUntil({ $0 > before }) { _ in }
  }

  @Test("no secret crosses, and the tokens are those of the log")
  func redaction() throws {
    let app = try app()
    app.dispatcher.dispatch(HotelAction.open(key: "sesame"))
    try app.recorder.flush()
    let replay = try #require(try app.attach().replay)
    let session = try replay.start(
      SessionStart(mode: .replay, seed: 1, created: LogInstant(microseconds: 0)))
    let action: JSON = ["type": "hotel/open", "payload": ["key": "sesame"]]
    let time = LogTime(microseconds: 0)
    let steps = try session.dispatch([ReplayAction(number: 1, time: time, action: action)])
    let states = try session.states()
    #expect(!"\(steps) \(states)".contains("sesame"))
    let recorded = try app.recordedStates(after: 1)["hotel"]
    #expect(recorded?["key"]?.string?.hasPrefix("<redacted ") == true)
    #expect(steps.first?.changes.first { $0.store == "hotel" }?.state == recorded)
    #expect(states["hotel"] == recorded)
  }

  @Test("a decision on a redacted value is no divergence, whether the app or the client verifies")
  func redactedInput() throws {
    let vault: @Sendable () -> [any Store] = { [RedactedInputTests.VaultStore(), Lamp()] }
    let app = try AttachedApp(vault(), app: AppDefinition(name: "Vault", stores: vault)) {
      $0.redaction = Redaction(states: ["/vault/pin"], actions: ["vault/setPIN": ["/_0"]])
    }
    app.dispatcher.dispatch(RedactedInputTests.VaultAction.setPIN(1234))
    app.dispatcher.dispatch(RedactedInputTests.VaultAction.count)
    try app.recorder.flush()
    let timeline = Timeline(try LogFile.open(app.recorder.url.path))
    let replay = try #require(try app.attach().replay)
    let here = try replay.verifyHere(timeline)
    #expect(here.verdict == .passed && here.steps == 1, "\(here.text)")
    #expect(
      here.notes.contains(
        "1 step not compared (redacted value): its outcome differs and may depend on a value that the log does not "
          + "have, which a running app cannot test: /_0 at step 1; compare with 'verify --app'"))
    let report = try replay.verify(timeline)
    #expect(report.notes == here.notes && report.verdict == .passed, "\(report.text)")
  }

  @Test("an app that does not allow replays, or has no definition, offers none")
  func notOffered() throws {
    #expect(try app(allows: [.watch]).attach().replay == nil)
    #expect(try AttachedApp().attach().replay == nil)
  }

  @Test(
    "an app that needs the main actor is watched, and replayed only in a process of an inspector")
  func mainActor() throws {
    let app = AppDefinition(stores: { [TallyStore()] }).requiringMainActor()
    let attached = try AttachedApp(app: app)
    #expect(try attached.attach().welcome.parts == ["live", "log"])
    let alone = AppHost(
      Recorder(inMemory: 1 << 16), app: app, in: [LiveFolder(path: attached.folder.path("t"))])
    #expect(
      alone.failure == """
        there is nothing to serve: the app needs the main actor, so only a process that an inspector starts can replay \
        it; give the host a dispatcher, or a recorder with a file
        """)
  }

  @Test("an app without a dispatcher serves replays and its log; one with nothing to serve says so")
  func parts() throws {
    let folder = try TemporaryFolder()
    let sockets = LiveFolder(path: folder.path("s"))
    let recorder = Recorder(to: folder.url("own.jsonl"))
    recorder.start(states: ["tally": Tally()])
    let host = AppHost(
      recorder, app: AppDefinition(name: "Own", stores: { [TallyStore()] }), in: [sockets])
    let socket = try #require(try sockets.sockets().first)
    let client = try #require(try LiveConnection.connect(to: socket))
    #expect(client.welcome.parts == ["replay", "log"])
    #expect(client.name == "Own" && client.replay != nil)
    #expect(throws: LiveFailure.self) { try client.ask(.resume) }
    host.stop()
    let nothing = AppHost(Recorder(inMemory: 1000), in: [sockets])
    #expect(
      nothing.failure
        == "there is nothing to serve; give the host a dispatcher, an app, or a recorder with a file"
    )
  }
}

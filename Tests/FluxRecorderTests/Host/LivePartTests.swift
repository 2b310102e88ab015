import FluxCore
import FluxJSON
import FluxSystem
import Foundation
import Testing

@testable import FluxRecorder
@testable import FluxReplay

/// The part `live` without sockets: lines in, lines out.
@Suite struct LivePartTests {
  /// An app with clients that have attached.
  private struct Side {
    let dispatcher = Dispatcher([TallyStore(), Lamp()])
    let part: LivePart
    let models = KeptModels(LiveHistory.Limit())
    let presentation = AppPresentation()
    private let server: AppServer
    private let feed: LiveFeed
    private let clients: [(client: AppClient, lines: Monitor<[String]>)]
    /// The beginning of an answer.
    private static let answer = #"{"jsonrpc":"2.0","id":"#

    init(
      clients count: Int = 1, allowed: [AppProtocol.Permission] = AppProtocol.Permission.allCases
    )
      throws
    {
      let recorder = Recorder(inMemory: 100_000)
      dispatcher.use(recorder)
      let queue = LiveQueue(try Waker())
      part = LivePart(dispatcher, recorder, models, queue)
      feed = LiveFeed(queue, models, presentation)
      server = AppServer([part], allowing: Set(allowed)) {
        Welcome(AppDescription(name: "Tally"), process: 1, parts: [.live], log: "/log")
      }
      clients = (0..<count).map { _ in
        let lines = Monitor<[String]>([])
        let client = AppClient { bytes in
          lines.withLock { $0.append(String(decoding: bytes.dropLast(), as: UTF8.self)) }
          lines.signal()
          return bytes.count
        }
        return (client, lines)
      }
      for client in clients.indices { _ = ask(client, RPCLine.request(1, .initialize, Greeting())) }
    }

    /// Returns the answer to a client's request; ``told(_:)`` returns the notifications before it.
    func ask(_ client: Int, _ line: some Collection<UInt8>) -> String? {
      let lines = clients[client].lines
      server.handle(Array(line.dropLast()), of: clients[client].client)
      // The test's time limit ends a wait that is in vain.
      while true {
        turn()
        let answer = lines.withLock { lines -> String? in
          lines.firstIndex { $0.hasPrefix(Self.answer) }.map { lines.remove(at: $0) }
        }
        if let answer { return answer }
        sched_yield()
      }
    }

    private func turn() { _ = feed.turn(clients.map(\.client)) }

    func ask(_ client: Int, _ request: LiveRequest) -> String? {
      ask(client, RPCLine.request(1, request.method, request))
    }

    /// Ends the connection of a client, as its socket does.
    func leave(_ client: Int) {
      server.leave(clients[client].client)
      let isDone = Monitor(false)
      part.queue.add {
        isDone.withLock { $0 = true }
        isDone.signal()
      }
      isDone.waitUntil({ $0 }) { _ in }
    }

    /// Handles the events so far, without a client.
    func settle() { _ = feed.turn([]) }

    /// Returns the names of the events that a client was told of since the last call.
    func told(_ client: Int) -> [String] {
      turn()
      return clients[client].lines.withLock { lines in
        defer { lines = [] }
        let names = lines.compactMap { $0.firstMatch(of: #/"method":"([a-z/]+)"/#)?.1 }
        return names.map(String.init)
      }
    }

    /// Returns the lines that a request of a client led to, in their order.
    func lines(_ client: Int, _ request: LiveRequest) -> [String] {
      _ = told(client)
      let (receiver, lines) = clients[client]
      server.handle(Array(RPCLine.request(1, request.method, request).dropLast()), of: receiver)
      while !lines.withLock({ $0.contains { $0.hasPrefix(Self.answer) } }) {
        turn()
        sched_yield()
      }
      return lines.withLock { $0 }
    }

    /// `true` if the views do not show the newest model, or the app ignores its user.
    var isPresenting: Bool {
      dispatcher.dispatch(TallyAction.add(1)).result == .ignored
    }
  }

  private static let done = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
  private static let pausing = LiveRequest.present(nil, ignoresActions: true)

  @Test("only clients that watch are told of events, also while the app is in a long step")
  func watching() throws {
    let side = try Side(clients: 2)
    #expect(side.ask(1, .watch) == Self.done)
    side.dispatcher.dispatch(TallyAction.add(1))
    #expect(side.told(0) == [])
    side.dispatcher.dispatch(TallyAction.add(1))
    #expect(side.told(1) == ["live/steps", "live/steps"])
  }

  @Test("the events of a request come before its answer")
  func order() throws {
    let side = try Side()
    _ = side.ask(0, .watch)
    let presenting = #"{"jsonrpc":"2.0","method":"live/presenting","params":{"ignoring":true}}"#
    #expect(side.lines(0, Self.pausing) == [presenting, Self.done])
    #expect(
      side.lines(0, .resume) == [
        #"{"jsonrpc":"2.0","method":"live/resumed","params":{}}"#, Self.done,
      ])
  }

  @Test("a client that starts watching learns which model the app shows")
  func watchingLate() throws {
    let side = try Side(clients: 2)
    _ = side.ask(0, Self.pausing)
    _ = side.ask(1, .watch)
    #expect(side.told(1) == ["live/presenting"])
    _ = side.ask(0, .resume)
    #expect(side.told(1) == ["live/resumed"])
    _ = side.ask(1, .watch)
    #expect(side.told(1) == [])
  }

  @Test("the app is observed from the first client that attaches to the last that leaves")
  func observing() throws {
    let side = try Side(clients: 2)
    _ = side.ask(0, .watch)
    side.leave(1)
    side.dispatcher.dispatch(TallyAction.add(1))
    #expect(side.told(0) == ["live/steps"])
    side.leave(0)
    side.dispatcher.dispatch(TallyAction.add(1))
    #expect(side.told(0) == [])
  }

  @Test("no model is kept for the last client that has left, also of steps that wait")
  func modelsOfTheLast() throws {
    let side = try Side(clients: 2)
    for _ in 0..<5 { side.dispatcher.dispatch(TallyAction.add(1)) }
    side.leave(0)
    _ = side.told(1)
    #expect(side.models.model(after: 5) != nil)
    for _ in 0..<5 { side.dispatcher.dispatch(TallyAction.add(1)) }
    side.leave(1)
    side.settle()
    #expect((0...10).filter { side.models.model(after: $0) != nil } == [])
  }

  @Test("the presentation ends with the client that began it")
  func presenterLeaves() throws {
    let side = try Side(clients: 3)
    _ = side.ask(2, .watch)
    #expect(side.ask(0, Self.pausing) == Self.done)
    #expect(side.told(2) == ["live/presenting"])
    side.leave(1)
    #expect(side.isPresenting)
    side.leave(0)
    #expect(!side.isPresenting)
    #expect(side.told(2) == ["live/resumed", "live/steps"])
  }

  @Test("the app knows which step it shows, whether it ignores its user, and who is attached")
  @MainActor func presentation() async throws {
    let side = try Side(clients: 2)
    func shows(_ values: AppPresentation.Values) async -> Bool {
      _ = side.told(0)
      let shown = side.presentation
      // The test's time limit ends a wait that is in vain.
      while shown.isPresenting != values.isPresenting || shown.clients != values.clients {
        await Task.yield()
      }
      return shown.step == values.step && shown.ignoresUser == values.ignoresUser
    }
    let names = ["flux-inspect", "flux-inspect"]
    #expect(await shows(AppPresentation.Values(clients: names)))
    _ = side.ask(0, .present(LivePosition(step: 0), ignoresActions: false))
    #expect(await shows(AppPresentation.Values(isPresenting: true, step: 0, clients: names)))
    _ = side.ask(1, .resume)
    #expect(await shows(AppPresentation.Values(clients: names)))
    _ = side.ask(1, Self.pausing)
    #expect(
      await shows(AppPresentation.Values(isPresenting: true, ignoresUser: true, clients: names)))
    side.leave(1)
    #expect(await shows(AppPresentation.Values(clients: names)))
  }

  @Test("a second client takes the presentation over, and a failed request does not")
  func secondPresenter() throws {
    let side = try Side(clients: 3)
    for client in 0...1 { #expect(side.ask(client, Self.pausing) == Self.done) }
    #expect(
      side.ask(2, .present(LivePosition(step: 99), ignoresActions: false))
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"the app no longer has the model after step 99","data":{"kind":"forgotten"}}}"#
    )
    for client in [0, 2] {
      side.leave(client)
      #expect(side.isPresenting)
    }
    side.leave(1)
    #expect(!side.isPresenting)
  }

  @Test(
    "resuming and restoring end the presentation",
    arguments: [LiveRequest.resume, .restore(LivePosition(step: 0))])
  func resume(_ request: LiveRequest) throws {
    let side = try Side(clients: 2)
    _ = side.ask(1, .watch)
    _ = side.ask(0, Self.pausing)
    #expect(side.told(1) == ["live/presenting"])
    #expect(side.ask(0, request) == Self.done)
    #expect(side.told(1).last == "live/resumed")
    #expect(!side.isPresenting)
  }

  @Test(
    "a request needs its permission",
    arguments: [
      (LiveRequest.watch, "watch"), (.present(nil, ignoresActions: false), "present"),
      (.resume, "present"), (.restore(LivePosition(step: 0)), "restore"),
      (.dispatch(["type": "tally/reset"], target: nil), "dispatch"),
    ])
  func permission(_ request: LiveRequest, _ name: String) throws {
    let others = AppProtocol.Permission.allCases.filter { $0.rawValue != name }
    let rest = others.map(\.rawValue).joined(separator: ", ")
    #expect(
      try Side(allowed: others).ask(0, request)
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"the app does not allow \#(name); it allows only \#(rest)"}}"#
    )
    #expect(try Side().ask(0, request)?.contains("error") == false)
  }

  @Test("a part that is not served has no methods")
  func otherParts() throws {
    let request = RPCLine.request(7, .start, Greeting())
    #expect(
      try Side().ask(0, request)
        == #"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"there is no method \"session/start\"; there are initialize, ping, live/watch, live/present, live/resume, live/restore, live/dispatch, shutdown"}}"#
    )
  }
}

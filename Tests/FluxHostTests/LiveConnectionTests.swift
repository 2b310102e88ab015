import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxHost

@Suite(.waiting) struct LiveConnectionTests {
  @Test("of a step that an app announces, the beginning of a long type is kept")
  func longTypes() {
    let events = AnnouncedEvents()
    let types = [String(repeating: "a", count: 1 << 20), "todo/add"]
    for type in types { events.take(.steps([LiveStep(number: 1, type: type)], dropped: 0)) }
    let kept = events.steps(after: nil).map(\.type)
    #expect(kept == [String(repeating: "a", count: 256) + "…", "todo/add"])
  }

  @Test("without a thread to read from an app, there is no connection to it")
  func withoutThread() throws {
    let folder = try TemporaryFolder()
    let sockets = LiveFolder(path: folder.path("s"))
    try sockets.create()
    let listener = try LocalListener(path: sockets.socket(of: 1, number: 1))
    let hungUp = Monitor(false)
    Thread {
      Descriptor.wait(reading: [listener.socket], writing: nil, milliseconds: 60_000)
      guard let app = try? listener.accept() else { return }
      _ = app.write(Array((AttachedReplayTests.welcome + "\n").utf8))
      app.waitForHangUp()
      hungUp.withLock { $0 = true }
      hungUp.signal()
    }.start()
    let socket = try #require(try sockets.sockets().first)
    let failure = SystemError("start a thread for", code: EAGAIN)
    #expect(throws: LiveFailure.refused(failure.text(about: "the app"))) {
      try RefusedThreads.$failure.withValue(failure) { _ = try LiveConnection.connect(to: socket) }
    }
    #expect(hungUp.waitUntil(milliseconds: 60_000, { $0 }) { $0 })
  }

  @Test(
    "an answer to a request that was not made ends the connection at once",
    arguments: ["1001", "0", "-1", "1.5", "\"1\"", "null"])
  func wrongID(_ id: String) throws {
    let folder = try TemporaryFolder()
    let sockets = LiveFolder(path: folder.path("s"))
    try sockets.create()
    let listener = try LocalListener(path: sockets.socket(of: 1, number: 1))
    let answer = #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# + "\n"
    Thread {
      Descriptor.wait(reading: [listener.socket], writing: nil, milliseconds: 60_000)
      guard let app = try? listener.accept() else { return }
      _ = app.write(Array(answer.utf8))
      app.waitForHangUp()
    }.start()
    let socket = try #require(try sockets.sockets().first)
    #expect(
      throws: LiveFailure.malformed("an answer with the id \(id)")
    ) { _ = try LiveConnection.connect(to: socket) }
  }
}

/// Replays in a running app that is this test.
@Suite struct AttachedReplayTests {
  /// An app that answers each request with the next of these lines, and then closes the connection.
  private func connect(_ answers: [String]) throws -> LiveConnection {
    let folder = try TemporaryFolder()
    let sockets = LiveFolder(path: folder.path("s"))
    try sockets.create()
    let listener = try LocalListener(path: sockets.socket(of: 1, number: 1))
    Thread {
      Descriptor.wait(reading: [listener.socket], writing: nil, milliseconds: 60_000)
      guard let app = try? listener.accept() else { return }
      for answer in answers {
        Descriptor.wait(reading: [app], writing: nil, milliseconds: 60_000)
        _ = app.receive()
        _ = app.send(Array("\(answer)\n".utf8)[...])
      }
    }.start()
    let socket = try #require(try sockets.sockets().first)
    return try #require(try LiveConnection.connect(to: socket))
  }

  fileprivate static let welcome =
    #"{"jsonrpc":"2.0","id":1,"result":{"protocol":"2.0","parts":["live","replay"],"#
    + #""app":{"name":"Shop","stores":[{"name":"cart"}],"actionTypes":["cart"]},"#
    + #""capabilities":{},"process":42,"allows":["replay"]}}"#
  private static let started = #"{"jsonrpc":"2.0","id":2,"result":{"session":1}}"#

  @Test("an app without a dispatcher is not asked to show, restore or dispatch")
  func withoutLivePart() throws {
    let app = try connect([Self.welcome.replacing(#""live","#, with: "")])
    let failure = #expect(throws: LiveFailure.self) { try app.ask(.resume) }
    #expect(failure?.description.hasPrefix("the app serves no live part") == true)
  }

  private func progress(_ step: Int) -> String {
    #"{"jsonrpc":"2.0","method":"progress","params":{"request":3,"step":\#(step)}}"#
  }

  /// The actions of two steps.
  private let actions = ["cart/add", "cart/break"].enumerated().map { index, type in
    ReplayAction(
      number: UInt64(index + 4), time: LogTime(microseconds: 0),
      action: ["type": JSON(stringLiteral: type)])
  }

  private func session(_ answers: String...) throws -> any ReplaySession {
    let replay = try #require(try connect([Self.welcome, Self.started] + answers).replay)
    var start = SessionStart(mode: .replay, seed: 1, created: LogInstant(microseconds: 0), next: 4)
    start.states = [:]
    return try replay.start(start)
  }

  @Test("the failure of an app that ends during a replay names the step it had begun")
  func crash() throws {
    let session = try session(progress(4) + "\n" + progress(5))
    let failure = #expect(throws: ReplayFailure.self) { try session.dispatch(actions) }
    #expect(
      failure?.description == """
        Shop: step 5, cart/break: the app exited; run it in a debugger and dispatch the actions up to this step to \
        see why; it ran this in its own process; 'flux-inspect attach --app PATH' replays in another one
        """)
    #expect(throws: ReplayFailure(.ended, app: "Shop")) { try session.states() }
  }

  @Test("an app that was quit before a replay has not failed in it")
  func quitBefore() throws {
    let app = try connect([Self.welcome])
    while app.ending == nil { sched_yield() }
    let replay = try #require(app.replay)
    let start = SessionStart(
      mode: .replay, seed: 1, created: LogInstant(microseconds: 0), next: 4)
    let failure = #expect(throws: ReplayFailure.self) { try replay.start(start) }
    #expect(
      failure?.description == """
        Shop: the app cannot be replayed: it has ended; attach to it again, or replay in another process with --app PATH
        """)
  }

  @Test("the failure of an app that says nothing about its step names that step")
  func refusal() throws {
    let session = try session(
      progress(4) + "\n" + #"{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no"}}"#)
    let failure = #expect(throws: ReplayFailure.self) { try session.dispatch(actions) }
    #expect(
      failure?.description
        == "Shop: step 4, cart/add: the app answered session/dispatch with an error: no")
  }
}

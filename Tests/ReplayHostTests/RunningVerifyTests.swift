import Counter
import FluxJSON
import FluxLog
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxReplay

/// `verify` in a running app: lines in, lines out.
@Suite(.waiting) struct RunningVerifyTests {
  private typealias Side = AppServerTests.Side

  private let folder: TemporaryFolder
  private let log: LogFile

  /// Records three additions of 1, of which the last one diverges: it has the count 30.
  init() throws {
    folder = try TemporaryFolder()
    var log = CounterLog(id: "counter-1")
    log.add(1)
    log.add(1)
    log.add(1, recorded: 30)
    self.log = try log.timeline(in: folder).log
    try self.log.waitForIndex()
  }

  private func side(_ app: any ReplayApp = CounterApp()) -> Side {
    let path = log.path
    return Side(
      app, isSpawned: false, verifying: LogPart(RecordedLogs(at: path), currentPath: { path }))
  }

  /// Returns the lines that answer a verification.
  private func answers(_ params: String, _ side: Side) -> [String] {
    side.handle(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":"2.0"}}"#)
    side.handle(#"{"jsonrpc":"2.0","id":2,"method":"verify","params":\#(params)}"#)
    return Array(side.answers().dropFirst())
  }

  private func answers(_ params: String) -> [String] { answers(params, side()) }

  private static func progress(_ step: Int) -> String {
    #"{"jsonrpc":"2.0","method":"progress","params":{"request":2,"step":\#(step)}}"#
  }

  private static func result(_ text: String) -> String {
    #"{"jsonrpc":"2.0","id":2,"result":\#(text)}"#
  }

  @Test("the steps of a launch pass up to one; each is announced before it begins")
  func passes() {
    #expect(
      answers(#"{"log":"counter-1","through":2}"#) == [
        Self.progress(1), Self.progress(2), Self.result(#"{"verdict":"passed","steps":2}"#),
      ])
  }

  @Test("of a launch that diverges, only the verdict crosses")
  func diverges() {
    #expect(
      answers(#"{"log":"counter-1","through":3}"#) == [
        Self.progress(1), Self.progress(2), Self.progress(3),
        Self.result(#"{"verdict":"diverged","steps":3}"#),
      ])
  }

  @Test("the settings of a verification are those of the client")
  func settings() {
    let ignoring = #"{"log":"counter-1","through":3,"ignore":["/counter/count"]}"#
    #expect(
      answers(ignoring).last
        == Self.result(
          #"{"verdict":"passed","steps":3,"notes":["1 path ignored, with everything inside it: /counter/count"]}"#
        ))
    let range = #"{"log":"counter-1","through":3,"from":1,"to":2}"#
    #expect(
      answers(range) == [Self.progress(2), Self.result(#"{"verdict":"passed","steps":1}"#)])
    // A step after the last one of the client is not verified.
    let through = #"{"log":"counter-1","through":2,"from":1,"to":3}"#
    #expect(answers(through) == answers(range))
  }

  @Test("lines that the client has, too, pass")
  func sameLines() throws {
    let prefix = try log.prefix()
    let params =
      #"{"log":"counter-1","through":2,"bytes":\#(prefix.byteCount),"crc":\#(prefix.crc)}"#
    #expect(answers(params).last == Self.result(#"{"verdict":"passed","steps":2}"#))
  }

  @Test(
    "what the app does not have is refused, and no step begins",
    arguments: [
      (
        #"{"log":"counter-2","through":2}"#, "unknownLog",
        "the app no longer has the log counter-2"
      ),
      (
        #"{"log":"counter-1","through":0}"#, "unknownLog",
        "the app no longer has the log counter-1"
      ),
      (
        #"{"log":"counter-1","through":4}"#, "otherLines",
        "the log counter-1 has no step 4, or other lines before it"
      ),
      (
        #"{"log":"counter-1","through":2,"bytes":100,"crc":1}"#, "otherLines",
        "the log counter-1 has no step 2, or other lines before it"
      ),
    ])
  func unknown(_ params: String, _ kind: String, _ message: String) {
    #expect(
      answers(params) == [
        #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"\#(message)","#
          + #""data":{"kind":"\#(kind)"}}}"#
      ])
  }

  @Test("a path is none of a log that the app has, with a step or without one")
  func paths() throws {
    let path = JSON(stringLiteral: log.path).text
    #expect(
      answers(#"{"log":\#(path)}"#) == [
        #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"a running app reads no logs for clients; send the steps"}}"#
      ])
    let answer = try JSON.parse(answers(#"{"log":\#(path),"through":2}"#).joined())
    #expect(answer["error"]?["data"]?["kind"] == "unknownLog")
  }

  @Test("an app that sends no logs verifies none")
  func noLogs() {
    #expect(
      answers(#"{"log":"counter-1","through":2}"#, Side(isSpawned: false)) == [
        #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"a running app reads no logs for clients; send the steps"}}"#
      ])
  }

  /// A counter that calls a function at its second step.
  private struct CalledApp: ReplayApp {
    let call: Monitor<(@Sendable () -> Void)?>

    func describe() throws(ReplayFailure) -> AppDescription { try CounterApp().describe() }

    func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
      CalledSession(try CounterApp().start(start), call)
    }
  }

  private final class CalledSession: ReplaySession {
    private let stores: any ReplaySession
    private let call: Monitor<(@Sendable () -> Void)?>

    init(_ stores: any ReplaySession, _ call: Monitor<(@Sendable () -> Void)?>) {
      (self.stores, self.call) = (stores, call)
    }

    func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
      if actions.first?.number == 2 { call.withLock { $0 }?() }
      return try stores.dispatch(actions)
    }

    func states() throws(ReplayFailure) -> StoreDictionary<JSON> { try stores.states() }

    func end() { stores.end() }
  }

  @Test("after a cancellation, no further step begins")
  func cancellation() {
    let call = Monitor<(@Sendable () -> Void)?>(nil)
    let side = side(CalledApp(call: call))
    call.withLock { call in
      call = {
        side.handle(#"{"jsonrpc":"2.0","method":"cancel","params":{"request":2}}"#)
      }
    }
    #expect(
      answers(#"{"log":"counter-1","through":3}"#, side) == [
        Self.progress(1), Self.progress(2),
        #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"the replay was cancelled","data":{"kind":"cancelled"}}}"#,
      ])
  }
}

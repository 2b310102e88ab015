import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxHost

/// Logs that a running app, which is this test, verifies for a client.
@Suite(.waiting) struct AttachedVerifyTests {
  /// An app that answers each request with the next of these lines, and then closes the connection.
  private final class ScriptedApp: Sendable {
    /// The requests so far.
    private let requests = Monitor<[String]>([])
    private let folder: TemporaryFolder
    let replay: any ReplayApp

    init(_ answers: [String]) throws {
      folder = try TemporaryFolder()
      let sockets = LiveFolder(path: folder.path("s"))
      try sockets.create()
      let listener = try LocalListener(path: sockets.socket(of: 1, number: 1))
      let requests = requests
      Thread {
        Descriptor.wait(reading: [listener.socket], writing: nil, milliseconds: 60_000)
        guard let app = try? listener.accept() else { return }
        var splitter = LineSplitter()
        for answer in answers {
          while true {
            if let line = splitter.next() {
              requests.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
              break
            }
            Descriptor.wait(reading: [app], writing: nil, milliseconds: 60_000)
            guard case .bytes(let bytes) = app.receive() else { return }
            splitter.append(bytes)
          }
          _ = app.send(Array("\(answer)\n".utf8)[...])
        }
      }.start()
      let socket = try #require(try sockets.sockets().first)
      let connection = try #require(try LiveConnection.connect(to: socket))
      replay = try #require(connection.replay)
    }

    /// The methods that were requested after the greeting.
    var methods: [String] {
      get throws {
        try requests.withLock { $0 }.dropFirst().map {
          try JSON.parse($0)["method"]?.string ?? ""
        }
      }
    }

    /// The parameters of the first request after the greeting.
    var params: JSON? {
      get throws {
        try requests.withLock { $0 }.dropFirst().first.flatMap { try JSON.parse($0)["params"] }
      }
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A log of two steps, which is closed or not.
  private func timeline(id: String? = "shop-1", isClosed: Bool = true) throws -> Timeline {
    let id = id.map { #""log":"\#($0)","# } ?? ""
    var lines = [
      #"{"flux":"1.0",\#(id)"created":"2026-11-20T12:00:00Z","seed":"0000000000000001","#
        + #""stores":{"cart":{"initial":0}}}"#,
      #"{"n":1,"t":1,"action":{"type":"cart/add"},"states":{"cart":1}}"#,
      #"{"n":2,"t":2,"action":{"type":"cart/break"},"states":{"cart":2}}"#,
    ]
    if isClosed { lines.append(#"{"end":{"steps":2,"ok":true}}"#) }
    let text = lines.map { "\($0)\n" }.joined()
    return Timeline(try LogFile.open(try folder.write(text, to: "shop.jsonl")))
  }

  private static func welcome(verifies: Bool = true) -> String {
    let verify = verifies ? #""verify":true,"# : ""
    return #"{"jsonrpc":"2.0","id":1,"result":{"protocol":"2.0","parts":["replay","log"],"#
      + #""app":{"name":"Shop","stores":[{"name":"cart"}],"actionTypes":["cart"]},"#
      + #""capabilities":{\#(verify)"tells":["effects","cancels","messages"]},"#
      + #""process":42,"allows":["replay","log"]}}"#
  }

  private static func result(_ text: String) -> String {
    #"{"jsonrpc":"2.0","id":2,"result":\#(text)}"#
  }

  private static func progress(_ step: Int) -> String {
    #"{"jsonrpc":"2.0","method":"progress","params":{"request":2,"step":\#(step)}}"#
  }

  private static let refusesSteps =
    #"{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no steps"}}"#

  @Test("a log that passes in the app needs one request, and its report is the app's")
  func passes() throws {
    let answers = [
      Self.progress(1), Self.progress(2), Self.result(#"{"verdict":"passed","steps":2}"#),
    ]
    let app = try ScriptedApp([Self.welcome(), answers.joined(separator: "\n")])
    let timeline = try timeline()
    var options = Verification.Options()
    options.ignoring = [try IgnoredPath("/cart")]
    options.tolerance = 0.5
    options.messages = .ignore
    options.initial = .ignore
    var told: [[Int]] = []
    let report = try app.replay.verify(timeline, options: options) { told.append([$0, $1]) }
    #expect(report.verdict == .passed && report.steps == 2 && report.isClosed)
    #expect(report.notes == [] && report.log == timeline.log.path)
    #expect(told.last == [1, 2])
    #expect(try app.methods == ["verify"])
    let prefix = try timeline.log.prefix()
    let params =
      #"{"log":"shop-1","through":2,"bytes":\#(prefix.byteCount),"crc":\#(prefix.crc),"#
      + #""ignore":["/cart"],"tolerance":0.5,"messages":"ignore","initial":"ignore"}"#
    #expect(try app.params?.text == params)
  }

  @Test("the end of a log is that of the file here, because the app may record further")
  func openEnd() throws {
    let app = try ScriptedApp([Self.welcome(), Self.result(#"{"verdict":"passed","steps":2}"#)])
    let report = try app.replay.verify(try timeline(isClosed: false))
    #expect(report.verdict == .passed && !report.isClosed)
    #expect(report.notes.map { $0.prefix(22) } == ["the log was not closed"])
  }

  @Test("the app says that the log is not closed, and the report says so once")
  func openEndThere() throws {
    let answer = #"{"verdict":"passed","steps":2,"notes":["not closed"],"closed":false}"#
    let app = try ScriptedApp([Self.welcome(), Self.result(answer)])
    let report = try app.replay.verify(try timeline(isClosed: false))
    #expect(report.notes == ["not closed"] && !report.isClosed)
  }

  @Test(
    "after any other answer, the steps are sent",
    arguments: [
      Self.result(#"{"verdict":"diverged","steps":2}"#),
      Self.result(#"{"verdict":"fine","steps":2}"#),
      #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no","data":{"kind":"unknownLog"}}}"#,
      #"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}"#,
    ])
  func fallsBack(_ answer: String) throws {
    let app = try ScriptedApp([Self.welcome(), answer, Self.refusesSteps])
    let failure = #expect(throws: ReplayFailure.self) { try app.replay.verify(try timeline()) }
    #expect(failure?.reason == .refused(method: "session/start", why: "no steps"))
    #expect(try app.methods == ["verify", "session/start"])
  }

  @Test("an app that does not verify is not asked, and neither is one for a log without an id")
  func notAsked() throws {
    let refusal = Self.refusesSteps.replacing(#""id":3"#, with: #""id":2"#)
    let old = try ScriptedApp([Self.welcome(verifies: false), refusal])
    #expect(throws: ReplayFailure.self) { try old.replay.verify(try timeline()) }
    #expect(try old.methods == ["session/start"])
    let new = try ScriptedApp([Self.welcome(), refusal])
    #expect(throws: ReplayFailure.self) { try new.replay.verify(try timeline(id: nil)) }
    #expect(try new.methods == ["session/start"])
  }

  @Test("an app that ends during a verification has a failure with the step it had begun")
  func crash() throws {
    let app = try ScriptedApp([Self.welcome(), Self.progress(1) + "\n" + Self.progress(2)])
    let failure = #expect(throws: ReplayFailure.self) { try app.replay.verify(try timeline()) }
    #expect(
      failure?.description == """
        Shop: step 2, cart/break: the app exited; run it in a debugger and dispatch the actions up to this step to \
        see why; it ran this in its own process; 'flux-inspect attach --app PATH' replays in another one
        """)
    #expect(try app.methods == ["verify"])
  }

  @Test("an app that does not return from a step is not asked for it again")
  func hang() throws {
    // It never answers the next request.
    let app = try ScriptedApp([Self.welcome(), Self.progress(1), Self.progress(1), ""])
    let limited = app.replay.limited(to: 0.2)
    let failure = #expect(throws: ReplayFailure.self) { try limited.verify(try timeline()) }
    #expect(failure?.reason == .unresponsive(seconds: 0.2))
    #expect(failure?.step == 1 && failure?.action == "cart/add")
  }

  @Test("an error of the caller cancels the verification")
  func cancellation() throws {
    struct Enough: Error {}
    let cancelled =
      #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no","data":{"kind":"cancelled"}}}"#
    let app = try ScriptedApp([
      Self.welcome(), Self.progress(1) + "\n" + Self.progress(2), cancelled,
    ])
    #expect(throws: Enough.self) {
      try app.replay.verify(try timeline()) { done, _ in if done == 1 { throw Enough() } }
    }
    #expect(try app.methods == ["verify", "cancel"])
  }
}

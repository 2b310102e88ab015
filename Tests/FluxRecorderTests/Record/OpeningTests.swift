import FluxCore
import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

/// A recorder that finds a log at its URL, or cannot begin one.
@Suite struct OpeningTests {
  private let folder: TemporaryFolder
  private let messages = LogMessages()

  init() throws { folder = try TemporaryFolder() }

  /// Runs an app that records one item.
  private func run(
    _ item: String, _ existing: LogWriter.Options.Existing = .number, to name: String = "todo.jsonl"
  ) throws -> Recorder {
    var options = Recorder.Options()
    options.log.existing = existing
    let recorder = Recorder(to: folder.url(name), options: options, logger: messages.logger)
    let dispatcher = Dispatcher([CartStore()])
    dispatcher.use(recorder)
    #expect(dispatcher.dispatch(CartAction.add(item)).result == .changed)
    try recorder.flush()
    try recorder.close()
    return recorder
  }

  private func items(_ name: String) throws -> JSON? {
    let timeline = try openTimeline(folder.url(name))
    return try timeline.state(of: "cart", at: timeline.end)?["items"]
  }

  @Test("an app that is run ten times in a row keeps ten logs, and is told of no failure")
  func tenRuns() throws {
    for run in 1...10 {
      let recorder = try self.run("item \(run)")
      #expect(recorder.failure == nil)
      #expect(recorder.url == folder.url("todo.jsonl"))
    }
    let kept = (1...9).map { "todo~\($0).jsonl" }
    #expect(try folder.names() == ["todo.jsonl"] + kept)
    for (run, name) in (kept + ["todo.jsonl"]).enumerated() {
      #expect(try items(name) == [JSON(stringLiteral: "item \(run + 1)")])
    }
    #expect(messages.texts == [])
  }

  @Test("a recorder tells which file it writes, if another one writes the log that it was given")
  func liveLog() throws {
    let first = Recorder(to: folder.url("todo.jsonl"))
    Dispatcher([CartStore()]).use(first)
    let second = try run("tea")
    #expect(second.url.path == folder.path("todo~1.jsonl"))
    #expect(try items("todo~1.jsonl") == ["tea"])
    #expect(
      messages.texts == [
        """
        notice: \(folder.path("todo.jsonl")): another recorder is writing this log; this one writes \
        \(folder.path("todo~1.jsonl"))
        """
      ])
    try first.close()
  }

  @Test("a flight recorder tells which segment it writes")
  func segment() throws {
    var options = Recorder.Options()
    options.log.retention = .steps(8)
    let recorder = Recorder(to: folder.url("todo.jsonl"), options: options, logger: messages.logger)
    let dispatcher = Dispatcher([CartStore()])
    #expect(recorder.url == folder.url("todo.jsonl"))
    dispatcher.use(recorder)
    #expect(recorder.url.path == folder.path("todo.0001.jsonl"))
    for _ in 1...3 { dispatcher.dispatch(CartAction.add("tea")) }
    try recorder.close()
    #expect(recorder.url.path == folder.path("todo.0002.jsonl"))
    #expect(messages.texts == [])
  }

  @Test("a log that cannot be begun is a failure that is logged, but no error of flush and close")
  func openingProblems() throws {
    _ = try run("tea")
    let refused = try run("cups", .refuse)
    let lost = try run("milk", to: "missing/todo.jsonl")
    let texts = [
      """
      \(folder.path("todo.jsonl")): a log already exists here, and the option `existing` is \
      `.refuse`; move the log away, or set `existing` to `.number`, which keeps both logs, or to \
      `.replace`
      """,
      "\(folder.path("missing/todo.jsonl")): the folder does not exist; create it first",
    ]
    #expect([refused, lost].map { $0.failure?.message } == texts)
    #expect(messages.texts == texts.map { "error: recording failed: \($0)" })
    #expect(try items("todo.jsonl") == ["tea"])
    #expect(try folder.names() == ["todo.jsonl"])
  }

  /// A state that refuses to be encoded.
  private struct Stubborn: StateValue {
    struct Refusal: Error, CustomStringConvertible {
      let description = "no"
    }

    func encode(to encoder: any Encoder) throws { throw Refusal() }
  }

  private struct StubbornStore: Store {
    let initialState = Stubborn()

    func reduce(_ state: inout Stubborn, _ action: CartAction, _ step: inout Step) {}
  }

  @Test("an initial state that cannot be encoded ends no app, and moves no log")
  func header() throws {
    _ = try run("tea")
    let recorder = Recorder(to: folder.url("todo.jsonl"), logger: messages.logger)
    let dispatcher = Dispatcher([StubbornStore()])
    dispatcher.use(recorder)
    #expect(dispatcher.dispatch(CartAction.nothing).result == .unchanged)
    try recorder.close()
    let path = folder.path("todo.jsonl")
    let text = "\(path): step 1: cannot encode the store stubborn: it threw Refusal"
    #expect(recorder.failure?.message == text)
    #expect(messages.texts == ["error: recording failed: \(text)"])
    #expect(try folder.names() == ["todo.jsonl"])
    #expect(try items("todo.jsonl") == ["tea"])
  }

  private enum PayAction: Action {
    case pay(amount: Amount)
    case wait

    struct Amount: Codable, Sendable {
      func encode(to encoder: any Encoder) throws {
        let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "")
        throw EncodingError.invalidValue(self, context)
      }
    }
  }

  private struct PayStore: Store {
    let initialState = 0

    func reduce(_ count: inout Int, _ action: PayAction, _ step: inout Step) { count += 1 }
  }

  @Test("an action that cannot be encoded is a gap, and the message says that recording continues")
  func action() throws {
    let recorder = Recorder(to: folder.url("pay.jsonl"), logger: messages.logger)
    let dispatcher = Dispatcher([PayStore()])
    dispatcher.use(recorder)
    dispatcher.dispatch(PayAction.pay(amount: .init()))
    dispatcher.dispatch(PayAction.wait)
    let error = #expect(throws: LogError.self) { try recorder.close() }
    let path = folder.path("pay.jsonl")
    #expect(
      error?.message
        == #"\#(path): step 1: cannot encode the action: pay/pay: Amount at "/pay/amount""#)
    #expect(
      messages.texts == [
        "error: a step is missing from the log, and recording continues: \(error?.message ?? "")"
      ])
    let log = try LogFile.open(path)
    #expect(log.gaps.map(\.gap.why) == [.dropped] && log.count == 1)
  }

  @Test("a URL that is no file's is a failure")
  func webAddress() throws {
    let url = try #require(URL(string: "https://example.org/todo.jsonl"))
    let recorder = Recorder(to: url, logger: messages.logger)
    Dispatcher([CartStore()]).use(recorder)
    try recorder.close()
    #expect(
      recorder.failure?.message == """
        https://example.org/todo.jsonl: cannot record: this is not a file URL; make one with \
        URL(filePath:)
        """)
  }

  @Test("a folder is refused, with the recorder that takes one")
  func folderAsFile() throws {
    let recorder = Recorder(to: folder.url(""), logger: messages.logger)
    Dispatcher([CartStore()]).use(recorder)
    try recorder.close()
    #expect(
      recorder.failure?.message == """
        \(folder.url("").path): cannot record: this is a folder; pass the URL of a file in it, or use \
        Recorder(in:name:)
        """)
  }

  @Test("where apps start in the root folder, a log there is refused, and nowhere else")
  func rootFolder() throws {
    let url = URL(filePath: "todo.jsonl", relativeTo: URL(filePath: "/"))
    #expect(throws: Never.self) { try LogDestination.file(url).check(startsInRoot: false) }
    #expect(throws: Never.self) {
      try LogDestination.file(folder.url("todo.jsonl")).check(startsInRoot: true)
    }
    let error = #expect(throws: LogError.self) {
      try LogDestination.file(url).check(startsInRoot: true)
    }
    #expect(
      error?.message == """
        /todo.jsonl: cannot record: an app cannot write in /, where a relative URL leads; use \
        Recorder(in: .applicationSupport, name: "app") or a URL from FileManager
        """)
  }

  @Test("a folder of the app ends with the app's name")
  func appFolder() {
    let folders = [Recorder.AppFolder.applicationSupport, .caches].map(\.url)
    let app = ProcessInfo.processInfo.processName
    #expect(folders.allSatisfy { $0.path.hasSuffix("/\(app)/Recordings") })
    #expect(Set(folders).count == 2)
  }

  @Test(
    "without a dispatcher, a recorder keeps the log of the last run, and is as quiet about one that it cannot begin"
  )
  func sessions() throws {
    for count in 1...3 {
      let recorder = Recorder(to: folder.url("count.jsonl"))
      recorder.start(states: ["count": 0])
      recorder.record(NamedAction("set"), states: ["count": count])
      try recorder.close()
      #expect(recorder.url == folder.url("count.jsonl"))
      #expect(recorder.failure == nil)
    }
    #expect(try folder.names() == ["count.jsonl", "count~1.jsonl", "count~2.jsonl"])
    var options = Recorder.Options()
    options.log.existing = .refuse
    let url = folder.url("count.jsonl")
    let refused = Recorder(to: url, options: options, logger: messages.logger)
    refused.start(states: ["count": 0])
    #expect(refused.record(NamedAction("set"), states: ["count": 4]) == nil)
    try refused.flush()
    try refused.close()
    #expect(refused.failure == LogError(path: url.path, reason: .exists))
    #expect(messages.texts.count == 1)
  }

  @Test("a crash is in the log that the next run keeps, with the action that did it")
  func crash() throws {
    let url = folder.url("todo.jsonl")
    for _ in 1...2 { try CrashExample.start("trap", url).waitUntilExit() }
    #expect(try self.run("tea").url == url)
    for name in ["todo~1.jsonl", "todo~2.jsonl"] {
      let log = try LogFile.open(folder.path(name))
      try log.waitForIndex()
      let inFlight = try log.inFlight()
      #expect(log.count + inFlight.count == 4)
      #expect(
        inFlight.last?.action?.text == #"{"type":"basket/split","payload":{"people":0}}"#)
      #expect(inFlight.last?.isCommitted == false)
    }
    #expect(try items("todo.jsonl") == ["tea"])
  }

  @Test("processes that begin at one URL at the same time keep a log each")
  func processes() throws {
    let url = folder.url("todo.jsonl")
    _ = try run("tea")
    let processes = try (1...4).map { _ in try CrashExample.start("trap", url) }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
    }
    let names = try folder.names().filter { $0.hasSuffix(".jsonl") }
    #expect(names.count == 5)
    var stepCounts: [Int] = []
    for name in names {
      let log = try LogFile.open(folder.path(name))
      try log.waitForIndex()
      #expect(log.findings.allSatisfy { $0.problem.severity == .note })
      stepCounts.append(log.count + (try log.inFlight().count))
    }
    #expect(stepCounts.sorted() == [1, 4, 4, 4, 4])
  }
}

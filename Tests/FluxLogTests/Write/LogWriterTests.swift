import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct LogWriterTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  static let header = LogHeader(
    log: "1", created: LogInstant("2026-11-20T12:00:00Z"), seed: 1,
    stores: [
      .init(name: "todos", type: "T", initial: ["items": [], "filter": "all"]),
      .init(name: "search", type: "S", isFeature: true),
    ])

  /// The lines of a log without their sums, which are checked.
  private func lines(of name: String = "a.jsonl") throws -> [String] {
    try folder.text(of: name).split(separator: "\n").map { line in
      _ = try LogLine(Array(line.utf8))
      return String(line.dropLast(LineSum.tailCount)) + "}"
    }
  }

  private func record(
    _ number: UInt64, _ type: JSON, _ changes: [(String, JSON?)] = [], writer: LogWriter
  ) -> StepRecord {
    let time = LogTime(microseconds: number * 1000)
    let action = writer.begin(step: number, at: time, action: LogValue(json: ["type": type]))
    return StepRecord(
      number: number, time: time, action: action, changes: Self.changes(changes))
  }

  static func changes(_ changes: [(String, JSON?)]) -> [StepRecord.Change] {
    changes.map { StepRecord.Change(store: $0.0, state: $0.1.map(LogValue.init(json:))) }
  }

  @Test(
    "If the system refuses the writing thread, there is no recording, and the log says so",
    arguments: [LogWriter.Options.Durability.ahead, .buffered, .synced])
  func noThread(durability: LogWriter.Options.Durability) throws {
    let failure = SystemError("start a thread", code: EAGAIN)
    var options = LogWriter.Options()
    options.durability = durability
    #expect(throws: LogError(failure, path: path)) {
      try RefusedThreads.$failure.withValue(failure) {
        try LogWriter(path: path, header: Self.header, options: options)
      }
    }
    #expect(try folder.names() == ["a.jsonl"])
    #expect(try lines().last == #"{"end":{"steps":0,"ok":false}}"#)
    // It is not locked either.
    try LogWriter(path: path, header: Self.header).close()
    #expect(try folder.names() == ["a.jsonl", "a~1.jsonl"])
  }

  @Test(
    "A log is written as the format says",
    arguments: [LogWriter.Options.Durability.ahead, .buffered, .synced])
  func whole(durability: LogWriter.Options.Durability) throws {
    var options = LogWriter.Options()
    options.durability = durability
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    writer.append(
      record(1, "add", [("todos", ["items": [1], "filter": "all"])], writer: writer))
    var second = record(2, "setup", [("search", ["q": ""])], writer: writer)
    (second.target, second.cause, second.effect) = ("search", 1, "load")
    second.effects = [
      StoreEffects(store: "todos", names: ["save", "-load"]),
      StoreEffects(store: "search", names: ["+-x"]),
    ]
    (second.source, second.took) = ("App.swift:1", 5)
    writer.append(second)
    writer.mark("half", at: LogTime(microseconds: 2500))
    writer.append(record(3, "nothing", writer: writer))
    var fourth = record(4, "bad", writer: writer)
    fourth.rejection = LogRejection(reason: "r", message: "m")
    writer.append(fourth)
    writer.append(record(5, "close", [("search", nil)], writer: writer))
    try writer.close()
    #expect(
      try lines() == [
        #"{"flux":"1.1","log":"1","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"stores":{"todos":{"type":"T","initial":{"filter":"all","items":[]}},"search":{"type":"S","feature":true}}}"#,
        #"{"n":1,"t":0.001000,"action":{"type":"add"},"states":{"todos":{"filter":"all","items":[1]}}}"#,
        #"{"n":2,"t":0.002000,"action":{"type":"setup"},"target":"search","cause":1,"effect":"load","effects":{"todos":["save","-load"],"search":["+-x"]},"at":"App.swift:1","took":5,"states":{"search":{"q":""}}}"#,
        #"{"mark":"half","t":0.002500}"#,
        #"{"n":3,"t":0.003000,"action":{"type":"nothing"}}"#,
        #"{"n":4,"t":0.004000,"action":{"type":"bad"},"rejected":{"reason":"r","message":"m"}}"#,
        #"{"n":5,"t":0.005000,"action":{"type":"close"},"removed":["search"]}"#,
        #"{"end":{"steps":5,"ok":true}}"#,
      ])
    #expect(!FileManager.default.fileExists(atPath: folder.url("a.jsonl").inFlight.path))
    let log = try LogFile.opened(path)
    #expect(log.findings == [])
    #expect(log.count == 5)
  }

  @Test("An action begins with its type, and has no line breaks")
  func actionOrder() throws {
    let writer = try LogWriter(path: path, header: Self.header)
    let action = try JSON.parse("{\n\"payload\" : {\"b\":1,\"a\":2}, \"type\":\"x\"}")
    writer.append(
      StepRecord(
        number: 1, time: LogTime(microseconds: 0),
        action: writer.begin(
          step: 1, at: LogTime(microseconds: 0), action: LogValue(json: action))))
    try writer.close()
    #expect(
      try lines()[1] == #"{"n":1,"t":0.000000,"action":{"type":"x","payload":{"a":2,"b":1}}}"#)
  }

  @Test("After a gap the next accepted step has the whole model")
  func gaps() throws {
    let writer = try LogWriter(path: path, header: Self.header)
    writer.append(record(1, "setup", [("search", ["q": ""])], writer: writer))
    writer.skip(
      step: 2, changes: Self.changes([("todos", ["items": [2]]), ("search", nil)]), why: .paused)
    writer.skip(step: 3, changes: Self.changes([("late", 1)]), why: .paused)
    writer.skip(step: 4, changes: [], why: .filtered)
    var fifth = record(5, "bad", writer: writer)
    fifth.rejection = LogRejection(reason: "r", message: "m")
    writer.append(fifth)
    writer.append(record(6, "x", [("late", 2)], writer: writer))
    writer.append(record(7, "y", [("todos", ["items": [2]])], writer: writer))
    writer.skip(step: 8, changes: [], why: .paused)
    try writer.close()
    #expect(
      try lines().dropFirst(2) == [
        #"{"gap":{"from":2,"to":3,"why":"paused"}}"#,
        #"{"gap":{"from":4,"to":4,"why":"filtered"}}"#,
        #"{"n":5,"t":0.005000,"action":{"type":"bad"},"rejected":{"reason":"r","message":"m"}}"#,
        #"{"n":6,"t":0.006000,"action":{"type":"x"},"states":{"todos":{"items":[2]},"late":2}}"#,
        #"{"n":7,"t":0.007000,"action":{"type":"y"}}"#,
        #"{"gap":{"from":8,"to":8,"why":"paused"}}"#, #"{"end":{"steps":4,"ok":true}}"#,
      ])
    let log = try LogFile.opened(path)
    #expect(log.findings == [])
    #expect(log.breaks.map(\.position) == [1, 4])
  }

  private struct Refusal: Error, CustomStringConvertible {
    let description = "no JSON for this"
  }

  @Test("A value that cannot be encoded makes a gap of its step, and is reported once")
  func encodingFailure() throws {
    let reported = Monitor<[LogError]>([])
    var options = LogWriter.Options()
    options.onFailure = { error in reported.withLock { $0.append(error) } }
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    let refusing = LogValue(encoding: { throw Refusal() })
    writer.append(record(1, "a", [("todos", ["items": [1]])], writer: writer))
    var second = record(2, "b", writer: writer)
    second.changes = [
      .init(store: "todos", state: refusing), .init(store: "late", state: LogValue(json: 1)),
    ]
    writer.append(second)
    writer.append(record(3, "c", writer: writer))
    writer.append(record(4, "d", [("todos", ["items": [4]])], writer: writer))
    var fifth = record(5, "e", writer: writer)
    fifth.action = writer.begin(step: 5, at: fifth.time, action: LogValue(json: ["kind": "e"]))
    writer.append(fifth)
    try writer.close()
    #expect(
      try lines().dropFirst(2) == [
        #"{"gap":{"from":2,"to":3,"why":"dropped"}}"#,
        #"{"n":4,"t":0.004000,"action":{"type":"d"},"states":{"todos":{"items":[4]},"late":1}}"#,
        #"{"gap":{"from":5,"to":5,"why":"dropped"}}"#, #"{"end":{"steps":2,"ok":true}}"#,
      ])
    #expect(
      reported.withLock { $0.map(\.message) } == [
        "\(path): step 2: cannot encode the store todos: it threw Refusal",
        "\(path): step 5: cannot encode the action: an action must be an object with a \"type\"",
      ])
    #expect(try LogFile.opened(path).findings == [])
  }

  @Test("Full mode writes whole states always")
  func full() throws {
    var options = LogWriter.Options()
    options.states = .full
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    let big = String(repeating: "x", count: 1000)
    for number in 1...3 {
      let state: JSON = [
        "big": .init(stringLiteral: big), "n": .init(integerLiteral: Int64(number)),
      ]
      writer.append(record(UInt64(number), "a", [("todos", state)], writer: writer))
    }
    try writer.close()
    let log = try LogFile.opened(path)
    #expect((0..<3).allSatisfy { log.shape(at: $0)?.kind(of: "todos") == .whole })
  }

  @Test("A rewriter sees every value first, and nothing of what it takes out is anywhere")
  func rewriting() throws {
    var options = LogWriter.Options()
    options.rewriter = ClosureRewriter { role, value in
      role == .action ? ["type": "hidden"] : ["store": JSON(stringLiteral: "\(role)")]
    }
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    writer.append(record(1, "secret", [("todos", "secret")], writer: writer))
    try writer.flush()
    #expect(!(try folder.text(of: "a.jsonl")).contains("secret"))
    let ring = try folder.bytes(of: ".a.jsonl.inflight")
    #expect(!String(decoding: ring, as: UTF8.self).contains("secret"))
    #expect(String(decoding: ring, as: UTF8.self).contains("hidden"))
    try writer.close()
    #expect(
      try lines()[1]
        == #"{"n":1,"t":0.001000,"action":{"type":"hidden"},"states":{"todos":{"store":"state(\"todos\")"}}}"#
    )
  }

  @Test("Steps that are left out without a word end the recording")
  func notConsecutive() throws {
    let writer = try LogWriter(path: path, header: Self.header)
    writer.append(record(1, "a", writer: writer))
    writer.append(record(3, "c", writer: writer))
    let error = LogError(path: path, reason: .notConsecutive(found: 3, expected: 2))
    #expect(throws: error) { try writer.close() }
    #expect(
      try lines().dropFirst() == [
        #"{"n":1,"t":0.001000,"action":{"type":"a"}}"#, #"{"end":{"steps":1,"ok":false}}"#,
      ])
  }

  @Test("A writer that is let go of writes what it has, but no end")
  func abandoned() throws {
    var writer: LogWriter? = try LogWriter(path: path, header: Self.header)
    if let writer { writer.append(record(1, "a", writer: writer)) }
    try writer?.flush()
    writer = nil
    let log = try LogFile.opened(path)
    #expect(log.count == 1)
    #expect(log.end == nil)
  }

  @Test("A reader sees steps while the log is written")
  func following() throws {
    let writer = try LogWriter(path: path, header: Self.header)
    let log = try LogFile.opened(path)
    for number in UInt64(1)...50 {
      writer.append(
        record(number, "a", [("todos", .init(integerLiteral: Int64(number)))], writer: writer))
      guard number % 10 == 0 else { continue }
      try writer.flush()
      #expect(try log.refresh())
      #expect(log.count == Int(number))
      #expect(log.findings.map(\.problem) == [.noEnd])
    }
    try writer.close()
    #expect(try log.refresh())
    #expect(log.end == LogEnd(steps: 50, isComplete: true))
  }

  @Test(
    "Many threads of one app write one log, none of whose steps is lost", arguments: [1, 3, 1024])
  func contention(capacity: Int) throws {
    var options = LogWriter.Options()
    options.queueCapacity = capacity
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    let next = Monitor<UInt64>(1)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<250 {
        next.withLock { number in
          let state = JSON(integerLiteral: Int64(number))
          writer.append(record(number, "a", [("todos", state)], writer: writer))
          number += 1
        }
      }
    }
    try writer.close()
    let log = try LogFile.opened(path)
    #expect(log.count == 1000)
    #expect(log.findings == [])
  }

  @Test("Steps that do not fit in the queue become a gap, and the model after it is right")
  func dropping() throws {
    var options = LogWriter.Options()
    options.overflow = .drop
    options.queueCapacity = 2
    let writer = try LogWriter(path: path, header: Self.header, options: options)
    // The first state holds the writing thread up until all others were handed over.
    let (entered, gate) = (Monitor(false), Monitor(false))
    let slow = LogValue(encoding: {
      entered.withLock { $0 = true }
      entered.signal()
      return gate.waitUntil({ $0 }) { _ in 0 }
    })
    var first = record(1, "a", writer: writer)
    first.changes = [.init(store: "todos", state: slow)]
    writer.append(first)
    entered.waitUntil({ $0 }) { _ in }
    for number in UInt64(2)...20 {
      writer.append(
        record(
          number, "a", [("s\(number % 3)", .init(integerLiteral: Int64(number)))], writer: writer))
    }
    gate.withLock { $0 = true }
    gate.signal()
    try writer.flush()
    writer.append(record(21, "last", writer: writer))
    try writer.close()
    let log = try LogFile.opened(path)
    #expect(log.findings == [])
    #expect(log.gaps.map(\.gap) == [LogGap(from: 4, through: 20, why: .dropped)])
    let last = try log.step(number: 21)
    #expect(last.states == ["todos": 0, "s0": 18, "s1": 19, "s2": 20])
  }
}

/// A rewriter that changes actions and states with a closure, and no texts.
struct ClosureRewriter: ValueRewriter {
  private let body: @Sendable (ValueRole, JSON) throws -> JSON

  init(_ body: @escaping @Sendable (ValueRole, JSON) throws -> JSON) { self.body = body }

  var changesValues: Bool { true }

  var unmatched: [String] { [] }

  func seesEveryState(_ store: String) -> Bool { true }

  func rewrite(_ role: ValueRole, _ value: JSON, drawnIn step: UInt64?) throws -> JSON {
    try body(role, value)
  }

  func rewrite(_ text: String) -> String { text }
}

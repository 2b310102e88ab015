import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

@Suite struct RecordingSessionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }
  private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  enum TodoAction: Encodable, Sendable { case add(title: String), clear }

  struct Refused: Error {}

  struct Unencodable: Encodable, Sendable {
    func encode(to encoder: any Encoder) throws {
      let context = EncodingError.Context(
        codingPath: [], debugDescription: "a secret is locked")
      throw EncodingError.invalidValue("a secret", context)
    }
  }

  private func session(
    _ url: URL, _ states: [String: (any Encodable & Sendable)?],
    _ change: (inout RecordingSession.Options) -> Void = { _ in }
  ) -> RecordingSession {
    var options = RecordingSession.Options()
    change(&options)
    let clock = Ticks(start)
    return RecordingSession(to: url, states: states, options: options, now: { clock.next() })
  }

  /// The lines but for the header, without sums.
  private func lines(_ url: URL) throws -> [String] {
    Array(try linesWithoutSums(url).dropFirst())
  }

  @Test("everything that a line can say is said")
  func everything() throws {
    let url = folder.url("all.jsonl")
    let session = session(url, ["todos": ["tea"], "user": nil]) {
      $0.app = LogHeader.App(name: "Todos", version: "2.0")
    }
    let line = UInt(#line)
    let first = session.record(
      action: TodoAction.add(title: "cups"), states: ["todos": ["tea", "cups"], "user": "joe"],
      line: line)
    let second = session.record(
      action: TodoAction.clear, states: ["todos": [String](), "user": nil], target: "todos",
      cause: first, effect: "clean", line: line)
    session.record(
      action: TodoAction.clear, rejection: "there is nothing to clear", store: "todos",
      cause: second, line: line)
    session.mark("nearly done")
    session.record(
      action: NamedAction("todo/seen", payload: ["by": "joe"]), states: ["todos": [String]()],
      line: line)
    session.record(action: NamedAction("todo/left"), states: ["settings": 1], line: line)
    try session.close()

    let header = try linesWithoutSums(url)[0]
    #expect(header.contains(#""first":1,"app":{"name":"Todos","version":"2.0"}"#))
    #expect(
      header.contains(
        #""stores":{"todos":{"type":"Array<String>","initial":["tea"]},"user":{"feature":true}}"#))
    #expect(
      try lines(url) == [
        #"{"n":1,"t":0.100000,"action":{"type":"todo/add","payload":{"title":"cups"}},"states":{"todos":["tea","cups"],"user":"joe"}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"todo/clear"},"target":"todos","cause":1,"effect":"clean","states":{"todos":[]},"removed":["user"]}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"todo/clear"},"cause":2,"rejected":{"reason":"refused","message":"there is nothing to clear","store":"todos"}}"#,
        #"{"mark":"nearly done","t":0.400000}"#,
        #"{"n":4,"t":0.500000,"action":{"type":"todo/seen","payload":{"by":"joe"}}}"#,
        #"{"n":5,"t":0.600000,"action":{"type":"todo/left"},"states":{"settings":1}}"#,
        #"{"end":{"steps":5,"ok":true}}"#,
      ])
    #expect(session.failure == nil)
    let timeline = try openTimeline(url)
    #expect(
      try timeline.step(at: 0).source == "FluxRecorderTests/RecordingSessionTests.swift:\(line)")
  }

  @Test("a recording without source lines has none")
  func withoutSources() throws {
    let url = folder.url("plain.jsonl")
    let session = session(url, ["todos": 0]) { $0.recordsSource = false }
    session.record(action: NamedAction("a"), states: [:])
    try session.close()
    #expect(try openTimeline(url).step(at: 0).source == nil)
  }

  @Test("the effects that a caller passes are written, and the header says that all are passed")
  func effects() throws {
    let url = folder.url("effects.jsonl")
    let session = session(url, ["todos": 0]) { $0.recordsEffects = true }
    var effects = StoreEffects(store: "todos")
    effects.start("save")
    effects.cancel("load")
    session.record(action: NamedAction("a"), states: [:], effects: [effects])
    session.begin(NamedAction("b"), cause: 1, effect: "save")
      .commit(states: ["todos": 1], effects: [StoreEffects(store: "other", names: ["+-x"])])
    session.record(action: NamedAction("c"), rejection: "no")
    try session.close()
    #expect(try linesWithoutSums(url)[0].contains(#""first":1,"effects":true,"#))
    #expect(
      try lines(url) == [
        #"{"n":1,"t":0.100000,"action":{"type":"a"},"effects":{"todos":["save","-load"]}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"b"},"cause":1,"effect":"save","effects":{"other":["+-x"]},"states":{"todos":1}}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"c"},"rejected":{"reason":"refused","message":"no"}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
    let silent = folder.url("silent.jsonl")
    try self.session(silent, ["todos": 0]).close()
    #expect(try linesWithoutSums(silent)[0].contains(#""first":1,"platform""#))
  }

  @Test(
    "a state that did not change is not written",
    arguments: [LogWriter.Options.States.adaptive, .full])
  func unchanged(_ states: LogWriter.Options.States) throws {
    let url = folder.url("unchanged-\(states).jsonl")
    let session = session(url, ["a": ["x": 1], "b": ["x": 2]]) { $0.log.states = states }
    session.record(action: NamedAction("one"), states: ["a": ["x": 1], "b": ["x": 3]])
    session.record(action: NamedAction("two"), states: ["a": ["x": 1], "b": ["x": 3]])
    session.record(action: NamedAction("three"), states: ["a": ["x": 1]])
    try session.close()
    #expect(
      try lines(url) == [
        #"{"n":1,"t":0.100000,"action":{"type":"one"},"states":{"b":{"x":3}}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"two"}}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"three"}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
  }

  @Test("a step that is begun and neither committed nor rejected, as by a throw, is rejected")
  func thrown() throws {
    let url = folder.url("thrown.jsonl")
    let session = session(url, ["count": 0])
    func reduce(_ action: NamedAction) throws {
      let step = session.begin(action)
      guard action.type == "fine" else { throw Refused() }
      step.commit(states: ["count": 1])
    }
    #expect(throws: Refused.self) { try reduce(NamedAction("wrong")) }
    try reduce(NamedAction("fine"))
    let refused = session.begin(NamedAction("refused"))
    refused.reject("not now", store: "count")
    try session.close()
    #expect(
      try lines(url) == [
        #"{"n":1,"t":0.100000,"action":{"type":"wrong"},"rejected":{"reason":"failed","message":"the step was neither committed nor rejected: its reducer may have thrown"}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"fine"},"states":{"count":1}}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"refused"},"rejected":{"reason":"refused","message":"not now","store":"count"}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
  }

  @Test(
    "an action is noted when it is begun, and known to have committed before its line is written")
  func ahead() throws {
    let url = folder.url("ahead.jsonl")
    let session = session(url, ["count": 0])
    let step = session.begin(NamedAction("slow"))
    let log = try LogFile.open(url.path)
    let noted = try log.inFlight()
    #expect(noted.map(\.type) == ["slow"])
    #expect(noted.map(\.isCommitted) == [false])
    step.commit(states: ["count": 1])
    try session.close()
    #expect(try LogFile.open(url.path).inFlight() == [])
  }

  @Test(
    "an action inside another one has no step of its own, and what it changed is in the open one")
  func nested() throws {
    let url = folder.url("nested.jsonl")
    let session = session(url, ["count": 0])
    let outer = session.begin(NamedAction("outer"))
    #expect(session.record(action: NamedAction("inner"), states: ["count": 1]) == nil)
    outer.commit(states: ["count": 2])
    #expect(session.record(action: NamedAction("next"), states: ["count": 3]) == 2)
    try session.close()
    #expect(
      try lines(url) == [
        #"{"n":1,"t":0.100000,"action":{"type":"outer"},"states":{"count":2}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"next"},"states":{"count":3}}"#,
        #"{"end":{"steps":2,"ok":true}}"#,
      ])
  }

  @Test("what is paused or left out is a gap, behind which the model stands whole")
  func gaps() throws {
    let url = folder.url("gaps.jsonl")
    let session = session(url, ["count": 0, "name": "a"]) { options in
      options.shouldSkip = { $0 == "tick" }
    }
    session.record(action: NamedAction("one"), states: ["count": 1])
    session.pause()
    session.record(action: NamedAction("two"), states: ["count": 2])
    session.resume()
    session.record(action: NamedAction("three"), states: ["count": 3])
    session.record(action: NamedAction("tick"), states: ["name": nil])
    session.record(action: NamedAction("four"), states: ["count": 4])
    try session.close()
    #expect(
      try lines(url) == [
        #"{"n":1,"t":0.100000,"action":{"type":"one"},"states":{"count":1}}"#,
        #"{"gap":{"from":2,"to":2,"why":"paused"}}"#,
        #"{"n":3,"t":0.200000,"action":{"type":"three"},"states":{"count":3,"name":"a"}}"#,
        #"{"gap":{"from":4,"to":4,"why":"filtered"}}"#,
        #"{"n":5,"t":0.300000,"action":{"type":"four"},"states":{"count":4}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
    _ = try openTimeline(url)
  }

  @Test("steps of many threads take turns, and none is lost")
  func threads() throws {
    let url = folder.url("threads.jsonl")
    let session = session(url, ["count": 0])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<50 {
        session.record(
          action: NamedAction("from/\(thread)", payload: number), states: ["last": number])
      }
    }
    try session.close()
    let timeline = try openTimeline(url)
    #expect(timeline.end == 199)
    var payloads: [String: [Int64?]] = [:]
    for step in try steps(timeline) {
      payloads[step.type, default: []].append(step.payload?.number?.int64)
    }
    #expect(payloads.count == 4)
    #expect(payloads.values.allSatisfy { $0 == (0..<50).map { Int64($0) } })
  }

  @Test("a time that goes back is written as the latest so far")
  func clock() throws {
    let url = folder.url("clock.jsonl")
    let times = Times([100, 105, 101, 106].map { Date(timeIntervalSince1970: $0) })
    let session = RecordingSession(to: url, states: [:], now: { times.next() })
    for name in ["a", "b", "c"] { session.record(action: NamedAction(name), states: [:]) }
    try session.close()
    let timeline = try openTimeline(url)
    #expect(
      try steps(timeline).map(\.time.microseconds) == [5_000_000, 5_000_000, 6_000_000])
  }

  @Test(
    "a state that cannot be encoded leaves a gap, is told once without its value, and the rest goes on"
  )
  func unencodable() throws {
    let url = folder.url("unencodable.jsonl")
    let session = session(url, ["count": 0])
    session.record(action: NamedAction("one"), states: ["count": Unencodable()])
    session.record(action: NamedAction("two"), states: ["count": 2])
    let error = #expect(throws: LogError.self) { try session.close() }
    #expect(
      error?.message
        == #"\#(url.path): step 1: cannot encode the store count: String at """#)
    #expect(
      try lines(url) == [
        #"{"gap":{"from":1,"to":1,"why":"dropped"}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"two"},"states":{"count":2}}"#,
        #"{"end":{"steps":1,"ok":true}}"#,
      ])
  }

  @Test("a session that cannot write says so, and the app goes on")
  func failure() throws {
    let url = folder.url("missing/log.jsonl")
    let session = RecordingSession(to: url, states: ["count": 0])
    #expect(session.record(action: NamedAction("one"), states: ["count": 1]) == nil)
    session.mark("still here")
    #expect(session.failure == LogError(path: url.path, reason: .noFolder))
    try session.close()
  }
}

/// A clock with given times.
private final class Times: @unchecked Sendable {
  // Sendable: guarded by `lock`.
  private let lock = NSLock()
  private var times: [Date]

  init(_ times: [Date]) { self.times = times.reversed() }

  func next() -> Date { lock.withLock { times.popLast() ?? .distantFuture } }
}

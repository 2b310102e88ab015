import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// A recorder of an app without a dispatcher.
@Suite struct StartedRecorderTests {
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

  private func recorder(
    _ url: URL, _ states: [String: (any Encodable & Sendable)?],
    _ change: (inout Recorder.Options) -> Void = { _ in }
  ) -> Recorder {
    var options = Recorder.Options()
    change(&options)
    let clock = Ticks(start)
    let recorder = Recorder(to: url, options: options)
    recorder.start(states: states, now: { clock.next() })
    return recorder
  }

  /// The lines but for the header, without sums.
  private func lines(_ url: URL) throws -> [String] {
    Array(try linesWithoutSums(url).dropFirst())
  }

  @Test(
    "a clock that shows no date does not end the app, and the log stays readable",
    arguments: [
      ([.nan, 1], ["0.000000"]), ([0, .nan], ["0.000000"]), ([0, -.infinity], ["0.000000"]),
      ([0, .infinity], ["18446744073709.551615"]), ([0, 1e300], ["18446744073709.551615"]),
    ] as [([Double], [String])])
  func strangeClock(seconds: [Double], times: [String]) throws {
    let url = folder.url("clock.jsonl")
    let dates = Dates(seconds.map { Date(timeIntervalSince1970: $0) })
    let recorder = Recorder(to: url)
    recorder.start(states: ["todos": ["tea"]], now: { dates.next() })
    recorder.record(TodoAction.clear, states: ["todos": [String]()])
    try recorder.close()
    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    #expect(try (0..<log.count).map { try log.step(at: $0).time.description } == times)
    #expect(log.findings.isEmpty)
  }

  @Test("a step that another thread releases gives its turn back", .hangLimit)
  func releasedElsewhere() async throws {
    let url = folder.url("released.jsonl")
    let recorder = recorder(url, ["todos": ["tea"]])
    let release = await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: lose(recorder)) }.start()
    }
    #expect(await release.value == 1)
    #expect(recorder.record(TodoAction.clear, states: ["todos": [String]()]) == 2)
    try recorder.close()
    #expect(try LogFile.open(url.path).count == 2)
  }

  /// Begins a step that ends when a task releases it.
  private func lose(_ recorder: Recorder) -> Task<UInt64?, Never> {
    let step = recorder.begin(TodoAction.clear)
    return Task.detached { step.number }
  }

  @Test("everything that a line can say is said")
  func everything() throws {
    let url = folder.url("all.jsonl")
    let recorder = recorder(url, ["todos": ["tea"], "user": nil]) {
      $0.app = LogHeader.App(name: "Todos", version: "2.0")
      $0.recordsSource = true
    }
    let line = UInt(#line)
    let first = recorder.record(
      TodoAction.add(title: "cups"), states: ["todos": ["tea", "cups"], "user": "joe"],
      line: line)
    let second = recorder.record(
      TodoAction.clear, states: ["todos": [String](), "user": nil], target: "todos",
      cause: first, effect: "clean", line: line)
    recorder.begin(TodoAction.clear, cause: second, line: line)
      .reject("there is nothing to clear", store: "todos")
    recorder.mark("nearly done")
    recorder.record(
      NamedAction("todo/seen", payload: ["by": "joe"]), states: ["todos": [String]()],
      line: line)
    recorder.record(NamedAction("todo/left"), states: ["settings": 1], line: line)
    try recorder.close()

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
    #expect(recorder.failure == nil)
    let timeline = try openTimeline(url)
    #expect(
      try timeline.step(at: 0).source == "FluxRecorderTests/StartedRecorderTests.swift:\(line)")
  }

  @Test("a recording without source lines has none")
  func withoutSources() throws {
    let url = folder.url("plain.jsonl")
    let recorder = recorder(url, ["todos": 0]) { $0.recordsSource = false }
    recorder.record(NamedAction("a"), states: [:])
    try recorder.close()
    #expect(try openTimeline(url).step(at: 0).source == nil)
  }

  @Test("the effects that a caller passes are written, and the header says that all are passed")
  func effects() throws {
    let url = folder.url("effects.jsonl")
    let recorder = recorder(url, ["todos": 0]) { $0.recordsEffects = true }
    var effects = StoreEffects(store: "todos")
    effects.start("save")
    effects.cancel("load")
    recorder.record(NamedAction("a"), states: [:], effects: [effects])
    recorder.begin(NamedAction("b"), cause: 1, effect: "save")
      .commit(states: ["todos": 1], effects: [StoreEffects(store: "other", names: ["+-x"])])
    recorder.begin(NamedAction("c")).reject("no")
    try recorder.close()
    #expect(try linesWithoutSums(url)[0].contains(#""first":1,"effects":true,"#))
    #expect(
      try lines(url) == [
        #"{"n":1,"t":0.100000,"action":{"type":"a"},"effects":{"todos":["save","-load"]}}"#,
        #"{"n":2,"t":0.200000,"action":{"type":"b"},"cause":1,"effect":"save","effects":{"other":["+-x"]},"states":{"todos":1}}"#,
        #"{"n":3,"t":0.300000,"action":{"type":"c"},"rejected":{"reason":"refused","message":"no"}}"#,
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
    let silent = folder.url("silent.jsonl")
    try self.recorder(silent, ["todos": 0]).close()
    #expect(try linesWithoutSums(silent)[0].contains(#""first":1,"platform""#))
  }

  @Test(
    "a state that did not change is not written",
    arguments: [LogWriter.Options.States.adaptive, .full])
  func unchanged(_ states: LogWriter.Options.States) throws {
    let url = folder.url("unchanged-\(states).jsonl")
    let recorder = recorder(url, ["a": ["x": 1], "b": ["x": 2]]) { $0.log.states = states }
    recorder.record(NamedAction("one"), states: ["a": ["x": 1], "b": ["x": 3]])
    recorder.record(NamedAction("two"), states: ["a": ["x": 1], "b": ["x": 3]])
    recorder.record(NamedAction("three"), states: ["a": ["x": 1]])
    try recorder.close()
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
    let recorder = recorder(url, ["count": 0])
    func reduce(_ action: NamedAction) throws {
      let step = recorder.begin(action)
      guard action.type == "fine" else { throw Refused() }
      step.commit(states: ["count": 1])
    }
    #expect(throws: Refused.self) { try reduce(NamedAction("wrong")) }
    try reduce(NamedAction("fine"))
    let refused = recorder.begin(NamedAction("refused"))
    refused.reject("not now", store: "count")
    try recorder.close()
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
    let recorder = recorder(url, ["count": 0])
    let step = recorder.begin(NamedAction("slow"))
    let log = try LogFile.open(url.path)
    let noted = try log.inFlight()
    #expect(noted.map(\.type) == ["slow"])
    #expect(noted.map(\.isCommitted) == [false])
    step.commit(states: ["count": 1])
    try recorder.close()
    #expect(try LogFile.open(url.path).inFlight() == [])
  }

  @Test(
    "an action inside another one has no step of its own, and what it changed is in the open one")
  func nested() throws {
    let url = folder.url("nested.jsonl")
    let recorder = recorder(url, ["count": 0])
    let outer = recorder.begin(NamedAction("outer"))
    #expect(recorder.record(NamedAction("inner"), states: ["count": 1]) == nil)
    outer.commit(states: ["count": 2])
    #expect(recorder.record(NamedAction("next"), states: ["count": 3]) == 2)
    try recorder.close()
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
    let recorder = recorder(url, ["count": 0, "name": "a"]) { options in
      options.shouldSkip = { ($0 as? NamedAction)?.type == "tick" }
    }
    recorder.record(NamedAction("one"), states: ["count": 1])
    recorder.pause()
    recorder.record(NamedAction("two"), states: ["count": 2])
    recorder.resume()
    recorder.record(NamedAction("three"), states: ["count": 3])
    recorder.record(NamedAction("tick"), states: ["name": nil])
    recorder.record(NamedAction("four"), states: ["count": 4])
    try recorder.close()
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
    let recorder = recorder(url, ["count": 0])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<50 {
        recorder.record(
          NamedAction("from/\(thread)", payload: number), states: ["last": number])
      }
    }
    try recorder.close()
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
    let recorder = Recorder(to: url)
    recorder.start(states: [:], now: { times.next() })
    for name in ["a", "b", "c"] { recorder.record(NamedAction(name), states: [:]) }
    try recorder.close()
    let timeline = try openTimeline(url)
    #expect(
      try steps(timeline).map(\.time.microseconds) == [5_000_000, 5_000_000, 6_000_000])
  }

  @Test(
    "a state that cannot be encoded leaves a gap, is told once without its value, and the rest goes on"
  )
  func unencodable() throws {
    let url = folder.url("unencodable.jsonl")
    let recorder = recorder(url, ["count": 0])
    recorder.record(NamedAction("one"), states: ["count": Unencodable()])
    recorder.record(NamedAction("two"), states: ["count": 2])
    let error = #expect(throws: LogError.self) { try recorder.close() }
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

  @Test("a reducer's error is a rejection with the message that a replay has")
  func errors() throws {
    let url = folder.url("errors.jsonl")
    let recorder = recorder(url, ["count": 0])
    recorder.begin(NamedAction("a")).reject(Rejection("there is no milk"))
    recorder.begin(NamedAction("b")).reject(Refused())
    recorder.begin(NamedAction("c")).reject(Rejection.impossible)
    try recorder.close()
    #expect(
      try steps(openTimeline(url)).map(\.rejection) == [
        LogRejection(reason: "refused", message: "there is no milk"),
        LogRejection(reason: "refused", message: "Refused()"),
        LogRejection(reason: "refused", message: "the action is impossible in this state"),
      ])
  }

  @Test("an action before the start is not recorded, with a warning, and the recording is whole")
  func notStarted() throws {
    let url = folder.url("early.jsonl")
    let recorder = Recorder(to: url)
    #expect(recorder.record(NamedAction("one"), states: ["count": 1]) == nil)
    recorder.start(states: ["count": 1])
    #expect(recorder.record(NamedAction("two"), states: ["count": 2]) == 1)
    try recorder.close()
    #expect(
      recorder.warnings.map(\.message) == [
        "\(url.path): an action was not recorded: the log begins when start(states:) or start(reflecting:) returns"
      ])
    #expect(try lines(url).count == 2)
  }

  /// A state that records while it is encoded, as a getter with a side effect may.
  private struct Recording: Encodable, Sendable {
    let recorder: Recorder

    func encode(to encoder: any Encoder) throws {
      recorder.record(NamedAction("encoding"), states: [:])
      var container = encoder.singleValueContainer()
      try container.encode(1)
    }
  }

  @Test("an action that is recorded while the log begins does not end the recording")
  func duringStart() throws {
    let url = folder.url("during.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["count": Recording(recorder: recorder)])
    #expect(recorder.record(NamedAction("one"), states: ["count": 2]) == 1)
    try recorder.close()
    #expect(
      recorder.warnings.map(\.message) == [
        "\(url.path): an action was not recorded: the log begins when start(states:) or start(reflecting:) returns"
      ])
    #expect(try lines(url).count == 2)
  }

  @Test("an action recorded while a dispatcher records is left out of the log, with advice")
  func besideDispatcher() throws {
    let url = folder.url("both.jsonl")
    let recorder = Recorder(to: url)
    let dispatcher = Dispatcher([TallyStore()])
    dispatcher.use(recorder)
    #expect(recorder.record(NamedAction("one"), states: ["tally": 1]) == nil)
    dispatcher.dispatch(TallyAction.add(1))
    try recorder.close()
    #expect(
      recorder.warnings.map(\.message) == [
        "\(url.path): an action was not recorded: a dispatcher uses this recorder; dispatch the action instead of "
          + "recording it"
      ])
    #expect(try lines(url).count == 2)
  }

  @Test("an action after a recorder was closed without a start has the reason")
  func closedFirst() throws {
    let url = folder.url("closed.jsonl")
    let recorder = Recorder(to: url)
    try recorder.close()
    #expect(recorder.record(NamedAction("one"), states: [:]) == nil)
    #expect(
      recorder.warnings.map(\.message) == [
        "\(url.path): an action was not recorded: the recorder is closed"
      ])
  }

  @Test("a rejected action can be recorded from asynchronous code")
  func rejection() async throws {
    let url = folder.url("rejection.jsonl")
    let recorder = recorder(url, ["todos": 0])
    #expect(
      recorder.record(
        NamedAction("buy"), rejection: "there is no milk", store: "todos", cause: nil) == 1)
    try recorder.close()
    let steps = try steps(openTimeline(url))
    #expect(
      steps.map(\.rejection) == [
        LogRejection(reason: "refused", message: "there is no milk", store: "todos")
      ])
  }

  @Test("a recorder that is started twice stops, and says so")
  func startedTwice() throws {
    let url = folder.url("twice.jsonl")
    let recorder = recorder(url, ["count": 0])
    recorder.record(NamedAction("one"), states: ["count": 1])
    recorder.start(states: ["count": 0])
    recorder.record(NamedAction("two"), states: ["count": 2])
    let error = #expect(throws: LogError.self) { try recorder.close() }
    #expect(
      error?.message == """
        \(url.path): cannot record: it was started a second time; create a recorder for each log
        """)
    #expect(try lines(url).count == 2)
  }

  /// A state whose encoding does something else first.
  private struct Interruption: Encodable, Sendable {
    let action: @Sendable () -> Void

    func encode(to encoder: any Encoder) throws {
      action()
      try 0.encode(to: encoder)
    }
  }

  @Test("a recorder that is closed before it is started, or while its log begins, records nothing")
  func closedEarly() throws {
    let unused = Recorder(to: folder.url("unused.jsonl"))
    try unused.close()
    unused.start(states: ["count": 0])
    #expect(unused.failure == nil)

    let url = folder.url("closed.jsonl")
    let recorder = Recorder(to: url)
    let interruption = Interruption {
      #expect(throws: Never.self) { try recorder.close() }
    }
    recorder.start(states: ["count": interruption])
    recorder.record(NamedAction("one"), states: ["count": 1])
    #expect(try lines(url) == [#"{"end":{"steps":0,"ok":true}}"#])
    #expect(try folder.names() == ["closed.jsonl"])
  }

  @Test("a recorder that is started again while its log begins closes that log, and says so")
  func startedWhileBeginning() throws {
    let url = folder.url("twice.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["count": Interruption { recorder.start(states: [:]) }])
    recorder.record(NamedAction("one"), states: ["count": 1])
    #expect(
      recorder.failure?.message == """
        \(url.path): cannot record: it was started a second time; create a recorder for each log
        """)
    #expect(try lines(url) == [#"{"end":{"steps":0,"ok":false}}"#])
  }

  @Test("a recorder that cannot write says so, and the app goes on")
  func failure() throws {
    let url = folder.url("missing/log.jsonl")
    let recorder = Recorder(to: url)
    recorder.start(states: ["count": 0])
    #expect(recorder.record(NamedAction("one"), states: ["count": 1]) == nil)
    recorder.mark("still here")
    #expect(recorder.failure == LogError(path: url.path, reason: .noFolder))
    try recorder.close()
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

/// A clock that shows some dates one after the other, and then the last one.
private final class Dates: @unchecked Sendable {
  // Sendable: guarded by `lock`.
  private let lock = NSLock()
  private var rest: [Date]

  init(_ dates: [Date]) { rest = dates }

  func next() -> Date { lock.withLock { rest.count > 1 ? rest.removeFirst() : rest[0] } }
}

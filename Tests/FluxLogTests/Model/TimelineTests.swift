import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct TimelineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func timeline(_ lines: [String], cache: Int = 64 << 20) throws -> Timeline {
    let text = lines.map(SampleLog.summed).joined()
    let path = try folder.write(text.utf8, to: "log.jsonl")
    return Timeline(try LogFile.opened(path), cacheByteCount: cache)
  }

  private func states(_ timeline: Timeline, of store: String) throws -> [String] {
    try timeline.positions.map { position in
      switch try timeline.storeState(store, at: position) {
      case .present(let json): json.text
      case .absent: "absent"
      case .unknown: "unknown"
      }
    }
  }

  @Test("Every state of a log with a gap is the recorded one")
  func sample() throws {
    let timeline = try timeline(SampleLog.lines)
    let none = #"{"items":[]}"#
    let one = #"{"items":[{"id":1}]}"#
    #expect(
      try states(timeline, of: "todos") == [none, one, one, one, one, one, none, none])
    let search = #"{"q":"","hits":[]}"#
    #expect(
      try states(timeline, of: "search")
        == ["absent", "absent", search, "null", "null", "null", "null", "absent"])
    #expect(timeline.number(at: -1) == 0)
    #expect(timeline.number(at: 5) == 10)
  }

  @Test("A position that the log does not have is an error", arguments: [Int.min, -2, 7, Int.max])
  func positions(position: Int) throws {
    let timeline = try timeline(SampleLog.lines)
    let number: UInt64 = position < 0 ? 0 : UInt64(position) + 1
    let error = LogError(path: timeline.log.path, reason: .noSuchStep(number, in: 1...11))
    #expect(throws: error) { try timeline.step(at: position) }
    #expect(throws: error) { try timeline.changedStores(at: position) }
    #expect(throws: LogError.self) { try timeline.model(at: position) }
    #expect(timeline.number(at: position) == nil)
    if position == timeline.log.count {
      #expect(try timeline.model(before: position).json == timeline.model(at: position - 1).json)
    } else {
      #expect(throws: LogError.self) { try timeline.model(before: position) }
    }
    #expect(try timeline.changedStores(at: Timeline.start) == [])
  }

  @Test("A state that a gap hides is an error that names store and step")
  func hidden() throws {
    let header = #"{"flux":"1.0","stores":{"a":{"initial":1}}}"#
    let timeline = try timeline([
      header,
      #"{"gap":{"from":1,"to":2,"why":"paused"}}"#,
      #"{"n":3,"t":1,"action":{"type":"x"},"rejected":{"reason":"no"}}"#,
      #"{"n":4,"t":1,"action":{"type":"x"},"states":{"a":2}}"#,
    ])
    #expect(throws: LogError(path: timeline.log.path, reason: .unknownStates(["a"], step: 3))) {
      try timeline.state(of: "a", at: 0)
    }
    #expect(try timeline.state(of: "a", at: -1) == 1)
    #expect(try timeline.state(of: "a", at: 1) == 2)
    #expect(try timeline.state(of: "none", at: 1) == nil)
    #expect(try timeline.model(at: 0).unknownStores == ["a"])
    #expect(try timeline.model(at: 1).json == ["a": 2])
  }

  @Test("A position outside the log is an error")
  func outside() throws {
    let timeline = try timeline(SampleLog.lines)
    for position in [-2, 7, 1000] {
      #expect(throws: LogError.self) { try timeline.state(of: "todos", at: position) }
      #expect(throws: LogError.self) { try timeline.model(at: position) }
    }
  }

  @Test("After damage a store is unknown until it is written whole, and patches are skipped")
  func damage() throws {
    let timeline = try timeline([
      #"{"flux":"1.0","stores":{"a":{"initial":[]},"b":{"initial":0}}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/0","value":1}]}}"#,
      #"{"n":3,"t":1,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/0","value":2}]}}"#,
      #"{"n":4,"t":1,"action":{"type":"x"},"states":{"a":[4]}}"#,
      #"{"n":5,"t":1,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/0","value":5}]}}"#,
      #"{"n":6,"t":1,"action":{"type":"x"},"removed":["b"]}"#,
    ])
    #expect(try states(timeline, of: "a") == ["[]", "[1]", "unknown", "[4]", "[5,4]", "[5,4]"])
    #expect(
      try states(timeline, of: "b") == ["0", "0", "unknown", "unknown", "unknown", "absent"])
  }

  @Test("After a gap the model is replaced; after a gap of a repair it is unknown")
  func gaps() throws {
    let add = #"[{"op":"add","path":"/0","value":3}]"#
    func timeline(why: String) throws -> Timeline {
      try self.timeline([
        #"{"flux":"1.0","stores":{"a":{"initial":[]},"b":{"initial":0}}}"#,
        #"{"gap":{"from":1,"to":2,"why":"\#(why)"}}"#,
        #"{"n":3,"t":1,"action":{"type":"x"},"rejected":{"reason":"no"}}"#,
        #"{"n":4,"t":1,"action":{"type":"x"},"states":{"b":4}}"#,
        #"{"n":5,"t":1,"action":{"type":"x"},"patches":{"a":\#(add)}}"#,
        #"{"n":6,"t":1,"action":{"type":"x"},"states":{"a":[6]}}"#,
        #"{"n":7,"t":1,"action":{"type":"x"},"patches":{"a":\#(add)}}"#,
      ])
    }
    for why in ["paused", "filtered", "dropped"] {
      let timeline = try timeline(why: why)
      #expect(
        try states(timeline, of: "a")
          == ["[]", "unknown", "absent", "unknown", "[6]", "[3,6]"])
      #expect(try states(timeline, of: "b") == ["0", "unknown", "4", "4", "4", "4"])
    }
    // Its lines are unchanged. Stores that they do not list are still present, but their states are
    // unknown.
    let repaired = try timeline(why: "damaged")
    #expect(
      try states(repaired, of: "a")
        == ["[]", "unknown", "unknown", "unknown", "[6]", "[3,6]"])
    #expect(try states(repaired, of: "b") == ["0", "unknown", "4", "4", "4", "4"])
    #expect(try repaired.patchFailure(of: "a", at: 2) == nil)
    #expect(repaired.baseline(of: 1) == Baseline(position: 0, afterGap: false))
  }

  @Test("A patch that does not apply hides its store, and no other, until it is written whole")
  func wrongPatch() throws {
    let timeline = try timeline([
      #"{"flux":"1.0","stores":{"a":{"initial":[]},"b":{"initial":0},"c":{"feature":true}}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/9","value":1}],"b":[{"op":"replace","path":"","value":1}]}}"#,
      #"{"n":2,"t":1,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/0","value":2}],"c":[]}}"#,
      #"{"n":3,"t":1,"action":{"type":"x"},"states":{"a":[3]}}"#,
    ])
    for _ in 0..<2 {
      #expect(try states(timeline, of: "a") == ["[]", "unknown", "unknown", "[3]"])
      #expect(try states(timeline, of: "b") == ["0", "1", "1", "1"])
      #expect(try states(timeline, of: "c") == ["absent", "absent", "unknown", "unknown"])
    }
    #expect(try timeline.patchFailure(of: "a", at: 0) != nil)
    #expect(try timeline.patchFailure(of: "a", at: 1) == nil)
    #expect(try timeline.patchFailure(of: "b", at: 0) == nil)
    #expect(try timeline.patchFailure(of: "c", at: 1) == "the store has no state before this step")
  }

  @Test("A single value is read without serializing its state")
  func values() throws {
    let timeline = try timeline(SampleLog.lines)
    let pointer = try Pointer("/items/0/id")
    #expect(try timeline.value(pointer, of: "todos", at: -1) == .absent)
    #expect(try timeline.value(pointer, of: "todos", at: 3) == .present(1))
    #expect(try timeline.value(pointer, of: "todos", at: 5) == .absent)
    #expect(try timeline.value(.root, of: "search", at: 2) == .present(.null))
  }

  @Test("Appended lines are visible after a refresh")
  func following() throws {
    let lines = SampleLog.lines.map(SampleLog.summed)
    var bytes = Array(lines[0...1].joined().utf8)
    let path = try folder.write(bytes, to: "log.jsonl")
    let timeline = Timeline(try LogFile.opened(path))
    #expect(timeline.positions == -1..<1)
    #expect(try timeline.state(of: "search", at: 0) == nil)
    bytes += Array(lines[2].utf8)
    _ = try folder.write(bytes, to: "log.jsonl")
    #expect(try timeline.refresh())
    #expect(try timeline.state(of: "search", at: 1) == ["q": "", "hits": []])
  }

  @Test(
    "Random logs, full and adaptive, give every state, walking both ways and jumping",
    arguments: [LogWriter.Options.States.full, .adaptive], [64 << 20, 20_000])
  func randomLogs(_ mode: LogWriter.Options.States, _ cache: Int) throws {
    for purpose in 0..<6 {
      let recording = try TestRecording.random(purpose, steps: 60)
      let path = folder.path("\(purpose).jsonl")
      try recording.write(to: path, mode)
      let timeline = Timeline(try LogFile.opened(path), cacheByteCount: cache)
      #expect(timeline.log.count == recording.written.count)
      func check(_ position: Int) throws {
        let expected = recording.model(at: position)
        for store in ["a", "b", "c/~é", "none"] {
          let state: StoreState? = expected.map { $0[store].map { .present($0) } ?? .absent }
          #expect(
            try timeline.storeState(store, at: position) == state ?? .unknown,
            "seed \(SeededGenerator.seed), log \(purpose), position \(position), \(store)")
        }
      }
      for position in timeline.positions { try check(position) }
      for position in timeline.positions.reversed() { try check(position) }
      var random = RandomJSON(purpose)
      for _ in 0..<60 { try check(random.below(timeline.log.count + 1) - 1) }
    }
  }
}

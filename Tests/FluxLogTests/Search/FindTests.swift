import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct FindTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func timeline(_ lines: [String]) throws -> Timeline {
    let text = lines.map(SampleLog.summed).joined()
    return Timeline(try LogFile.opened(try folder.write(text.utf8, to: "log.jsonl")))
  }

  @Test("Queries see a step as documented, from start to end")
  func documents() throws {
    let timeline = try timeline(SampleLog.lines)
    #expect(
      try timeline.document(at: -1).json()
        == ["n": 0, "state": ["todos": ["items": []]]])
    #expect(
      try timeline.document(at: 2).json()
        == [
          "n": 3, "t": 0.3,
          "action": ["type": "todo/add", "payload": [1, "]", ["a": [:]]]], "cause": 2,
          "effect": "load", "effects": ["search": ["-load", "+-]"], "todos": ["save \"1\""]],
          "at": "App.swift:1", "took": 12, "changed": ["search", "todos"],
          "state": ["search": .null, "todos": ["items": [["id": 1]]]],
          "before": ["search": ["q": "", "hits": []], "todos": ["items": [["id": 1]]]],
        ])
    #expect(
      try timeline.document(at: 4).json()["rejected"]
        == ["reason": "impossible", "message": "}"])
    // After a gap, changes are relative to the last known model, in which the search was present.
    let withoutSearch =
      #"{"n":10,"t":1.000000,"action":{"type":"todo/add"},"states":{"todos":{"items":[]}}}"#
    let leftOut = try self.timeline(SampleLog.lines.prefix(8) + [withoutSearch])
    let afterGap = try leftOut.document(at: 5).json()
    #expect(afterGap["changed"] == ["search", "todos"])
    #expect(afterGap["before"]?["search"] == .some(JSON.null))
    #expect(afterGap["state"]?["search"] == nil)
  }

  @Test(
    "A search for a text compares bytes, and finds what its expression finds",
    arguments: ["todo", "TODO/Add", "1", "]", "tea", "é", "ß", "k", "\u{212A}", "{", "a b", ""])
  func texts(_ text: String) throws {
    let actions = [
      #"{"type":"todo/add","payload":{"title":"Green TEA","n":1}}"#,
      #"{"type":"x","payload":["\u0074ea",{"tea":2}]}"#,
      #"{"type":"É","payload":"straße Kelvin \u212a"}"#,
      #"{"type":"{a}","payload":{"b":"é a b ]"}}"#,
    ]
    let lines = actions.enumerated().map { #"{"n":\#($0 + 1),"t":0,"action":\#($1)}"# }
    let timeline = try timeline([#"{"flux":"1.1","stores":{}}"#] + lines)
    let filter = try StepFilter.containing(text)
    guard case .text(_, let expression) = filter else { return }
    for direction in [SearchDirection.forwards, .backwards] {
      for limit in [1, Int.max] {
        #expect(
          try timeline.find(filter, in: nil, direction, limit: limit).positions
            == timeline.find(.expression(expression), in: nil, direction, limit: limit).positions)
      }
    }
  }

  @Test("Globs and expressions find steps both ways, within a range and a limit")
  func find() throws {
    let timeline = try timeline(SampleLog.lines)
    func found(
      _ text: String, _ range: Range<Int>? = nil, _ direction: SearchDirection = .forwards,
      limit: Int = .max
    ) throws -> [Int] {
      try timeline.find(StepFilter(text), in: range, direction, limit: limit).positions
    }
    #expect(try found("todo/*") == [0, 2, 5])
    #expect(try found("todo/*", 1..<5) == [2])
    #expect(try found("todo/*", nil, .backwards) == [5, 2, 0])
    #expect(try found("todo/*", nil, .backwards, limit: 2) == [5, 2])
    #expect(try found("length(todos.items) == 1") == [0, 1, 2, 3, 4])
    #expect(try found("changed(todos.items)") == [0, 5])
    #expect(try found("changed(todos.items)", nil, .backwards) == [5, 0])
    #expect(try found("$.rejected") == [4])
    #expect(try found("was(search) == null && $.n > 3") == [3, 4, 5, 6])
    #expect(try timeline.find(StepFilter("$.cause == 2")).positions.count == 1)
  }

  @Test("Steps with an unknown result are counted, not matched")
  func unknown() throws {
    let timeline = try timeline([
      #"{"flux":"1.0","stores":{"a":{"initial":1},"b":{"initial":1}}}"#,
      #"{"n":2,"t":1,"action":{"type":"x"},"states":{"b":2}}"#,
      #"{"n":3,"t":1,"action":{"type":"x"}}"#,
      #"{"n":4,"t":1,"action":{"type":"x"},"states":{"a":1}}"#,
    ])
    let result = try timeline.find(StepFilter("a == 1"))
    #expect(result == SearchResult(positions: [2], unknownSteps: 2))
    #expect(try timeline.find(StepFilter("b == 2")).positions == [0, 1, 2])
  }

  @Test("A search reports its progress and can be cancelled")
  func progress() throws {
    struct Ended: Error {}
    let timeline = try timeline(SampleLog.lines)
    var total = 0
    _ = try timeline.find(StepFilter("$.n == 0")) { total = max(total, $1) }
    #expect(total == 7)
    #expect(throws: Ended.self) {
      try timeline.find(StepFilter("$.n == 0")) { _, _ in throw Ended() }
    }
  }

  @Test("A move stops at the nearest step beyond its start, both ways")
  func stops() throws {
    let timeline = try timeline(SampleLog.lines)
    func stops(_ conditions: StopCondition..., direction: SearchDirection) throws -> [Int?] {
      try timeline.positions.map { position in
        try timeline.stop(at: conditions, from: position, direction)?.position
      }
    }
    let rejected = StopCondition.rejection
    #expect(try stops(rejected, direction: .forwards) == [4, 4, 4, 4, 4, nil, nil, nil])
    #expect(try stops(rejected, direction: .backwards) == [nil, nil, nil, nil, nil, nil, 4, 4])
    #expect(try stops(.gap, direction: .forwards) == [5, 5, 5, 5, 5, 5, nil, nil])
    #expect(try stops(.gap, direction: .backwards) == [nil, nil, nil, nil, nil, nil, nil, 5])
    let add = StopCondition.action(Glob("todo/add"), where: nil)
    #expect(try stops(add, direction: .forwards) == [0, 2, 2, 5, 5, 5, nil, nil])
    let second = StopCondition.action(Glob("todo/add"), where: try QueryExpression("$.n > 1"))
    #expect(try stops(second, direction: .forwards) == [2, 2, 2, 5, 5, 5, nil, nil])
    #expect(try stops(second, direction: .backwards) == [nil, nil, nil, nil, 2, 2, 2, 5])
    let search = StopCondition.change(try ValueQuery("search"), where: nil)
    #expect(try stops(search, direction: .forwards) == [1, 1, 2, 6, 6, 6, 6, nil])
    #expect(try stops(search, direction: .backwards) == [nil, nil, nil, 1, 2, 2, 2, 2])
    let told = StopCondition.positions([1, 6, 99])
    #expect(try stops(told, direction: .forwards) == [1, 1, 6, 6, 6, 6, 6, nil])
    #expect(try stops(told, direction: .backwards) == [nil, nil, nil, 1, 1, 1, 1, 1])
    let last = StopCondition.expression(try QueryExpression("$.n >= 10"))
    #expect(try stops(last, direction: .forwards) == [5, 5, 5, 5, 5, 5, 6, nil])
    #expect(try stops(rejected, add, direction: .forwards) == [0, 2, 2, 4, 4, 5, nil, nil])
    #expect(
      try timeline.stop(at: [.gap, add, rejected], from: 4)
        == Stop(position: 5, conditions: [0, 1]))
    #expect(try timeline.stop(at: [add, rejected], in: 1..<5, .forwards)?.position == 2)
    #expect(try timeline.stop(at: [add, rejected], in: 1..<5, .backwards)?.position == 4)
    #expect(try timeline.stop(at: [add, rejected], in: 3..<4, .forwards) == nil)
    #expect(try timeline.stop(at: [add, rejected], in: 6..<99, .forwards) == nil)
  }

  @Test("After a gap or damage, a step changes what differs from the last known value")
  func hiddenChanges() throws {
    let log = try timeline([
      #"{"flux":"1.0","stores":{"a":{"initial":1},"b":{"initial":{"x":1}}}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"},"states":{"a":2}}"#,
      #"{"n":2,"t":1,"action":{"type":"x"},"states":{"a":3,"b":{"x":2}}}"#,
      #"{"n":3,"t":1,"action":{"type":"x"}}"#,
      #"{"gap":{"from":4,"to":4,"why":"paused"}}"#,
      // The state is unknown here, and the value before step 2 does not matter.
      #"{"n":5,"t":1,"action":{"type":"x"},"rejected":{"reason":"r","message":""}}"#,
      #"{"n":6,"t":1,"action":{"type":"x"},"states":{"a":2,"b":{"x":2}}}"#,
      // It does not apply and does not touch the watched value.
      #"{"n":7,"t":1,"action":{"type":"x"},"patches":{"b":[{"op":"remove","path":"/y"}]}}"#,
      #"{"n":8,"t":1,"action":{"type":"x"},"states":{"b":{"x":1}}}"#,
      #"{"n":9,"t":1,"action":{"type":"x"},"patches":{"b":[{"op":"remove","path":"/y"}]}}"#,
      #"{"n":10,"t":1,"action":{"type":"x"},"states":{"b":{"x":1}}}"#,
    ])
    func changes(_ path: String) throws -> [UInt64?] {
      let condition = StopCondition.change(try ValueQuery(path), where: nil)
      var numbers: [UInt64?] = []
      var position = Timeline.start
      while let stop = try log.stop(at: [condition], from: position) {
        position = stop.position
        numbers.append(log.number(at: position))
      }
      return numbers
    }
    #expect(try changes("a") == [1, 2, 6])
    #expect(try changes("b.x") == [2, 8])
    #expect(
      try log.writes(of: Path("b.x", dialect: .inspector)).map(\.number) == [0, 2, 8])
  }

  @Test("A bisection finds the step at which an expression turned true")
  func bisect() throws {
    let timeline = try timeline(SampleLog.lines)
    func bisect(_ text: String, _ range: Range<Int>? = nil) throws -> TurningPoint? {
      try timeline.bisect(QueryExpression(text), in: range)
    }
    for number in [1, 3, 5, 10, 11] {
      let position = try #require(timeline.log.position(atOrBefore: UInt64(number)))
      #expect(try bisect("$.n >= \(number)") == TurningPoint(position: position, isMonotone: true))
    }
    #expect(try bisect("$.n >= 0") == TurningPoint(position: -1, isMonotone: true))
    #expect(try bisect("$.n > 99") == TurningPoint(position: nil, isMonotone: true))
    #expect(try bisect("$.n < 5") == TurningPoint(position: nil, isMonotone: false))
    #expect(
      try bisect("length(todos.items) == 1", 0..<4) == TurningPoint(position: 0, isMonotone: true))
    func backwards(_ text: String, _ range: Range<Int>? = nil) throws -> TurningPoint? {
      try timeline.bisect(QueryExpression(text), in: range, .backwards)
    }
    for number in [1, 3, 5, 10] {
      let position = try #require(timeline.log.position(atOrBefore: UInt64(number)))
      #expect(
        try backwards("$.n <= \(number)") == TurningPoint(position: position, isMonotone: true))
    }
    #expect(try backwards("$.n >= 0", 2..<4) == TurningPoint(position: 3, isMonotone: true))
    #expect(try backwards("$.n > 5") == TurningPoint(position: nil, isMonotone: false))
  }

  @Test("A watched part of the step stops where it differs from that of the step before")
  func watchedStep() throws {
    let folder = try TemporaryFolder()
    let count = 300
    let lines =
      [#"{"flux":"1.1","first":1,"stores":{"s":{"initial":0}}}"#]
      + (1...count).map { number in
        let rejected = number == 100 ? #","rejected":{"reason":"no"}"# : ""
        let cause = number == 200 ? #","cause":199,"effect":"save"}"# : "}"
        return
          #"{"n":\#(number),"t":1,"action":{"type":"\#(number < 250 ? "a" : "b")"}\#(rejected)\#(cause)"#
      }
    let timeline = Timeline(
      try LogFile.opened(
        try folder.write(lines.map(SampleLog.summed).joined().utf8, to: "log.jsonl")))
    for (text, expected) in [
      ("$.n > 3", [4]), ("$.rejected", [100, 101]), ("$.effect", [200, 201]),
      ("$.action.type", [1, 250]), ("$.cause > 3 && $.n > 3", [200, 201]),
    ] {
      let conditions = [StopCondition.change(try ValueQuery(text), where: nil)]
      for direction in [SearchDirection.forwards, .backwards] {
        var found: [UInt64] = []
        var position = direction == .forwards ? Timeline.start : count
        while let stop = try timeline.stop(at: conditions, from: position, direction) {
          position = stop.position
          found.append(try #require(timeline.number(at: position)))
        }
        if direction == .backwards { found.reverse() }
        #expect(found == expected.map(UInt64.init), "\(text), \(direction)")
      }
    }
  }
}

extension Timeline {
  /// Finds the next step beyond a position that meets one of several conditions.
  func stop(
    at conditions: [StopCondition], from position: Int, _ direction: SearchDirection = .forwards
  ) throws -> Stop? {
    let range = direction == .forwards ? position + 1..<log.count : 0..<max(0, position)
    return try stop(at: conditions, in: range, direction)
  }
}

import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxLog
@testable import FluxRules

/// Scans in passes find what asking about step after step finds.
@Suite struct ScanTests {
  private static let seed = SeededGenerator.seed
  private static let rounds = ProcessInfo.processInfo.environment["FLUX_SOAK"] == nil ? 1 : 30
  private static let steps = rounds == 1 ? 300 : 700
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let expressions = [
    "todos.count > 2", "todos.count >= 1 && cart.total < 3", "todos.count == 'x' || todos.flag",
    "length(todos.items) > 1", "length(todos.count) > 1", "changed(todos.count)",
    "changed(todos.items[0].title)", "changed(todos.items)", "changed(cart)",
    "was(todos.count) < todos.count", "was(cart.total) == 1", "!was(cart)",
    "$.action.type == 'todo/add'", "$.action.type == 'todo/add' && todos.count > 2",
    "$.action.type != 'x'", "$.action.payload.id == 2", "match($.action.type, 'todo/.*')",
    "search($.action.type, 'r')", "count(todos.items[*]) == 2", "todos.items[?@.id == 1]",
    "todos.items[-1].title == 'b'", "todos.items[0].id == todos.count", "$.rejected", "!$.rejected",
    "$.rejected.reason == 'no'", "$.cause == 3", "$.n > 200", "$.t < 50", "$.effect == 'e'",
    "$.changed[0] == 'cart'", "$.before.todos.count == 1", "todos.missing == 1", "gone.x == 1",
    "todos.flag", "(todos.flag)", "todos.flag == true", "cart.total == 2.0", "todos.text == 'é'",
    "$.x.note == 1", "$..count", "todos.nested.a.b > 1", "todos['0'] == 1",
    "todos.deep[0][1] == 2", "todos.mixed[0] == 1", "todos.mixed['0'] == 1",
    "changed(todos.mixed[0])", "was(todos.mixed['0']) == 1", "todos.mixed[0] == todos.mixed['0']",
  ]

  private static let queries = [
    "todos.count", "todos.items", "todos.items[0].title", "todos.items[*].id",
    "todos.items[?@.id==1].title", "todos.flag", "cart.total", "cart", "length(todos.items)",
    "todos.count > 2", "todos.nested.a.b", "todos.nested", "todos.missing", "todos.deep[0][1]",
    "todos.mixed[0]", "todos.mixed['0']", "/todos/mixed/0",
  ]

  private static let rules = [
    "always todos.count >= 1", "never todo/* if todos.count == 2", "never rejected todo/add",
    "rejected todo/remove if cart.total > 1 precedes cart/set", "eventually changed(todos.items)",
    "after cart/set if $.cause == 3 until was(todos.count) == 1 always (todos.items)",
    "between !was(cart) and gone.x == 1 at most 3 of $.effect == 'e'",
    "todo/add if changed(cart) leads to todo/remove within 5ms", "always $.changed[0] == 'cart'",
    "todos.count never decreases", "cart.total never increases", "gone.x never increases",
    "always count(todos.items[*]) == 2", "never value($..title) == 'b'",
    "always $.before.todos.count > 0",
    "before cart/set never length(todos.items) > 2",
  ]

  /// A log as a writer writes it, with patches; with gaps, damage and unwritten states if there are breaks.
  ///
  /// If `isCartRare`, one step in a hundred writes the cart.
  private func timeline(
    _ random: inout SeededGenerator, steps: Int, hasBreaks: Bool, isCartRare: Bool = false
  ) throws -> Timeline {
    var lines = [
      #"{"flux":"1.1","first":1,"stores":{"todos":{"initial":{"count":0,"items":[]}},"cart":{"feature":true}}}"#
    ]
    var state: JSON = ["count": 0, "items": []]
    var hasCart = false
    var isWhole = false
    var number = 0
    while number < steps {
      number += 1
      if hasBreaks, number > 1, Int.random(in: 0..<120, using: &random) == 0 {
        lines.append(#"{"gap":{"from":\#(number),"to":\#(number),"why":"paused"}}"#)
        isWhole = true
        continue
      }
      if hasBreaks, Int.random(in: 0..<200, using: &random) == 0 {
        lines.append("damaged")
        continue
      }
      let type = ["todo/add", "todo/remove", "cart/set"].randomElement(using: &random) ?? "x"
      var line = #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"\#(type)""#
      line += Bool.random(using: &random) ? #","payload":{"id":2}}"# : "}"
      if number > 3, Int.random(in: 0..<5, using: &random) == 0 { line += #","cause":3"# }
      if Int.random(in: 0..<6, using: &random) == 0 { line += #","effect":"e""# }
      if Int.random(in: 0..<8, using: &random) == 0 {
        lines.append(line + #","rejected":{"reason":"no","message":""}}"#)
        continue
      }
      let old = state
      state = try Self.state(after: state, &random)
      var states: [String] = []
      var patches: [String] = []
      var members = ""
      if isWhole || Int.random(in: 0..<4, using: &random) == 0 {
        states.append(#""todos":\#(state)"#)
      } else if Bool.random(using: &random) {
        patches.append(#""todos":\#(old.patch(to: state).json())"#)
      } else if hasBreaks, Int.random(in: 0..<60, using: &random) == 0 {
        members += #","unwritten":["todos"]"#
      } else {
        state = old
      }
      let total = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<(isCartRare ? 200 : 4), using: &random) {
      case 0 where hasCart && !isWhole:
        members += #","removed":["cart"]"#
        hasCart = false
      case 1...2 where isWhole || !hasCart:
        states.append(#""cart":{"total":\#(total)}"#)
        hasCart = true
      case 1 where hasCart:
        // A patch that does not apply, as a damaged log has.
        let isBroken = hasBreaks && Int.random(in: 0..<15, using: &random) == 0
        let path = isBroken ? "/lost" : "/total"
        patches.append(#""cart":[{"op":"replace","path":"\#(path)","value":\#(total)}]"#)
      default: if isWhole { hasCart = false }
      }
      isWhole = false
      if !states.isEmpty { line += #","states":{\#(states.joined(separator: ","))}"# }
      if !patches.isEmpty { line += #","patches":{\#(patches.joined(separator: ","))}"# }
      lines.append(line + members + "}")
    }
    let text = lines.map { $0 == "damaged" ? $0 + "\n" : SampleLog.summed($0) }.joined()
    return Timeline(try LogFile.opened(try folder.write(text.utf8, to: "log.jsonl")))
  }

  /// The state after a random change, most of which replace one value.
  private static func state(after state: JSON, _ random: inout SeededGenerator) throws -> JSON {
    func digit() -> Int { Int.random(in: 0..<4, using: &random) }
    if Int.random(in: 0..<6, using: &random) == 0 {
      // An element and a member have the same pointer.
      let patch =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: #"[{"op":"add","path":"/mixed","value":[\#(digit())]}]"#
        case 1: #"[{"op":"add","path":"/mixed","value":{"0":\#(digit())}}]"#
        default: #"[{"op":"replace","path":"/mixed/0","value":\#(digit())}]"#
        }
      var draft = Draft(state)
      guard state["mixed"] != nil || patch.contains("add") else { return state }
      try draft.apply(operations: try JSON.parse(patch))
      return draft.json()
    }
    let item = ["title": ["a", "b"].randomElement(using: &random) ?? "a", "id": "\(digit())"]
    let patch =
      switch Int.random(in: 0..<12, using: &random) {
      case 0...4: #"[{"op":"replace","path":"/count","value":\#(digit())}]"#
      case 5: #"[{"op":"add","path":"/items/-","value":{"id":\#(item["id"] ?? ""),"title":"a"}}]"#
      case 6: #"[{"op":"add","path":"/items","value":[]}]"#
      case 7: #"[{"op":"add","path":"/flag","value":\#(Bool.random(using: &random))}]"#
      case 8: #"[{"op":"add","path":"/nested","value":{"a":{"b":\#(digit())}}}]"#
      case 9: #"[{"op":"add","path":"/text","value":"é"}]"#
      case 10: #"[{"op":"add","path":"/deep","value":[[1,\#(digit())]]}]"#
      default: #"[{"op":"replace","path":"/count","value":"x"}]"#
      }
    var draft = Draft(state)
    try draft.apply(operations: try JSON.parse(patch))
    if draft.json()["items"]?.elements.isEmpty == false, Bool.random(using: &random) {
      let title = item["title"] ?? "a"
      try draft.apply(
        operations: try JSON.parse(
          #"[{"op":"replace","path":"/items/0/title","value":"\#(title)"}]"#))
    }
    return draft.json()
  }

  @Test("a name selects only members, an index only elements, and a token of a pointer both")
  func places() throws {
    let changes = [
      #""states":{"a":{"m":[1]}}"#, #""patches":{"a":[{"op":"replace","path":"/m/0","value":2}]}"#,
      #""patches":{"a":[{"op":"replace","path":"/m","value":{"0":2}}]}"#,
      #""patches":{"a":[{"op":"replace","path":"/m/0","value":1}]}"#,
      #""patches":{"a":[{"op":"replace","path":"/m/0","value":2}]}"#,
      #""patches":{"a":[{"op":"replace","path":"/m","value":[2]}]}"#,
      #""patches":{"a":[{"op":"replace","path":"/m/0","value":1}]}"#,
    ]
    let steps = changes.enumerated().map {
      #"{"n":\#($0 + 1),"t":\#($0).000000,"action":{"type":"x"},\#($1)}"#
    }
    let text = ([#"{"flux":"1.1","first":1,"stores":{"a":{"initial":{"m":[0]}}}}"#] + steps)
      .map(SampleLog.summed).joined()
    let timeline = Timeline(try LogFile.opened(try folder.write(text.utf8, to: "places.jsonl")))
    try timeline.log.waitForIndex()
    let expected: [(query: String, positions: [Int])] = [
      ("a.m[0] == 2", [1, 5]), ("a.m['0'] == 2", [2, 4]), ("a.m[0] == 1", [0, 6]),
      ("a.m['0'] == 1", [3]), ("was(a.m['0']) == 2", [3, 5]), ("changed(a.m[0])", [0, 1, 2, 5, 6]),
    ]
    for (text, positions) in expected {
      let expression = try QueryExpression(text)
      #expect(try timeline.find(.expression(expression)).positions == positions, "\(text)")
    }
  }

  @Test(
    "expressions hold at the steps at which the plain evaluator says so", arguments: [false, true])
  func expressions(hasBreaks: Bool) throws {
    print("FLUX_SEED=\(Self.seed)")
    var random = SeededGenerator(seed: Self.seed)
    for _ in 0..<Self.rounds {
      let timeline = try timeline(&random, steps: Self.steps, hasBreaks: hasBreaks)
      try timeline.log.waitForIndex()
      let count = timeline.log.count
      for text in Self.expressions {
        let expression = try QueryExpression(text)
        var expected = SearchResult()
        for position in 0..<count {
          do {
            if try expression.holds(for: timeline.document(at: position)) {
              expected.positions.append(position)
            }
          } catch let error as LogError {
            guard case .unknownStates = error.reason else { throw error }
            expected.unknownSteps += 1
          }
        }
        #expect(try timeline.find(.expression(expression)) == expected, "\(text)")
        for _ in 0..<4 {
          let start = Int.random(in: 0..<count, using: &random)
          let next = expected.positions.first { $0 > start }
          let last = expected.positions.last { $0 < start }
          #expect(
            try timeline.stop(at: [.expression(expression)], from: start)?.position == next,
            "\(text) from \(start)")
          #expect(
            try timeline.stop(at: [.expression(expression)], from: start, .backwards)?.position
              == last, "\(text) back from \(start)")
        }
      }
    }
  }

  @Test(
    "values and their writes are those of the steps one by one", arguments: [false, true],
    [false, true])
  func values(hasBreaks: Bool, isCartRare: Bool) throws {
    print("FLUX_SEED=\(Self.seed)")
    var random = SeededGenerator(seed: Self.seed &+ 1)
    for _ in 0..<Self.rounds {
      let timeline = try timeline(
        &random, steps: Self.steps, hasBreaks: hasBreaks, isCartRare: isCartRare)
      try timeline.log.waitForIndex()
      let count = timeline.log.count
      for text in Self.queries {
        let query = try ValueQuery(text)
        var forwards: [PathWrite] = []
        try timeline.forEachWrite(of: query) { write in
          forwards.append(write)
          return true
        }
        // Backwards, each step is asked about by itself.
        var backwards: [PathWrite] = []
        try timeline.forEachWrite(of: query, .backwards) { write in
          backwards.append(write)
          return true
        }
        #expect(forwards.map(\.position) == backwards.reversed().map(\.position), "\(text)")
        #expect(forwards.map(\.value) == backwards.reversed().map(\.value), "\(text)")
        if !hasBreaks { #expect(forwards == backwards.reversed(), "\(text)") }
        let changes = try (0..<count).filter { position in
          try timeline.stop(
            at: [.change(query, where: nil)], in: position..<position + 1, .forwards) != nil
        }
        for _ in 0..<4 {
          let start = Int.random(in: 0..<count, using: &random)
          let next = changes.first { $0 > start }
          let last = changes.last { $0 < start }
          #expect(
            try timeline.stop(at: [.change(query, where: nil)], from: start)?.position == next,
            "\(text) from \(start)")
          #expect(
            try timeline.stop(at: [.change(query, where: nil)], from: start, .backwards)?.position
              == last, "\(text) back from \(start)")
        }
      }
    }
  }

  /// The answers of a scan, step by step.
  private func answers<Question: StepQuestion>(
    _ question: Question, _ count: Int, _ direction: SearchDirection, smallestPass: Int
  ) throws -> [Question.Answer?] {
    var answers: [Question.Answer?] = []
    let left = try Scan(question, 0..<count, direction, smallestPass: smallestPass).run(
      check: { _ in }
    ) { run in
      answers += Array(repeating: run.answer, count: run.positions.count)
      return true
    }
    #expect(left == nil)
    return direction == .forwards ? answers : answers.reversed()
  }

  @Test(
    "each question has the same answers in passes and one by one", arguments: [false, true],
    [SearchDirection.forwards, .backwards])
  func drivers(hasBreaks: Bool, direction: SearchDirection) throws {
    print("FLUX_SEED=\(Self.seed)")
    var random = SeededGenerator(seed: Self.seed &+ 2)
    for _ in 0..<Self.rounds {
      let timeline = try timeline(&random, steps: Self.steps, hasBreaks: hasBreaks)
      try timeline.log.waitForIndex()
      let count = timeline.log.count
      func compare<Question: StepQuestion>(_ question: Question, _ text: String) throws
      where Question.Answer: Equatable {
        let fast = try answers(question, count, direction, smallestPass: 0)
        #expect(fast == (try answers(question, count, direction, smallestPass: .max)), "\(text)")
      }
      for text in Self.expressions {
        let expression = try QueryExpression(text)
        try compare(DocumentQuestion(expression, in: timeline), text)
      }
      for text in Self.queries {
        try compare(DocumentQuestion(try ValueQuery(text), in: timeline), text)
      }
      try compare(CheckQuestion(timeline: timeline), "check")
      // One step at a time, a rule begins a pass at each step, so each rule alone takes seconds in a debug build.
      for text in Self.rules where Self.rounds > 1 {
        let rule = try #require(try RuleSet("rule tested: \(text)").rules.first)
        try compare(RuleQuestion([RuleAutomaton(rule)], in: timeline), text)
      }
      if direction == .forwards, hasBreaks || Self.rounds > 1 {
        let all = try RuleSet(
          Self.rules.enumerated().map { "rule r\($0): \($1)" }.joined(separator: "\n"))
        try compare(RuleQuestion(all.rules.map { RuleAutomaton($0) }, in: timeline), "all rules")
      }
      // The timeline's cache makes no difference.
      let problems = try timeline.check()
      #expect(problems == (try Timeline(timeline.log).check()))
      #expect(problems.contains { $0.problem.kind == "patch" } == hasBreaks)
    }
  }

  @Test("a search that is stopped goes on at the next step")
  func stopped() throws {
    var random = SeededGenerator(seed: 7)
    let timeline = try timeline(&random, steps: 900, hasBreaks: false)
    try timeline.log.waitForIndex()
    let query = try ValueQuery("todos.count")
    var all: [PathWrite] = []
    try timeline.forEachWrite(of: query) { write in
      all.append(write)
      return true
    }
    var found: [PathWrite] = []
    var cursor: WriteCursor?
    repeat {
      var count = 0
      cursor = try timeline.forEachWrite(of: query, from: cursor) { write in
        found.append(write)
        count += 1
        return count < 50
      }
    } while cursor != nil
    #expect(found == all)
  }

  @Test("a search for a store that few steps write reads only these", arguments: [true, false])
  func rareWrites(isForwards: Bool) throws {
    var lines = [#"{"flux":"1.1","first":1,"stores":{"a":{"initial":0},"b":{"initial":0}}}"#]
    for number in 1...20_000 {
      let store = number % 10_000 == 5_000 ? "b" : "a"
      lines.append(
        #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"set"},"states":{"\#(store)":\#(number)}}"#
      )
    }
    let text = lines.map { SampleLog.summed($0) }.joined()
    let timeline = Timeline(try LogFile.opened(try folder.write(text.utf8, to: "rare.jsonl")))
    try timeline.log.waitForIndex()
    let watch = try ValueWatch(ValueQuery("b"), in: timeline) {}
    let range = 0..<20_000
    let direction: SearchDirection = isForwards ? .forwards : .backwards
    // Stretches of 4,096 steps that are not read, and the pieces around a write.
    var runs: [Range<Int>] = []
    _ = try Scan(watch.question, range, direction).run(check: { _ in }) { run in
      runs.append(run.positions)
      return true
    }
    #expect(runs.count < 32)
    #expect(runs.map(\.count).reduce(0, +) == 20_000)
    #expect(try watch.change(in: range, direction) == (isForwards ? 4_999 : 14_999))
    var found: [Int] = []
    try timeline.forEachWrite(of: ValueQuery("b"), direction) { write in
      found.append(write.position)
      return true
    }
    let written = [Timeline.start, 4_999, 14_999]
    #expect(found == (isForwards ? written : written.reversed()))
  }

  @Test("stores whose names are canonically equal are read apart", arguments: [false, true])
  func equalNames(inPasses: Bool) throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    var lines = [
      #"{"flux":"1.1","first":1,"stores":{"\#(one)":{"initial":{"n":0}},"\#(two)":{"initial":{"n":0}}}}"#
    ]
    for number in 1...200 {
      let store = number % 2 == 0 ? two : one
      lines.append(
        #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"set"},"patches":{"\#(store)":"#
          + #"[{"op":"replace","path":"/n","value":\#(number)}]}}"#)
    }
    let text = lines.map { SampleLog.summed($0) }.joined()
    let timeline = Timeline(try LogFile.opened(try folder.write(text.utf8, to: "names.jsonl")))
    try timeline.log.waitForIndex()
    let expression = try QueryExpression("$.state['\(one)'].n == 151 && $.state['\(two)'].n == 150")
    let smallestPass = inPasses ? 0 : Int.max
    let holds = try answers(
      DocumentQuestion(expression, in: timeline), 200, .forwards, smallestPass: smallestPass)
    #expect(holds.indices.filter { holds[$0] == true } == [150])
    for (store, remainder) in [(one, 1), (two, 0)] {
      var found: [Int] = []
      try timeline.forEachWrite(of: ValueQuery("$.state['\(store)'].n")) { write in
        if write.position >= 0 { found.append(write.position + 1) }
        return true
      }
      #expect(found == (1...200).filter { $0 % 2 == remainder })
    }
    #expect(try timeline.check().map(\.problem.kind) == ["no-end"])
  }

  @Test("an error after a match does not hide the match")
  func errors() throws {
    struct Stopped: Error {}
    var random = SeededGenerator(seed: 8)
    let timeline = try timeline(&random, steps: 900, hasBreaks: false)
    try timeline.log.waitForIndex()
    var calls = 0
    #expect(throws: Stopped.self) {
      try timeline.find(.expression(try QueryExpression("todos.count > 9"))) { _, _ in
        calls += 1
        if calls > 1 { throw Stopped() }
      }
    }
    #expect(calls == 2)
  }
}

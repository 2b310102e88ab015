import FluxJSON
import FluxLog
import FluxRules
import TestFixtures
import Testing

@Suite struct RuleCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a log of steps `type x=STATE !rejected`, and returns its path.
  private func log(
    _ steps: [(type: String, count: Int?)], named name: String = "log.jsonl", id: String = "L",
    first: Int = 1, end: String? = "true"
  ) throws -> String {
    var lines = [
      #"{"flux":"1.1","log":"\#(id)","first":\#(first),"stores":{"cart":{"initial":{"total":0}}}}"#
    ]
    for (place, step) in steps.enumerated() {
      let states = step.count.map { #","states":{"cart":{"total":\#($0)}}"# } ?? ""
      let cause = place > 0 ? #","cause":\#(first + place - 1)"# : ""
      lines.append(
        #"{"n":\#(first + place),"t":\#(first + place).0,"action":{"type":"\#(step.type)"}\#(cause)\#(states)}"#
      )
    }
    if let end { lines.append(#"{"end":{"steps":\#(steps.count),"ok":\#(end)}}"#) }
    return try folder.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  private func verdicts(_ rule: String, _ paths: [String]) throws -> [String] {
    let rules = try RuleSet("rule r: \(rule)")
    var logs = try RuleCheck.recordings(of: paths).map { try RuleCheck(rules).run($0) }
    logs.finish()
    return logs.flatMap(\.results).map { result in
      result.verdict.rawValue + (result.step.map { " at \($0)" } ?? "")
    }
  }

  @Test("results of different rules, or of none, are left as they are")
  func mixedResults() throws {
    let path = try log([("add", 5)])
    let rule = RuleCheck(try RuleSet("rule a: b precedes c"))
    let rules = RuleCheck(try RuleSet("rule a: always a\nrule b: always b"))
    for mixed in [
      [try rule.run([path]), try rules.run([path])], [try rule.run([path]), try rule.run([])],
    ] {
      var finished = mixed
      finished.finish()
      #expect(finished == mixed)
    }
  }

  @Test("a violation is written with its step, its causes and the commands that open it")
  func json() throws {
    let path = try log([("add", 5), ("discount", -2), ("add", 1)])
    let rules = try RuleSet("rule total: always cart.total >= 0")
    let result = try #require(try RuleCheck(rules).run([path]).results.first)
    let json = try LogEncoder(order: .declaration).encode(result)
    #expect(
      json.description
        == #"{"log":"\#(path)","rule":"total","verdict":"violated","triggers":1,"step":2,"#
        + #""chain":[{"n":2,"type":"discount"},{"n":1,"type":"add"}],"next":["goto 2","diff","where"]}"#
    )
    #expect(
      result.lines { "flux-inspect \($0)" } == [
        "", "\(path):3: step 2, discount", "  caused by 1 add",
        "  violates rule total: always cart.total >= 0", "  next:",
        "    flux-inspect \(path) -g 2", "    flux-inspect \(path) -g 2 -e diff",
        "    flux-inspect \(path) -g 2 -e where",
      ])
  }

  @Test(
    "each pattern and scope is judged as its definition says",
    arguments: [
      ("always cart.total >= 0", "holds"),
      ("always cart.total > 0", "violated at 0"),
      ("never b after a", "violated at 2"),
      ("never a after a", "violated at 4"),
      ("never b before a", "holds"),
      ("eventually d", "violated at 0"),
      ("eventually d after a", "violated at 1"),
      ("eventually c between a and a", "holds"),
      ("eventually d between a and a", "violated at 4"),
      ("eventually d between c and d", "holds"),
      ("never b between a and a", "violated at 4"),
      ("b precedes c", "holds"),
      ("c precedes b", "violated at 2"),
      ("at most 1 of a", "violated at 4"),
      ("at most 1 of a after b", "holds"),
      ("a leads to b", "violated at 4"),
      ("a leads to b after b", "violated at 4"),
      ("a leads to c within 2 steps", "violated at 4"),
      ("b leads to a within 1s", "violated at 4"),
      ("b leads to a within 2s", "holds"),
      ("cart.total never decreases", "violated at 3"),
      ("cart.total never increases", "violated at 1"),
      ("cart.total never decreases after c", "holds"),
      ("never z after y", "vacuous"),
      ("always c.x == 1", "holds"),
    ])
  func verdicts(_ rule: String, _ expected: String) throws {
    let path = try log([("a", 1), ("b", 2), ("c", 1), ("a", 3)])
    #expect(try verdicts(rule, [path]) == [expected])
  }

  @Test("a rule that reads a store that no recording has says so, and names the one that was meant")
  func missingStores() throws {
    let path = try log([("a", 1)])
    let rules = try RuleSet(
      """
      rule typo: always cat.total >= 0
      rule scope: never a after (curt.total == 1)
      rule moves: wallet.total never decreases
      rule fine: always cart.total >= 0
      """)
    var checked = [try RuleCheck(rules).run([path])]
    checked.finish()
    #expect(checked[0].results.map(\.missingStores.count) == [1, 1, 1, 0])
    #expect(
      checked[0].lines { $0 } == [
        "holds: \(path): 4 rules, 1 step",
        "  warning: rule typo reads the store cat, which is in no checked recording; did you mean cart?",
        "  warning: rule scope reads the store curt, which is in no checked recording; did you mean cart?",
        "  warning: rule scope was never triggered: never a after (curt.total == 1)",
        "  warning: rule moves reads the store wallet, which is in no checked recording",
        "  warning: rule moves was never triggered: wallet.total never decreases",
      ])
    let json = try LogEncoder(order: .declaration).encode(checked[0].results[0]).description
    #expect(json.contains(#""chain":[],"missingStores":["cat"],"next":[]"#))
  }

  @Test(
    "a violated rule with a misspelled path names the one that was meant, at the start and at a step"
  )
  func missingPaths() throws {
    let path = try log([("a", 1), ("b", 2)])
    let rules = try RuleSet(
      """
      rule start: always cart.totl >= 0
      rule step: never (cart.total) && length(cart.ttoal) != 1 after a
      rule other: always cart.size >= 0
      rule value: always cart.total >= 1
      """)
    let checked = try RuleCheck(rules).run([path])
    #expect(
      checked.results.map { $0.missingPaths.map { "\($0.path) \($0.suggestion)" } } == [
        ["cart.totl cart.total"], ["cart.ttoal cart.total"], [], [],
      ])
    #expect(checked.results.map(\.step) == [0, 2, 0, 0])
    let text = checked.results[0].lines { $0 }
    #expect(text[3] == "  note: no path cart.totl there; did you mean cart.total?")
    let json = try LogEncoder(order: .declaration).encode(checked.results[0]).description
    #expect(
      json.contains(#""chain":[],"missingPaths":["cart.totl"],"next":["goto start","state"]"#))
  }

  @Test("a store whose name only looks like that in a rule is another one")
  func lookAlikeStore() throws {
    let path = try folder.write(
      "{\"flux\":\"1.1\",\"stores\":{\"caf\u{E9}\":{\"initial\":-1}}}\n", to: "alike.jsonl")
    let rules = try RuleSet("rule one: always cafe\u{301} >= 0\nrule other: always caf\u{E9} < 0")
    var checked = [try RuleCheck(rules).run([path])]
    checked.finish()
    #expect(checked[0].results.map(\.verdict) == [.holds, .holds])
    #expect(checked[0].results.map(\.missingStores.count) == [1, 0])
    let missing = try #require(checked[0].results[0].missingStores.first)
    #expect(missing.suggestion.map { Array($0.utf8) } == Array("caf\u{E9}".utf8))
  }

  @Test("a store that the log writes later is read as itself, whatever other rules read")
  func laterStore() throws {
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"cart":{"initial":{"total":0}}}}
      {"n":1,"t":1,"action":{"type":"a"},"states":{"cart":{"total":1}}}
      {"n":2,"t":2,"action":{"type":"b"},"states":{"late":{"total":-5}}}
      {"n":3,"t":3,"action":{"type":"c"},"patches":{"late":[{"op":"replace","path":"/total","value":7}]}}
      {"end":{"steps":3,"ok":true}}

      """, to: "late.jsonl")
    let rules = try RuleSet(
      """
      rule all: always count($.state[?@.total > -100]) > 0
      rule late: always late.total >= 0
      rule members: always count(late[?@ > 0]) > 0
      rule number: late.total never increases
      """)
    let results = try RuleCheck(rules).run([path]).results
    #expect(results.map(\.verdict) == [.holds, .violated, .violated, .violated])
    #expect(results.map(\.step) == [nil, 2, 2, 3])
  }

  @Test("what is still owed is open if the log was not closed")
  func open() throws {
    let path = try log([("a", nil)], end: nil)
    #expect(try verdicts("a leads to b", [path]) == ["open at 1"])
    #expect(try verdicts("a leads to b", [try log([("a", nil)], end: "false")]) == ["open at 1"])
    #expect(try verdicts("a leads to b", [try log([("a", nil)])]) == ["violated at 1"])
  }

  @Test("the segments of a recording are one trace, in whatever order they are named")
  func segments() throws {
    let first = try log([("a", 3), ("c", 2)], named: "1.jsonl", end: nil)
    let second = try log([("b", 1)], named: "2.jsonl", first: 3)
    #expect(try verdicts("a leads to b within 2 steps", [second, first]) == ["holds"])
    #expect(try verdicts("at most 0 of b after a", [second, first]) == ["violated at 3"])
    // The second segment alone does not tell what came before it.
    #expect(try verdicts("at most 0 of b after a", [second]) == ["unknown"])
    let rules = try RuleSet("rule r: at most 0 of b after a")
    let result = try #require(try RuleCheck(rules).run([first, second]).results.first)
    let json = try LogEncoder(order: .declaration).encode(result).description
    #expect(json.hasPrefix(#"{"log":"\#(first)","rule":"r","verdict":"violated","triggers":1,"#))
    #expect(json.contains(#""step":3,"segment":"\#(second)","chain":[{"n":3,"type":"b"}"#))
    // Copies are no segments.
    #expect(try verdicts("eventually b", [second, second]) == ["holds", "holds"])
  }

  @Test("a rule that the initial states of a later segment violate is violated at its start")
  func laterStart() throws {
    let first = try log([("a", 1)], named: "1.jsonl")
    let later = try folder.write(
      """
      {"flux":"1.1","log":"L","first":5,"stores":{"cart":{"initial":{"total":-1}}}}
      {"n":5,"t":5,"action":{"type":"b"}}
      {"end":{"steps":1,"ok":true}}

      """, to: "5.jsonl")
    let rules = try RuleSet("rule r: always cart.total >= 0")
    let result = try #require(try RuleCheck(rules).run([first, later]).results.first)
    #expect(
      result.lines { "open \($0)" } == [
        "", "\(later): at start", "  violates rule r: always cart.total >= 0", "  next:",
        "    open \(later) -g start", "    open \(later) -g start -e state",
      ])
    let json = try LogEncoder(order: .declaration).encode(result).description
    #expect(json.contains(#""step":4,"segment":"\#(later)","chain":[],"next":["goto start""#))
  }

  @Test("a log with steps that another one has too is no segment, and stays apart")
  func overlappingSegments() throws {
    let whole = try log([("a", 1), ("b", 2), ("c", 3), ("d", 4)], named: "whole.jsonl")
    let part = try log([("b", 2), ("c", 3)], named: "part.jsonl", first: 2)
    let rest = try log([("d", 4)], named: "rest.jsonl", first: 4)
    let rule = "cart.total never decreases"
    #expect(try verdicts(rule, [whole, part]) == ["holds", "unknown"])
    // The others follow each other, so they are the segments of a second trace.
    #expect(RuleCheck.recordings(of: [rest, part, whole]) == [[part, rest], [whole]])
    #expect(RuleCheck.recordings(of: [whole, whole, rest]) == [[whole], [whole], [rest]])
    let missing = folder.path("missing.jsonl")
    #expect(RuleCheck.recordings(of: [missing, rest, part]) == [[missing], [part, rest]])
  }

  @Test("the missing steps of segments may be more than a number holds")
  func largestNumbers() throws {
    let last = Int64.max
    let first = try folder.write(
      """
      {"flux":"1.1","log":"L","stores":{}}
      {"n":1,"t":1,"action":{"type":"a"}}
      {"end":{"steps":\(last),"ok":true}}

      """, to: "1.jsonl")
    let second = try folder.write(
      """
      {"flux":"1.1","log":"L","first":3,"stores":{}}
      {"n":3,"t":1,"action":{"type":"a"}}
      {"gap":{"from":4,"to":\(last - 1),"why":"paused"}}
      {"n":\(last),"t":1,"action":{"type":"a"}}
      {"end":{"steps":2,"ok":true}}

      """, to: "3.jsonl")
    let paths = [first, second]
    #expect(try verdicts("at most \(last) of a", paths).count == 1)
    #expect(try verdicts("a leads to b within \(last) steps", paths).count == 1)
  }

  @Test("missing steps may have been anything")
  func gaps() throws {
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"cart":{"initial":{"total":0}}}}
      {"n":1,"t":1,"action":{"type":"a"}}
      {"gap":{"from":2,"to":400000,"why":"dropped"}}
      {"n":400001,"t":9,"action":{"type":"a"},"states":{"cart":{"total":1}}}
      {"n":400002,"t":10,"action":{"type":"c"}}
      {"end":{"steps":3,"ok":true}}

      """, to: "gap.jsonl")
    #expect(try verdicts("at most 1 of a", [path]) == ["violated at 400001"])
    #expect(try verdicts("at most 2 of a", [path]) == ["unknown"])
    #expect(try verdicts("at most 500000 of a", [path]) == ["holds"])
    #expect(try verdicts("a leads to b within 3 steps", [path]) == ["violated at 400001"])
    #expect(try verdicts("a leads to c within 3 steps", [path]) == ["unknown"])
    #expect(try verdicts("a leads to c within 500000 steps", [path]) == ["holds"])
    #expect(try verdicts("eventually b", [path]) == ["unknown"])
    #expect(try verdicts("always (cart.total)", [path]) == ["unknown"])
    #expect(try verdicts("cart.total never decreases", [path]) == ["unknown"])
    #expect(try verdicts("cart.total never increases", [path]) == ["violated at 400001"])
  }

  @Test("An obligation whose time is over in a gap is not the one that is pending")
  func deadlineInGap() throws {
    let path = try folder.write(
      """
      {"flux":"1.1"}
      {"n":1,"t":1,"action":{"type":"a"}}
      {"gap":{"from":2,"to":3,"why":"dropped"}}
      {"n":4,"t":4,"action":{"type":"a"}}
      {"n":5,"t":5,"action":{"type":"c"}}
      {"end":{"steps":3,"ok":true}}

      """, to: "gap.jsonl")
    #expect(try verdicts("a leads to b within 1s", [path]) == ["violated at 4"])
    #expect(try verdicts("a leads to b within 1 steps", [path]) == ["violated at 4"])
    #expect(try verdicts("a leads to b within 4s", [path]) == ["violated at 1"])
    #expect(try verdicts("a leads to b", [path]) == ["violated at 1"])
  }

  @Test("An expression reads every part of the step, and none at the start")
  func parts() throws {
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"state":{"initial":{"v":0}}}}
      {"n":1,"t":1,"action":{"type":"a"},"x":{"id":1}}
      {"n":2,"t":2,"action":{"type":"b"},"states":{"late":5},"x":{"id":7}}
      {"end":{"steps":2,"ok":true}}

      """, to: "x.jsonl")
    for (rule, expected) in [
      ("always ($.x.id)", "holds"),
      ("never ($.x.id)", "violated at 1"),
      ("always $.x.id <= 5", "violated at 2"),
      ("never * if $.x.id > 5", "violated at 2"),
      ("eventually $.x.id == 7", "holds"),
      ("at most 1 of * if $.x.id > 0", "violated at 2"),
      ("$.x.id == 1 leads to $.x.id == 7 within 1 steps", "holds"),
      ("never length($.x) > 0", "violated at 1"),
      ("always $.n > 0", "holds"),
      ("never count($..id) > 0", "violated at 1"),
      ("never count($.state.*) > 1", "violated at 2"),
      ("never $.changed[0] == 'late'", "violated at 2"),
    ] {
      #expect(try verdicts(rule, [path]) == [expected], "\(rule)")
    }
  }

  @Test("A step after a return to another model is compared with that model")
  func restored() throws {
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"s":{"initial":{"v":0}}}}
      {"n":1,"t":1,"action":{"type":"a"},"states":{"s":{"v":5}}}
      {"n":2,"t":2,"action":{"type":"a"},"states":{"s":{"v":7}}}
      {"gap":{"from":3,"to":2,"why":"restored","step":1}}
      {"n":3,"t":3,"action":{"type":"b"},"states":{"s":{"v":5}}}
      {"end":{"steps":3,"ok":true}}

      """, to: "restored.jsonl")
    for (rule, expected) in [
      ("never b if $.changed[0] == 's'", "holds"), ("never b if changed(s)", "holds"),
      ("never b if was(s.v) == 7", "holds"), ("never b if was(s.v) == 5", "violated at 3"),
      ("at most 1 of * if $.changed[0] == 's'", "violated at 2"),
    ] {
      #expect(try verdicts(rule, [path]) == [expected], "\(rule)")
    }
  }

  @Test("A log without states does not tell what its steps changed")
  func imported() throws {
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"state":{}}}
      {"gap":{"from":1,"to":0,"why":"imported"}}
      {"n":1,"t":0,"action":{"type":"ADD"}}
      {"n":2,"t":0,"action":{"type":"ADD"}}
      {"end":{"steps":2,"ok":true}}

      """, to: "imported.jsonl")
    #expect(try verdicts("after ADD never changed(state)", [path]) == ["unknown"])
    #expect(try verdicts("after ADD never $.changed[0] == 'state'", [path]) == ["unknown"])
    #expect(try verdicts("after ADD never $.n > 2", [path]) == ["holds"])
  }

  @Test(
    "Damage before the end, and steps that only the end line counts, may have been anything",
    arguments: ["{\"n\":2,\"t\":0.2,\"act\n", ""])
  func lostEnd(_ damage: String) throws {
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"s":{"initial":{"v":0}}}}
      {"n":1,"t":0.1,"action":{"type":"a"},"states":{"s":{"v":1}}}
      \(damage){"end":{"steps":2,"ok":true}}

      """, to: "end.jsonl")
    #expect(try verdicts("always s.v < 5", [path]) == ["unknown"])
    #expect(try verdicts("never c", [path]) == ["unknown"])
    #expect(try verdicts("a leads to c", [path]) == ["unknown"])
    #expect(try verdicts("never a", [path]) == ["violated at 1"])
    #expect(try verdicts("never c before a", [path]) == ["holds"])
  }

  @Test("a deadline that ends in missing steps is reported at the step after them")
  func expiredInGap() throws {
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"cart":{"initial":{"total":0}}}}
      {"n":1,"t":1,"action":{"type":"a"}}
      {"gap":{"from":2,"to":3,"why":"dropped"}}
      {"n":4,"t":9,"action":{"type":"c"},"states":{"cart":{"total":1}}}
      {"n":5,"t":9,"action":{"type":"a"}}
      """, to: "end.jsonl")
    #expect(try verdicts("a leads to b within 0 steps", [path]) == ["violated at 4"])
  }

  @Test("the last of the missing first steps led to the states of the header, by any action")
  func missingFirstSteps() throws {
    let path = try log([("y", 1)], first: 2)
    #expect(try verdicts("cart.total == 0 leads to x", [path]) == ["unknown"])
    #expect(try verdicts("x precedes cart.total == 0", [path]) == ["unknown"])
    #expect(try verdicts("never x if cart.total == 0", [path]) == ["unknown"])
    #expect(try verdicts("never cart.total == 0", [path]) == ["violated at 1"])
    #expect(try verdicts("at most 1 of x", [path]) == ["holds"])
    let later = try log([("y", 1)], named: "later.jsonl", first: 3)
    #expect(try verdicts("at most 1 of x", [later]) == ["unknown"])
    #expect(try verdicts("at most 2 of x", [later]) == ["holds"])
  }

  @Test("an obligation is not reported at a missing first step, whose action nobody knows")
  func hiddenAction() throws {
    let path = try log([("x", 1), ("y", nil)], first: 14)
    #expect(try verdicts("x leads to z", [path]) == ["violated at 14"])
    #expect(try RuleCheck(RuleSet("rule r: x leads to z")).run([path]).results[0].triggers == 1)
    // The states of the header are known, so what begins with them is reported there.
    #expect(
      try verdicts("cart.total == 0 leads to cart.total == 9", [path]) == ["violated at 13"])
  }

  @Test("before missing first steps, the start may have had any state, but was no step")
  func missingStart() throws {
    let path = try log([("a", nil), ("b", nil)], first: 2)
    #expect(try verdicts("never cart.total > 1 before b", [path]) == ["unknown"])
    #expect(try verdicts("at most 0 of cart.total > 1", [path]) == ["unknown"])
    // The step that is missing led to a total of 0.
    #expect(try verdicts("at most 1 of cart.total > 1", [path]) == ["holds"])
    #expect(try verdicts("at most 1 of c", [path]) == ["holds"])
  }

  @Test("A segment that lost its last steps and the next segment miss them once")
  func lostBetweenSegments() throws {
    let first = try folder.write(
      """
      {"flux":"1.1","log":"L","stores":{"s":{"initial":0}}}
      {"n":1,"t":1,"action":{"type":"a"}}
      {"end":{"steps":2,"ok":true,"continued":true}}

      """, to: "1.jsonl")
    let second = try log([("c", nil)], named: "2.jsonl", id: "L", first: 3)
    #expect(try verdicts("at most 1 of b", [first, second]) == ["holds"])
    #expect(try verdicts("at most 0 of b", [first, second]) == ["unknown"])
  }

  @Test("A type is asked for at accepted steps only, and a rejected type at rejected ones only")
  func rejected() throws {
    let path = try folder.write(
      """
      {"flux":"1.1","stores":{"s":{"initial":{"v":0}}}}
      {"n":1,"t":0.1,"action":{"type":"a"},"states":{"s":{"v":5}}}
      {"n":2,"t":0.2,"action":{"type":"b"},"rejected":{"reason":"refused","message":"no"}}
      {"end":{"steps":2,"ok":true}}

      """, to: "rejected.jsonl")
    for (rule, expected) in [
      ("always a", "holds"), ("always rejected b", "holds"), ("always rejected a", "violated at 2"),
      ("never b", "holds"), ("never rejected b", "violated at 2"),
    ] {
      #expect(try verdicts(rule, [path]) == [expected], "\(rule)")
    }
    // An expression is not asked after a rejected step.
    #expect(try verdicts("never $.action.type == 'b'", [path]) == ["holds"])
  }
}

import FluxLog
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxCorpus
@testable import FluxInspector

@Suite struct CompareSubcommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func compare(
    _ left: [String], _ right: [String], _ format: OutputFormatName = .text
  ) throws -> SubcommandRun {
    let subcommand = Subcommand.diff(
      try folder.log(left, "a.jsonl"), try folder.log(right, "b.jsonl"))
    return try SubcommandRun(subcommand, format, in: folder)
  }

  /// A log of numbers that actions add to a sum; the sum of the last one is as given.
  private func sums(_ actions: [Int], last: Int? = nil, types: [Int: String] = [:]) -> [String] {
    var sum = 0
    let steps = actions.enumerated().map { index, value in
      sum += value
      let state = index == actions.count - 1 ? last ?? sum : sum
      let type = types[index] ?? "add"
      return #"{"n":\#(index + 1),"t":\#(index),"action":{"type":"\#(type)","payload":\#(value)},"#
        + #""states":{"sum":\#(state)}}"#
    }
    return [#"{"flux":"1.0","first":1,"stores":{"sum":{"initial":0}}}"#] + steps
  }

  @Test("States that are in neither log are not called the same")
  func unrecorded() throws {
    var lines = sums([1, 2, 3])
    lines.insert(#"{"gap":{"from":1,"to":0,"why":"imported"}}"#, at: 1)
    for line in [2, 3] { lines[line] = lines[line].replacing(/,"states":.*$/, with: "}") }
    #expect(
      try compare(lines, lines).results
        == "the same actions led to the same states; the states of 2 steps are in neither log, and were not compared\n"
    )
    lines[4] = lines[4].replacing(/,"states":.*$/, with: "}")
    #expect(
      try compare(lines, lines).results
        == "the actions are the same; their states are in neither log\n")
  }

  @Test("Logs with the same actions and states are the same, however they are written")
  func same() throws {
    let other = TodoLog.lines.map {
      $0.replacing(#""t":1.250000"#, with: #""t":1.3"#)
        .replacing(
          #""patches":{"todos":[{"op":"replace","path":"/items/1/done","value":true}]}"#,
          with:
            #""states":{"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]}}"#
        )
    }
    let text = try compare(TodoLog.lines, other)
    #expect(text.results == "the same actions led to the same states\n")
    #expect(text.code == 0 && text.diagnostics.isEmpty)
    #expect(
      try compare(TodoLog.lines, other, .ndjson).results == #"""
        {"a":"a.jsonl","b":"b.jsonl","same":true,"actions":[]}

        """#)
  }

  @Test("Actions that one log has alone, and actions with another payload, are told")
  func actions() throws {
    let left = sums([1, 2, 3, 4, 5])
    let right = sums([1, 3, 4, 7, 6], types: [3: "other"])
    let text = try compare(left, right)
    #expect(
      text.results == """
        --- a.jsonl
        +++ b.jsonl
        - 2 add 2 +1s
        + 4 other 7 +3s
        ~ 5 and 5 add: 5 -> 6

        """)
    #expect(text.code == 1)
    #expect(
      try compare(left, right, .ndjson).results == """
        {"a":"a.jsonl","b":"b.jsonl","same":false,"actions":[{"op":"remove","a":2,"type":"add","old":2},{"op":"add","b":4,"type":"other","new":7},{"op":"replace","a":5,"b":5,"type":"add","old":5,"new":6}]}

        """)
  }

  @Test("The first state that differs although the actions were the same is told")
  func states() throws {
    let text = try compare(sums([1, 2, 3]), sums([1, 2, 3], last: 7))
    #expect(
      text.results == """
        --- a.jsonl
        +++ b.jsonl
        the same action led to different states: add, step 3 and step 3
        ~ /sum: 6 -> 7

        """)
    #expect(text.code == 1)
    #expect(
      try compare(sums([1, 2, 3]), sums([1, 2, 3], last: 7), .ndjson).results == """
        {"a":"a.jsonl","b":"b.jsonl","same":false,"actions":[],"state":{"a":3,"b":3,"type":"add","changes":[{"path":"/sum","op":"replace","old":6,"new":7}]}}

        """)
    // What follows from other actions is no difference of its own; what comes when all is the same
    // again, is.
    #expect(try !compare(sums([1, 2, 5]), sums([1, 3, 5])).results.contains("another state"))
    #expect(
      try compare(sums([2, 1, 5]), sums([1, 2, 5], last: 9)).results.contains(
        "the same action led to different states: add, step 3 and step 3"))
  }

  @Test(
    "Payloads that mean the same are the same, however they are written",
    arguments: [
      (#""\u00e9""#, #""é""#, true), ("1", "1.0", true), ("1e2", "100", true),
      (#""a\/b""#, #""a/b""#, true), (#"{"a":1,"b":[2]}"#, #"{ "b":[2.0], "a":1 }"#, true),
      (#""\u00e9""#, #""e\u0301""#, false), ("9007199254740993", "9007199254740992", false),
      ("null", #""null""#, false),
    ])
  func payloads(left: String, right: String, isSame: Bool) throws {
    func log(_ payload: String) -> [String] {
      [#"{"flux":"1.0"}"#, #"{"n":1,"t":0,"action":{"type":"a","payload":\#(payload)}}"#]
    }
    #expect(try compare(log(left), log(right)).code == (isSame ? 0 : 1))
  }

  @Test(
    "The step after a gap is compared: it replaces the whole model",
    arguments: [
      (
        #""states":{"a":{"v":5}}"#,
        #"{"path":"/a/v","op":"replace","old":4,"new":5}"#
      ),
      (
        #""states":{"a":{"v":4},"f":7}"#,
        #"{"path":"/f","op":"add","new":7}"#
      ),
      (
        #""states":{"f":7}"#,
        #"{"path":"/a","op":"remove","old":{"v":4}},{"path":"/f","op":"add","new":7}"#
      ),
    ])
  func gap(states: String, changes: String) throws {
    #expect(
      try compare(paused(#""states":{"a":{"v":4}}"#), paused(states), .ndjson).results == """
        {"a":"a.jsonl","b":"b.jsonl","same":false,"actions":[],"state":{"a":4,"b":4,"type":"x/y","changes":[\(changes)]}}

        """)
  }

  @Test("A state that one log alone knows is told, one that neither knows is not")
  func unknown() throws {
    let (known, patched) = (#""states":{"a":{"v":4}}"#, #""patches":{"a":[]}"#)
    let found = try compare(paused(known), paused(patched), .ndjson)
    #expect(
      found.results == """
        {"a":"a.jsonl","b":"b.jsonl","same":false,"actions":[],"unknown":[{"store":"a","a":4,"b":4}]}

        """)
    #expect(found.diagnostics == "note: b.jsonl is damaged: only its usable steps are compared\n")
    #expect(found.code == 1)
    #expect(try compare(paused(patched), paused(patched)).code == 0)
    #expect(try compare(paused(known), paused(known)).code == 0)
  }

  /// Steps 1 and 4, and between them a gap; the second one writes as given.
  private func paused(_ changes: String) -> [String] {
    [
      #"{"flux":"1.0","first":1,"stores":{"a":{"initial":{"v":0}},"f":{"feature":true}}}"#,
      #"{"n":1,"t":1.5,"action":{"type":"x/y"},"states":{"a":{"v":1}}}"#,
      #"{"gap":{"from":2,"to":3,"why":"paused"}}"#,
      #"{"n":4,"t":4.5,"action":{"type":"x/y"},\#(changes)}"#,
    ]
  }

  @Test("Initial states that differ are told, and so is a step that only one log rejected")
  func ends() throws {
    let header = #"{"flux":"1.0","first":1,"stores":{"sum":{"initial":1}}}"#
    #expect(
      try compare(sums([]), [header]).results == """
        --- a.jsonl
        +++ b.jsonl
        the initial states differ
        ~ /sum: 0 -> 1

        """)
    let accepted = #"{"n":1,"t":0,"action":{"type":"add"}}"#
    let rejected = #"{"n":1,"t":0,"action":{"type":"add"},"rejected":{"reason":"no","message":""}}"#
    #expect(
      try compare([header, accepted], [header, rejected]).results == """
        --- a.jsonl
        +++ b.jsonl
        the same action led to different states: add, step 1 and step 1
        only one of the two was rejected

        """)
    #expect(
      try compare([header, accepted], [header, rejected], .ndjson).results == """
        {"a":"a.jsonl","b":"b.jsonl","same":false,"actions":[],"state":{"a":1,"b":1,"type":"add","changes":[]}}

        """)
  }

  @Test("Damaged logs are compared as far as they are known, unreadable ones are not")
  func damage() throws {
    let found = try compare(TodoLog.lines, TodoLog.withDamage)
    #expect(
      found.diagnostics == """
        note: b.jsonl is damaged: only its usable steps are compared

        """)
    #expect(
      found.results == """
        --- a.jsonl
        +++ b.jsonl
        - 3 todo/add {"title":"eggs"} +1.25s
        the state of search is known in only one of the logs, from step 4 on
        the state of todos is known in only one of the logs, from step 4 on

        """)
    #expect(found.code == 1)
    // Step 8 leads from what nobody knows to another state, which is no fault of its own.
    let other = TodoLog.withDamage.map {
      $0.replacing(#""states":{"todos":{"items":[]}}"#, with: #""states":{"todos":{"items":[1]}}"#)
    }
    #expect(try compare(TodoLog.lines, other).results == found.results)
    let none = Subcommand.diff(try folder.log(TodoLog.lines), folder.path("none.jsonl"))
    #expect(try SubcommandRun(none, in: folder).code == 4)
  }
}

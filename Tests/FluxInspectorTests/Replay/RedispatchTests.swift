import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct RedispatchTests {
  @Test("a range with a gap names the steps that the fork cannot repeat")
  func gap() throws {
    var lines = CounterRecording.lines
    lines.replaceSubrange(2...4, with: [#"{"gap":{"from":2,"to":4,"why":"paused"}}"#])
    var inspection = try Inspection(counter: lines)
    #expect(
      try inspection.transcript("redispatch ..", "switch 0", "redispatch 6", "redispatch 5") == """
        > redispatch ..
        1 counter/add {"amount":2} +1s  counter
        2 counter/add {"amount":3} +4s  counter  repeats 5
        3 counter/add {"amount":1} +5s  counter  repeats 6
        fork 1 first differs at step 2, which repeats step 5
        ~ /counter/count: 7 -> 5
        at the end, compared with step 6
        ~ /counter/count: 8 -> 6
        not in the log, and not on the fork: steps 2 to 4
        > switch 0
        0 start: the state before the first step
        > redispatch 6
        6 counter/add {"amount":1} +5s  counter
        fork 2 leads to the recorded states, up to those of step 6
        > redispatch 5
        2 counter/add {"amount":3} +4s  counter  repeats 5
        fork 3 first differs at step 2, which repeats step 5
        ~ /counter/count: 7 -> 5
        at the end, compared with step 5: the same differences
        not in the log, and not on the fork: steps 2 to 4

        """)
    #expect(try inspection.json("compare 1").contains(#""missingSteps":[{"from":2,"to":4}]"#))
  }

  @Test("states that a gap hides at the end of a range are not compared, and that is said")
  func hiddenEnd() throws {
    var inspection = try Inspection(
      counter: [
        CounterRecording.header, CounterRecording.steps[0],
        #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"counter":{"count":5}}}"#,
        #"{"gap":{"from":3,"to":3,"why":"paused"}}"#, CounterRecording.steps[3],
        #"{"end":{"steps":3,"ok":true}}"#,
      ])
    #expect(
      try inspection.transcript("redispatch ..", "redispatch .. --skip 1") == """
        > redispatch ..
        1 counter/add {"amount":2} +1s  counter
        2 counter/add {"amount":3} +2s  counter
        3 counter/add {"amount":-9} +3.5s  rejected: refused: below 0  repeats 4
        fork 1 differs from no recorded state; the states of 1 step are not in the log, and were not compared
        > redispatch .. --skip 1
        1 counter/add {"amount":3} +2s  counter  repeats 2
        2 counter/add {"amount":-9} +3.5s  rejected: refused: below 0  repeats 4
        fork 2 first differs at step 1, which repeats step 2
        ~ /counter/count: 5 -> 3
        at the end, compared with step 4: the state of counter there is not in the log
        not in the log, and not on the fork: step 3

        """)
    #expect(
      try inspection.json("compare 1").contains(
        #""changes":[],"unknown":["counter"],"uncomparedSteps":1,"missingSteps""#))
  }

  @Test("a step that the effect of a follow-up dispatched keeps its cause")
  func causes() throws {
    var inspection = try Inspection(
      counter: [CounterRecording.header] + CounterRecording.steps[..<3] + [
        #"{"n":4,"t":3.000000,"action":{"type":"counter/add","payload":{"amount":1}},"cause":3,"effect":"load","states":{"counter":{"count":5}}}"#,
        #"{"end":{"steps":4,"ok":true}}"#,
      ])
    #expect(
      try inspection.transcript("redispatch 2..") == """
        > redispatch 2..
        2 counter/double +2s
        3 counter/add {"amount":2} +2s  counter  caused by 2
        4 counter/add {"amount":1} +3s  counter  caused by 3
        fork 1 leads to the recorded states, up to those of step 4

        """)
    #expect(
      try inspection.text("where").split(separator: "\n").map { $0.prefix(4) } == [
        "#0 4", "#1 3", "#2 2",
      ])
  }

  @Test("Steps are dispatched again with some left out or replaced, and compared with the record")
  func changed() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "redispatch ..", "redispatch 2.. --skip 4,5",
        #"redispatch --replace 1={"type":"counter/add","payload":{"amount":4}} --skip 4 1..5 --replace 5={"type":"counter/double"}"#,
        "compare 1", "compare") == """
          > redispatch ..
          1 counter/add {"amount":2} +1s  counter
          2 counter/double +2s
          3 counter/add {"amount":2} +2s  counter  caused by 2
          4 counter/add {"amount":-9} +3.5s  rejected: refused: below 0
          5 counter/add {"amount":3} +4s  counter
          6 counter/add {"amount":1} +5s  counter
          fork 1 leads to the recorded states, up to those of step 6
          > redispatch 2.. --skip 4,5
          2 counter/double +2s
          3 counter/add {"amount":2} +2s  counter  caused by 2
          4 counter/add {"amount":1} +5s  counter  repeats 6
          fork 2 first differs at step 4, which repeats step 6
          ~ /counter/count: 8 -> 5
          at the end, compared with step 6: the same differences
          > redispatch --replace 1={"type":"counter/add","payload":{"amount":4}} --skip 4 1..5 --replace 5={"type":"counter/double"}
          1 counter/add {"amount":4} +1s  counter
          2 counter/double +2s
          3 counter/add {"amount":4} +2s  counter  caused by 2
          4 counter/double +4s  repeats 5
          5 counter/add {"amount":8} +4s  counter  caused by 4
          fork 3 first differs at step 1
          ~ /counter/count: 2 -> 4
          at the end, compared with step 5
          ~ /counter/count: 7 -> 16
          > compare 1
          fork 1 leads to the recorded states, up to those of step 6
          > compare
          fork 3 first differs at step 1
          ~ /counter/count: 2 -> 4
          at the end, compared with step 5
          ~ /counter/count: 7 -> 16

          """)
  }

  @Test("The same for programs; a difference is exit code 1")
  func json() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.results("redispatch 5..", "compare", "redispatch 2.. --skip 5", "compare")
        == """
        {"command":"redispatch 5..","ok":true,"position":0,"result":{"fork":1,"steps":[{"n":5,"t":4,"type":"counter/add","changed":["counter"],"repeats":5},{"n":6,"t":5,"type":"counter/add","changed":["counter"],"repeats":6}],"recorded":6,"changes":[]}}
        {"command":"compare","ok":true,"position":0,"result":{"fork":1,"recorded":6,"changes":[]}}
        {"command":"redispatch 2.. --skip 5","ok":true,"position":0,"result":{"fork":2,"steps":[{"n":2,"t":2,"type":"counter/double","changed":[],"repeats":2},{"n":3,"t":2,"type":"counter/add","changed":["counter"],"cause":2,"repeats":3},{"n":4,"t":3.5,"type":"counter/add","changed":[],"repeats":4,"rejected":{"reason":"refused","message":"below 0","store":"counter"}},{"n":5,"t":5,"type":"counter/add","changed":["counter"],"repeats":6}],"first":{"step":5,"recorded":6,"changes":[{"path":"/counter/count","op":"replace","old":8,"new":5}]},"recorded":6,"changes":[{"path":"/counter/count","op":"replace","old":8,"new":5}]}}
        {"command":"compare","ok":true,"position":0,"result":{"fork":2,"first":{"step":5,"recorded":6,"changes":[{"path":"/counter/count","op":"replace","old":8,"new":5}]},"recorded":6,"changes":[{"path":"/counter/count","op":"replace","old":8,"new":5}]}}

        """)
    #expect(try inspection.exitCode("compare 1") == 0)
    #expect(try inspection.exitCode("compare 2") == 1)
    #expect(try inspection.exitCode("redispatch 2.. --skip 5") == 0)
  }

  @Test("A step whose cause did not happen on the fork is an orphan, and can be left out")
  func orphans() throws {
    let steps = [
      #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"states":{"counter":{"count":2}}}"#,
      #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":-1}},"states":{"counter":{"count":1}}}"#,
      #"{"n":3,"t":2.500000,"action":{"type":"counter/add","payload":{"amount":5}},"cause":2,"effect":"late","states":{"counter":{"count":6}}}"#,
      #"{"n":4,"t":3.000000,"action":{"type":"counter/add","payload":{"amount":1}},"cause":3,"effect":"late","states":{"counter":{"count":7}}}"#,
      #"{"n":5,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":1}},"cause":1,"effect":"slow","states":{"counter":{"count":8}}}"#,
    ]
    var inspection = try Inspection(
      counter: [CounterRecording.header] + steps + [#"{"end":{"steps":5,"ok":true}}"#])
    #expect(
      try inspection.transcript(
        "redispatch 2.. --skip 2 --keep-orphans", "redispatch .. --skip 1",
        "redispatch 3.. --drop-orphans") == """
          > redispatch 2.. --skip 2 --keep-orphans
          2 steps are orphans: their causes did not happen on the fork
          2 counter/add {"amount":5} +2.5s  counter  repeats 3  orphan
          3 counter/add {"amount":1} +3s  counter  caused by 2  repeats 4  orphan
          4 counter/add {"amount":1} +4s  counter  caused by 1  repeats 5
          fork 1 first differs at step 2, which repeats step 3
          ~ /counter/count: 6 -> 7
          at the end, compared with step 5
          ~ /counter/count: 8 -> 9
          > redispatch .. --skip 1
          3 orphans left out: 3, 4, 5; --keep-orphans keeps them
          1 counter/add {"amount":-1} +2s  rejected: refused: below 0  repeats 2
          fork 2 first differs at step 1, which repeats step 2
          ~ /counter/count: 1 -> 0
          at the end, compared with step 5
          ~ /counter/count: 8 -> 0
          recorded step 2: the store counter now rejects counter/add
            recorded: nothing
            replayed: {"reason":"refused","message":"below 0","store":"counter"}
          > redispatch 3.. --drop-orphans
          3 counter/add {"amount":5} +2.5s  counter  caused by 2
          4 counter/add {"amount":1} +3s  counter  caused by 3
          5 counter/add {"amount":1} +4s  counter  caused by 1
          fork 3 leads to the recorded states, up to those of step 5

          """)
    #expect(
      try inspection.json("redispatch .. --skip 2,1").contains(
        #""orphans":[3,4,5],"recorded":5,"changes":[{"path":"/counter/count","op":"replace","old":8,"new":0}]"#
      ))
    #expect(
      try inspection.json("redispatch .. --skip 2,1 --keep-orphans").contains(
        #""orphans":[3,4,5],"first""#))
  }

  @Test("Follow-ups right after the range belong to it, and those of earlier steps do not")
  func followUpsAfterRange() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "redispatch 1..2", "redispatch 1..2 --skip 2", "redispatch 1..2 --skip 3",
        "redispatch 3") == """
          > redispatch 1..2
          1 counter/add {"amount":2} +1s  counter
          2 counter/double +2s
          3 counter/add {"amount":2} +2s  counter  caused by 2
          fork 1 leads to the recorded states, up to those of step 3
          > redispatch 1..2 --skip 2
          1 counter/add {"amount":2} +1s  counter
          at the end, compared with step 3
          ~ /counter/count: 4 -> 2
          > redispatch 1..2 --skip 3
          error: step 3 is a follow-up of step 2, which dispatches it again; skip or replace that step
          > redispatch 3
          3 counter/add {"amount":2} +2s  counter  caused by 2
          fork 3 leads to the recorded states, up to those of step 3

          """)
    #expect(try inspection.exitCode("compare 1") == 0)
  }

  @Test("Without the last steps of the range, the end is compared with the states that they led to")
  func lastSkipped() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript("redispatch 6 --skip 6", "redispatch 5..6 --skip 6", "compare")
        == """
        > redispatch 6 --skip 6
        at the end, compared with step 6
        ~ /counter/count: 8 -> 7
        > redispatch 5..6 --skip 6
        5 counter/add {"amount":3} +4s  counter
        at the end, compared with step 6
        ~ /counter/count: 8 -> 7
        > compare
        at the end, compared with step 6
        ~ /counter/count: 8 -> 7

        """)
  }

  /// The app of today starts no effect, and has another message.
  private static let older = [
    CounterRecording.header.replacing(#""first":1"#, with: #""first":1,"effects":true"#),
    #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"effects":{"counter":["save"]},"states":{"counter":{"count":2}}}"#,
    #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":0}},"cause":1,"effect":"save"}"#,
    #"{"n":3,"t":3.000000,"action":{"type":"counter/add","payload":{"amount":-9}},"rejected":{"reason":"refused","message":"under 0","store":"counter"}}"#,
    #"{"end":{"steps":3,"ok":true}}"#,
  ]

  @Test("Effects and messages are compared as by verify, and a difference is exit code 1")
  func outcomes() throws {
    var inspection = try Inspection(counter: Self.older)
    #expect(
      try inspection.transcript("redispatch ..", "redispatch .. --keep-orphans") == """
        > redispatch ..
        1 orphan left out: 2; --keep-orphans keeps it
        1 counter/add {"amount":2} +1s  counter
        2 counter/add {"amount":-9} +3s  rejected: refused: below 0  repeats 3
        fork 1 leads to the recorded states, up to those of step 3
        recorded step 1: counter/add no longer asks for an effect of the store counter
          recorded: "save"
          replayed: nothing
        recorded step 3: the store counter refuses counter/add with a different message
          recorded: "under 0"
          replayed: "below 0"
        > redispatch .. --keep-orphans
        1 step is an orphan: its cause did not happen on the fork
        1 counter/add {"amount":2} +1s  counter
        2 counter/add {"amount":0} +2s  counter  caused by 1  orphan
        3 counter/add {"amount":-9} +3s  rejected: refused: below 0
        fork 2 leads to the recorded states, up to those of step 3
        recorded step 1: counter/add no longer asks for an effect of the store counter
          recorded: "save"
          replayed: nothing
        recorded step 3: the store counter refuses counter/add with a different message
          recorded: "under 0"
          replayed: "below 0"

        """)
    #expect(try inspection.exitCode("compare 1") == 1)
    #expect(
      try inspection.json("compare 1") == """
        {"command":"compare 1","ok":true,"position":0,"result":{"fork":1,"recorded":3,"changes":[],"divergences":[{"step":1,"line":2,"kind":"effect-missing","store":"counter","recorded":"save","action":{"type":"counter/add","payload":{"amount":2}},"chain":[{"n":1,"type":"counter/add"}],"next":["goto 1","action","fork -1"]},{"step":3,"line":4,"kind":"message","store":"counter","recorded":"under 0","replayed":"below 0","action":{"type":"counter/add","payload":{"amount":-9}},"chain":[{"n":3,"type":"counter/add"}],"next":["goto 3","action","state counter","fork -1"]}]}}

        """)
  }

  @Test("A saved orphan has no cause, so the log verifies")
  func savedOrphan() throws {
    let folder = try TemporaryFolder()
    var inspection = try Inspection(counter: Self.older)
    _ = try inspection.text("redispatch 1..2 --keep-orphans")
    #expect(try inspection.exitCode("save \(folder.path("fork.jsonl"))") == 0)
    let lines = try folder.text(of: "fork.jsonl").split(separator: "\n").map(String.init)
    #expect(lines[2].contains(#"},"x":{"cause":1,"effect":"save"},"sum":"#))
    #expect(try JSON.parse(lines[2])["cause"] == nil)
    var saved = try Inspection(counter: lines)
    #expect(try saved.exitCode("verify") == 0)
  }

  @Test("What makes no sense is refused with the reason")
  func refused() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "redispatch 1..4 --skip 3", "redispatch 1..4 --skip 5", "redispatch",
        "redispatch .. --replace 3", #"redispatch .. --replace x={"type":"a"}"#,
        #"redispatch .. --replace 1={"type":"counter/double"} --replace 1={"type":"counter/double"}"#,
        "redispatch .. --replace 1=7", "redispatch .. --replace", "forks") == """
          > redispatch 1..4 --skip 3
          error: step 3 is a follow-up of step 2, which dispatches it again; skip or replace that step
          > redispatch 1..4 --skip 5
          error: step 5 is not in the range to redispatch
          > redispatch
          error: redispatch: a range is missing
          hint: a range is A..B, inclusive, and either end may be omitted; a position is 42, +5, -5, 50%, start, end, end-5, @12.5 (seconds), @-2 (seconds from here), @12:03:04 (clock), todo/add#3 or $bookmark
          > redispatch .. --replace 3
          error: redispatch: expected N=JSON after --replace, found 3
          hint: usage: redispatch RANGE [--skip N,…] [--replace N=JSON] [--keep-orphans]
          > redispatch .. --replace x={"type":"a"}
          error: redispatch: expected N=JSON after --replace, found x={"type":"a"}
          hint: usage: redispatch RANGE [--skip N,…] [--replace N=JSON] [--keep-orphans]
          > redispatch .. --replace 1={"type":"counter/double"} --replace 1={"type":"counter/double"}
          error: redispatch: step 1 is replaced twice
          hint: usage: redispatch RANGE [--skip N,…] [--replace N=JSON] [--keep-orphans]
          > redispatch .. --replace 1=7
          error: redispatch: an action is an object with a type: {"type":"todo/add"}
          hint: usage: redispatch RANGE [--skip N,…] [--replace N=JSON] [--keep-orphans]
          > redispatch .. --replace
          error: redispatch: --replace needs a value
          hint: usage: redispatch RANGE [--skip N,…] [--replace N=JSON] [--keep-orphans]
          > forks
          no forks

          """)
  }

  @Test("A saved fork is a sound log that verifies, no file is overwritten, the recording stays")
  func save() throws {
    let folder = try TemporaryFolder()
    var inspection = try Inspection(counter: CounterRecording.lines)
    let path = folder.path("without-1.jsonl")
    #expect(try inspection.text("save \(path)").hasPrefix("error: this is the recording"))
    #expect(try inspection.exitCode("redispatch .. --skip 1") == 0)
    #expect(
      try inspection.json("save \(path)").replacing(path, with: "FILE") == """
        {"command":"save FILE","ok":true,"position":0,"result":{"file":"FILE","steps":5}}

        """)
    let text = try folder.text(of: "without-1.jsonl")
    #expect(
      text.replacing(/"log":"[0-9a-f-]{36}"/, with: #""log":"…""#)
        .replacing(/,"sum":"[0-9a-f]{8}"/, with: "") == """
          {"flux":"1.2","log":"…","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"effects":true,"app":{"name":"Counter","version":"1.0"},"stores":{"counter":{"type":"Counter","initial":{"count":0}}}}
          {"n":1,"t":2.000000,"action":{"type":"counter/double"},"random":2}
          {"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":0}},"target":"counter","cause":1,"random":3}
          {"n":3,"t":3.500000,"action":{"type":"counter/add","payload":{"amount":-9}},"random":4,"rejected":{"reason":"refused","message":"below 0","store":"counter"}}
          {"n":4,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":3}},"random":5,"states":{"counter":{"count":3}}}
          {"n":5,"t":5.000000,"action":{"type":"counter/add","payload":{"amount":1}},"random":6,"states":{"counter":{"count":4}}}
          {"end":{"steps":5,"ok":true}}

          """)
    #expect(
      try inspection.text("save \(path)").replacing(path, with: "FILE") == """
        error: FILE already exists
        hint: --force overwrites it

        """)
    #expect(try inspection.exitCode("save \(path)") == 3)
    // As after `> FILE`.
    #expect(try inspection.json("save \(path)").contains(#""error":{"code":"exists","#))
    #expect(
      try inspection.text("save --force \(path)").replacing(path, with: "FILE")
        == "5 steps saved to FILE\n")
    #expect(try folder.text(of: "without-1.jsonl").count == text.count)
    var services = Services()
    services.app = inspection.session.services.app
    var saved = Console(Session(try LogFile.open(path), services: services))
    #expect(saved.run("verify")?.exitCode == 0)
    #expect(saved.session.timeline.log.findings == [])
    #expect(
      try inspection.text("save --force \(inspection.path)")
        == "error: LOG is the log itself, which is never overwritten\n")
  }
}

import Testing

@testable import FluxInspector

@Suite struct VerifyCommandTests {
  @Test("A log that leads to the recorded states passes, whole and in part")
  func passed() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript("verify", "verify 3..4") == """
        > verify
        passed: LOG: 6 steps compared
        > verify 3..4
        passed: LOG: 2 steps compared
          note: 1 cause not compared: it is a step that was not replayed

        """)
    #expect(
      try inspection.json("verify") == """
        {"command":"verify","ok":true,"position":0,"result":{"verdict":"passed","steps":6,"divergences":[]}}

        """)
    #expect(try inspection.exitCode("verify") == 0)
  }

  @Test("A follow-up right after the range is missed as well")
  func followUpAfterRange() throws {
    var inspection = try Inspection(
      counter: [
        CounterRecording.header, CounterRecording.steps[0],
        #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":0}}}"#,
        CounterRecording.steps[2], #"{"end":{"steps":3,"ok":true}}"#,
      ])
    #expect(try inspection.exitCode("verify ..1") == 0)
    #expect(try inspection.exitCode("verify ..2") == 1)
    let whole = try inspection.text("verify 2..3")
    #expect(try inspection.text("verify 2..2") == whole)
    var honest = try Inspection(counter: CounterRecording.lines)
    #expect(try honest.text("verify 2..2") == "passed: LOG: 2 steps compared\n")
  }

  @Test("A log without one of its lines is damaged, however well the steps before it compare")
  func missingLine() throws {
    var lines = CounterRecording.lines
    lines.remove(at: 4)
    var inspection = try Inspection(counter: lines)
    #expect(
      try inspection.text("verify") == """
        damaged: LOG: 3 steps compared
          damage: LOG: line 5, step 5, byte 0: step 4 is missing before this line

        """)
    #expect(try inspection.exitCode("verify") == 4)
    // The missing step is outside of the range.
    #expect(try inspection.text("verify ..3") == "passed: LOG: 3 steps compared\n")
  }

  @Test("The first step that differs is told with all that there is to know, and exit code 1")
  func diverged() throws {
    var inspection = try Inspection(counter: CounterRecording.diverging)
    #expect(
      try inspection.transcript("verify", "verify ..4") == """
        > verify
        diverged: LOG: 1 divergence, 5 steps compared

          LOG:6: step 5, {"type":"counter/add","payload":{"amount":3}}
            after counter/add, the store counter differs at /counter/count
              recorded: 70
              replayed: 7
            next:
              goto 5
              diff
              blame /counter/count
              redispatch 5
        > verify ..4
        passed: LOG: 4 steps compared

        """)
    #expect(
      try inspection.results("verify") == """
        {"command":"verify","ok":true,"position":0,"result":{"verdict":"diverged","steps":5,"divergences":[{"step":5,"line":6,"kind":"different","store":"counter","path":"/counter/count","recorded":70,"replayed":7,"action":{"type":"counter/add","payload":{"amount":3}},"chain":[{"n":5,"type":"counter/add"}],"next":["goto 5","diff","blame /counter/count","fork -1"]}]}}

        """)
    #expect(try inspection.exitCode("verify") == 1)
    #expect(inspection.session.stepNumber == 0)
  }

  @Test("A range right after a gap does not begin at a state before the gap that a replay rebuilds")
  func rangeAfterGap() throws {
    func step(_ number: Int, _ rest: String) -> String {
      #"{"n":\#(number),"t":\#(number),"action":{"type":"counter/add","payload":{"amount":1}},"#
        + rest + "}"
    }
    var inspection = try Inspection(counter: [
      CounterRecording.header, step(1, #""states":{"counter":{"count":1}}"#),
      step(2, #""unwritten":["counter"]"#), #"{"gap":{"from":3,"to":3,"why":"paused"}}"#,
      step(4, #""states":{"counter":{"count":10}}"#),
      step(5, #""states":{"counter":{"count":11}}"#),
      #"{"end":{"steps":4,"ok":true}}"#,
    ])
    #expect(
      try inspection.text("verify 4..5") == """
        passed: LOG: 1 step compared
          note: step 3 is not in the log (paused); 1 step after it not compared, replay resumes after step 4

        """)
  }

  @Test("To verify nothing is not a pass")
  func empty() throws {
    var inspection = try Inspection(counter: [CounterRecording.header])
    #expect(
      try inspection.text("verify") == """
        empty: LOG: 0 steps compared
          note: the log was not closed: its app ended without closing it, or is still recording; its last steps may be \
        missing

        """)
    #expect(
      try inspection.json("verify") == """
        {"command":"verify","ok":true,"position":0,"result":{"verdict":"empty","steps":0,"divergences":[],"notes":["the log was not closed: its app ended without closing it, or is still recording; its last steps may be missing"]}}

        """)
    #expect(try inspection.exitCode("verify") == 5)
  }
}

import Counter
import Testing

@testable import FluxInspector

/// A log that was imported without states, in a session with the app: a replay goes on from the states before.
@Suite struct ImportedReplayTests {
  /// A count is known at the start, and after the last step.
  private static func lines(last: Int = 7, missing: Int = 0) -> [String] {
    let actions = [
      #""counter/add","payload":{"amount":2}"#, #""counter/double""#,
      #""counter/add","payload":{"amount":2}"#, #""counter/add","payload":{"amount":-9}"#,
      #""counter/add","payload":{"amount":3}"#,
    ]
    let steps = actions.enumerated().map { index, action in
      let states = index == 4 ? #","states":{"counter":{"count":\#(last)}}"# : ""
      let cause = index == 2 ? #","cause":2,"target":"counter""# : ""
      let rejection =
        index == 3
        ? #","rejected":{"reason":"refused","message":"below 0","store":"counter"}"# : ""
      return
        #"{"n":\#(index + 1),"t":\#(index + 1),"action":{"type":\#(action)}\#(states)\#(cause)\#(rejection)}"#
    }
    let gap = #"{"gap":{"from":1,"to":\#(missing),"why":"imported"}}"#
    let end = #"{"end":{"steps":\#(5 - missing),"ok":true}}"#
    return [CounterRecording.header, gap] + steps[missing...] + [end]
  }

  private static let origin =
    "counter: rebuilt by replay from step 0, because the file that was imported had no states"

  @Test(
    "each command uses the states that a replay rebuilds, or says what it does not know",
    arguments: [
      ("print counter.count", "4\nnote: \(origin)\n"),
      ("diff", "from step 2 to step 3\n~ /counter/count: 2 -> 4\nnote: \(origin)\n"),
      ("diff start end", "from step 0 to step 5\n~ /counter/count: 0 -> 7\n"),
      (
        "history counter.limit",
        """
        error: the state of counter is unknown at step 3: the file that was imported had no states from step 1 on
        hint: the nearest known states are those of steps 0 and 5; 'redispatch ..' computes it on a fork

        """
      ),
      ("stores", "counter Counter, 11 bytes, rebuilt by replay\n"),
      ("fork", "fork 1 after step 3, 0 steps\n"),
      (
        "blame counter.count",
        """
        0 initial = 0
        note: counter: the states after step 0 are not in the log, and a step after it may have written the value

        """
      ),
      (
        "history counter.count",
        """
        0 initial = 0
        5 counter/add = 7  (or an earlier step that is missing or damaged)

        """
      ),
      (
        "until counter.count == 2",
        """
        nothing found; still at
        3 counter/add {"amount":2} +3s
          changed: not recorded
          caused by step 2
        note: 1 step cannot be judged: a state that decides is unknown there; 'redispatch ..' computes the states on a fork

        """
      ),
      (
        "redispatch ..",
        """
        1 counter/add {"amount":2} +1s  counter
        2 counter/double +2s
        3 counter/add {"amount":2} +2s  counter  caused by 2
        4 counter/add {"amount":-9} +4s  rejected: refused: below 0
        5 counter/add {"amount":3} +5s  counter
        fork 1 differs from no recorded state; the states of 4 steps are not in the log, and were not compared

        """
      ),
      (
        "verify",
        """
        passed: LOG: 5 steps compared
          note: 3 states not compared: the file that was imported did not have them; replay continues from its own state

        """
      ),
    ])
  func table(_ command: String, _ expected: String) throws {
    var inspection = try Inspection(counter: Self.lines())
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(try inspection.text(command) == expected)
  }

  @Test("a move to a stop point says at how many steps its condition cannot be judged")
  func unjudged() throws {
    var inspection = try Inspection(counter: Self.lines())
    _ = try inspection.text("break counter/add if counter.count == 4")
    let note =
      "note: 3 steps cannot be judged: a state that decides is unknown there; 'redispatch ..' computes the states on a fork"
    #expect(
      try inspection.text("continue") == """
        the end of the log
        5 counter/add {"amount":3} +5s
          changed: counter
        \(note)

        """)
    #expect(
      try inspection.text("reverse-continue") == """
        0 start: the state before the first step
        \(note)

        """)
  }

  @Test("shrink finds the first step in a replay")
  func shrink() throws {
    var inspection = try Inspection(counter: Self.lines())
    #expect(
      try inspection.text("shrink counter.count == 4") == """
        the expression is first true at step 3
        2 of 2 actions left after 4 runs: 1, 2
        fork 1 contains only these; none can be left out
        it is true at step 3, counter/add, a follow-up of step 2

        """)
    #expect(
      try inspection.text("shrink counter.count == 9") == """
        the expression is not true at any step of the log

        """)
  }

  @Test("The next state that the log has is compared")
  func diverges() throws {
    var inspection = try Inspection(counter: Self.lines(last: 8))
    #expect(
      try inspection.text("verify") == """
        diverged: LOG: 1 divergence, 5 steps compared

          LOG:7: step 5, {"type":"counter/add","payload":{"amount":3}}
            after counter/add, the store counter differs at /counter/count
              recorded: 8
              replayed: 7
            next:
              goto 5
              diff
              blame /counter/count
              redispatch 5
          note: 3 states not compared: the file that was imported did not have them; replay continues from its own state

        """)
    #expect(
      try inspection.text("redispatch ..").hasSuffix(
        """
        fork 1 first differs at step 5
        ~ /counter/count: 8 -> 7
        at the end, compared with step 5: the same differences
        the states of 4 steps are not in the log, and were not compared

        """))
  }

  @Test("A replay does not go on across missing steps")
  func missing() throws {
    var inspection = try Inspection(counter: Self.lines(missing: 2))
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(
      try inspection.text("print counter.count") == """
        error: the state of counter is unknown at step 3: lines before it are damaged
        hint: a state is known again when its store is next written whole: try 'step', or go back

        """)
    #expect(
      try inspection.text("verify") == """
        empty: LOG: 0 steps compared
          note: steps 1 to 2 are not in the log (imported); 3 steps after them not compared, nothing after them is replayed

        """)
  }
}

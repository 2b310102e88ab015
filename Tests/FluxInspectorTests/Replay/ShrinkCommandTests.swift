import Counter
import Synchronization
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct ShrinkCommandTests {
  @Test("The actions that matter are found, and become a fork")
  func found() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "goto 6", "shrink counter.count >= 5", "state", "forks", "goto 4",
        "shrink $.rejected.reason == 'refused'", "shrink counter.count == 77", "shrink",
        "start", "shrink counter.count == 0") == """
          > goto 6
          6 counter/add {"amount":1} +5s
            changed: counter
          > shrink counter.count >= 5
          2 of 5 actions left after 9 runs: 1, 5
          fork 1 contains only these; none can be left out
          > state
          {
            "counter": {
              "count": 5
            }
          }
          > forks
          * fork 1 after step 0, 2 steps
          > goto 4
          4 counter/add {"amount":-9} +3.5s
            rejected by counter: refused: below 0
          note: left fork 1; 'switch 1' goes back to it
          > shrink $.rejected.reason == 'refused'
          1 of 3 actions left after 4 runs: 4
          fork 2 contains only these; none can be left out
          > shrink counter.count == 77
          the expression is still false after the 3 actions up to here
          at the start, shrink begins with the first step at which it is true
          > shrink
          error: shrink: an expression is missing
          hint: usage: shrink EXPR
          > start
          0 start: the state before the first step
          note: left fork 2; 'switch 2' goes back to it
          > shrink counter.count == 0
          the expression is not true at any step of the log

          """)
  }

  @Test("A step that the effect of a follow-up dispatched keeps its cause")
  func causes() throws {
    var inspection = try Inspection(
      counter: [CounterRecording.header] + CounterRecording.steps[..<3] + [
        #"{"n":4,"t":3.000000,"action":{"type":"counter/add","payload":{"amount":1}},"cause":3,"effect":"load","states":{"counter":{"count":5}}}"#,
        #"{"end":{"steps":4,"ok":true}}"#,
      ])
    #expect(try inspection.exitCode("shrink counter.count >= 5") == 0)
    #expect(
      try inspection.text("list") == """
        fork 1 after step 0, 4 steps
          1 counter/add {"amount":2} +1s  counter
          2 counter/double +2s
          3 counter/add {"amount":2} +2s  counter  caused by 2
        > 4 counter/add {"amount":1} +3s  counter  caused by 3

        """)
  }

  @Test("A path that the log does not have is named if nothing is found")
  func mistyped() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(inspection.stops(["goto 4"]) == [4])
    #expect(
      try inspection.text("shrink counter.cuont == 1") == """
        the expression is still false after the 3 actions up to here
        at the start, shrink begins with the first step at which it is true
        note: counter.cuont is neither at the start nor at the end of the log; did you mean counter.count?

        """)
  }

  @Test("The same for programs; what does not hold after all actions is exit code 1")
  func json() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(inspection.stops(["goto 6"]) == [6])
    #expect(
      try inspection.results("shrink counter.count >= 5", "shrink counter.count == 77") == """
        {"command":"shrink counter.count >= 5","ok":true,"position":6,"result":{"kept":[1,5],"of":5,"runs":9,"fork":1,"true":{"step":2,"type":"counter/add"}}}
        {"command":"shrink counter.count == 77","ok":true,"position":6,"result":{"kept":[],"of":5,"runs":1}}

        """)
    #expect(try inspection.exitCode("shrink counter.count == 77") == 1)
  }

  @Test("At the start, it begins with the actions up to the first step at which EXPR is true")
  func first() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript("shrink counter.count >= 7", "start", "shrink counter.count < 100")
        == """
        > shrink counter.count >= 7
        the expression is first true at step 5
        3 of 4 actions left after 8 runs: 1, 2, 5
        fork 1 contains only these; none can be left out
        > start
        0 start: the state before the first step
        note: left fork 1; 'switch 1' goes back to it
        > shrink counter.count < 100
        0 of 1 action left after 2 runs
        the expression is true at the start of fork 2, so no action is needed

        """)
    #expect(
      try inspection.json("start").isEmpty == false
        && inspection.json("shrink counter.count == 4").hasSuffix(
          #""of":2,"runs":4,"fork":3,"through":3,"true":{"step":3,"type":"counter/add","followUpOf":2}}}"#
            + "\n")
    )
  }

  @Test("EXPR is judged after the action and after its follow-ups, with changed, was and $.action")
  func followUps() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "shrink counter.count >= 4 && $.action.type == 'counter/add'", "goto 2",
        "shrink changed(counter.count) && was(counter.count) == 2",
        "shrink $.action.type == 'counter/double'", "goto 4",
        "shrink $.before.counter.count == 4", "shrink $.n == 3") == """
          > shrink counter.count >= 4 && $.action.type == 'counter/add'
          the expression is first true at step 3
          2 of 2 actions left after 4 runs: 1, 2
          fork 1 contains only these; none can be left out
          it is true at step 3, counter/add, a follow-up of step 2
          > goto 2
          2 counter/double +2s
            changed: nothing
          note: left fork 1; 'switch 1' goes back to it
          > shrink changed(counter.count) && was(counter.count) == 2
          2 of 2 actions left after 4 runs: 1, 2
          fork 2 contains only these; none can be left out
          it is true at step 3, counter/add, a follow-up of step 2
          > shrink $.action.type == 'counter/double'
          1 of 2 actions left after 4 runs: 2
          fork 3 contains only these; none can be left out
          it is true at step 1, counter/double, before its follow-ups
          > goto 4
          4 counter/add {"amount":-9} +3.5s
            rejected by counter: refused: below 0
          note: left fork 3; 'switch 3' goes back to it
          > shrink $.before.counter.count == 4
          3 of 3 actions left after 6 runs: 1, 2, 4
          fork 4 contains only these; none can be left out
          the last one is rejected there: refused: below 0
          > shrink $.n == 3
          error: shrink: steps have other numbers once actions are left out, so $.n says nothing here
          hint: go to the step, or name its type: $.action.type == 'todo/add'

          """)
  }

  /// A thousand additions, of nothing but for three.
  private static let long: [String] = {
    var count = 0
    let steps = (1...1000).map { number in
      let amount = [88, 512, 903].contains(number) ? 1000 : 0
      count += amount
      return
        #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"counter/add","payload":{"amount":\#(amount)}},"states":{"counter":{"count":\#(count)}}}"#
    }
    return [CounterRecording.header] + steps + [#"{"end":{"steps":1000,"ok":true}}"#]
  }()

  @Test("Three of a thousand actions are found in at most 300 runs, and progress is told")
  func three() throws {
    let told = Mutex<[Progress]>([])
    var services = Services()
    services.app = CounterApp()
    services.progress = { progress in
      guard progress.activity == "shrinking" else { return }
      told.withLock { $0.append(progress) }
    }
    var inspection = try Inspection(Self.long, services: services)
    #expect(inspection.stops(["end"]) == [1000])
    let ran = inspection.console.run("shrink counter.count >= 3000")
    let output = try #require(ran)
    let answer = try #require(output.result as? Shrunk)
    #expect(answer.kept == [88, 512, 903])
    #expect(answer.actionCount == 1000)
    #expect(answer.runs <= 300)
    #expect(answer.isMinimal == nil)
    let progress = told.withLock { $0 }
    #expect(progress.count == answer.runs)
    #expect(progress.allSatisfy { $0.total == 1000 })
    #expect(progress.last?.done == 997)
  }

  @Test("Interrupted, it gives the best so far and says so")
  func interrupted() throws {
    let runs = Mutex(0)
    var services = Services()
    services.app = CounterApp()
    services.progress = { progress in
      if progress.activity == "shrinking" { runs.withLock { $0 += 1 } }
    }
    services.isInterrupted = { runs.withLock { $0 > 12 } }
    var inspection = try Inspection(Self.long, services: services)
    #expect(inspection.stops(["end"]) == [1000])
    let ran = inspection.console.run("shrink counter.count >= 3000")
    let output = try #require(ran)
    let answer = try #require(output.result as? Shrunk)
    #expect(answer.isMinimal == false)
    #expect(answer.runs == 12)
    #expect(answer.kept.count < 1000 && Set(answer.kept).isSuperset(of: [88, 512, 903]))
    #expect(output.notes == ["interrupted: this is the best result so far"])
  }

  @Test(
    "The result ends in a rejected action only if all actions do, or the expression asks for it")
  func rejections() throws {
    let steps = [
      #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":5}},"states":{"counter":{"count":5}}}"#,
      #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":-3}},"states":{"counter":{"count":2}}}"#,
      #"{"n":3,"t":3.000000,"action":{"type":"counter/add","payload":{"amount":-8}},"rejected":{"reason":"refused","message":"below 0","store":"counter"}}"#,
    ]
    var inspection = try Inspection(counter: [CounterRecording.header] + steps)
    #expect(
      try inspection.transcript(
        "goto 2", "shrink $.action.payload.amount == -3", "goto 3",
        "shrink $.action.payload.amount == -8", "shrink $.rejected.message == 'below 0'") == """
          > goto 2
          2 counter/add {"amount":-3} +2s
            changed: counter
          > shrink $.action.payload.amount == -3
          2 of 2 actions left after 4 runs: 1, 2
          fork 1 contains only these; none can be left out
          > goto 3
          3 counter/add {"amount":-8} +3s
            rejected by counter: refused: below 0
          note: left fork 1; 'switch 1' goes back to it
          > shrink $.action.payload.amount == -8
          1 of 3 actions left after 4 runs: 3
          fork 2 contains only these; none can be left out
          the last one is rejected there: refused: below 0
          > shrink $.rejected.message == 'below 0'
          1 of 3 actions left after 4 runs: 3
          fork 3 contains only these; none can be left out

          """)
  }
}

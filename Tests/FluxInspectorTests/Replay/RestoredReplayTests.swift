import Counter
import Testing

@testable import FluxInspector

/// A recording whose app went back to the model after step 1 before step 3, and to a listed one before step 5.
@Suite struct RestoredReplayTests {
  private static func lines(third: Int = 3) -> [String] {
    func step(_ number: Int, _ amount: Int, _ count: Int) -> String {
      #"{"n":\#(number),"t":\#(number),"action":{"type":"counter/add","payload":{"amount":\#(amount)}},"#
        + #""states":{"counter":{"count":\#(count)}}}"#
    }
    return [
      CounterRecording.header, step(1, 2, 2), step(2, 3, 5),
      #"{"gap":{"from":3,"to":2,"why":"restored","step":1}}"#, step(3, 1, third),
      step(4, 4, third + 4),
      #"{"gap":{"from":5,"to":4,"why":"restored"},"states":{"counter":{"count":40}}}"#,
      step(5, 1, 41), #"{"end":{"steps":5,"ok":true}}"#,
    ]
  }

  @Test(
    "Steps are dispatched again in the model before them, and a range that is in two is refused")
  func redispatch() throws {
    var inspection = try Inspection(counter: Self.lines())
    #expect(
      try inspection.transcript(
        "redispatch 3..4", "redispatch 5", "redispatch 1..2", "redispatch ..", "redispatch 2..3")
          == """
          > redispatch 3..4
          3 counter/add {"amount":1} +3s  counter
          4 counter/add {"amount":4} +4s  counter
          fork 1 leads to the recorded states, up to those of step 4
          > redispatch 5
          5 counter/add {"amount":1} +5s  counter
          fork 2 leads to the recorded states, up to those of step 5
          > redispatch 1..2
          1 counter/add {"amount":2} +1s  counter
          2 counter/add {"amount":3} +2s  counter
          fork 3 leads to the recorded states, up to those of step 2
          > redispatch ..
          error: before step 3 the app went back to another model, which a fork cannot do; redispatch the steps from 3 on, or those before it
          > redispatch 2..3
          error: before step 3 the app went back to another model, which a fork cannot do; redispatch the steps from 3 on, or those before it

          """)
    var changed = try Inspection(counter: Self.lines(third: 9))
    #expect(
      try changed.transcript(
        "redispatch 3..4", "catch divergence", "reverse-continue", "reverse-continue") == """
          > redispatch 3..4
          3 counter/add {"amount":1} +3s  counter
          4 counter/add {"amount":4} +4s  counter
          fork 1 first differs at step 3
          ~ /counter/count: 9 -> 3
          at the end, compared with step 4
          ~ /counter/count: 13 -> 7
          > catch divergence
          1 catchpoint divergence
          > reverse-continue
          catchpoint 1: divergence
          3 counter/add {"amount":1} +3s
            changed: counter
          note: counter is not as recorded after step 3
          > reverse-continue
          2 the start of fork 1

          """)
  }

  @Test("fork -1 begins in the model before the step here, and a fork at a step in its states")
  func fork() throws {
    var inspection = try Inspection(counter: Self.lines())
    #expect(
      try inspection.transcript(
        "goto 3", "fork -1", "print counter.count", "compare", "goto 5", "fork -1",
        "print counter.count", "goto 3", "fork 2", "print counter.count", "goto 2", "fork -1",
        "print counter.count") == """
          > goto 3
          3 counter/add {"amount":1} +3s
            changed: counter
          > fork -1
          fork 1 after step 2, 0 steps
          note: the fork begins in the model to which the app went back before step 3
          > print counter.count
          2
          > compare
          fork 1 leads to the recorded states, up to those of step 1
          > goto 5
          5 counter/add {"amount":1} +5s
            changed: counter
          note: left fork 1; 'switch 1' goes back to it
          > fork -1
          fork 2 after step 4, 0 steps
          note: the fork begins in the model to which the app went back before step 5
          > print counter.count
          40
          > goto 3
          3 counter/add {"amount":1} +3s
            changed: counter
          note: left fork 2; 'switch 2' goes back to it
          > fork 2
          fork 3 after step 2, 0 steps
          > print counter.count
          5
          > goto 2
          2 counter/add {"amount":3} +2s
            changed: counter
          note: the app went back to the model after step 1 before step 3: restored
          note: left fork 3; 'switch 3' goes back to it
          > fork -1
          fork 4 after step 1, 0 steps
          > print counter.count
          2

          """)
  }

  @Test("A search begins in the last model that the app went back to")
  func shrink() throws {
    var inspection = try Inspection(counter: Self.lines())
    #expect(
      try inspection.transcript(
        "goto 4", "shrink counter.count == 7", "goto 4", "shrink counter.count == 5", "start",
        "shrink counter.count == 5", "goto 1", "shrink counter.count == 2") == """
          > goto 4
          4 counter/add {"amount":4} +4s
            changed: counter
          > shrink counter.count == 7
          2 of 2 actions left after 4 runs: 3, 4
          fork 1 contains only these; none can be left out
          note: the search begins in the model to which the app went back before step 3
          > goto 4
          4 counter/add {"amount":4} +4s
            changed: counter
          note: left fork 1; 'switch 1' goes back to it
          > shrink counter.count == 5
          the expression is still false after the 2 actions up to here
          at the start, shrink begins with the first step at which it is true
          note: the search begins in the model to which the app went back before step 3
          > start
          0 start: the state before the first step
          > shrink counter.count == 5
          the expression is first true at step 2
          2 of 2 actions left after 4 runs: 1, 2
          fork 2 contains only these; none can be left out
          > goto 1
          1 counter/add {"amount":2} +1s
            changed: counter
          note: left fork 2; 'switch 2' goes back to it
          > shrink counter.count == 2
          1 of 1 action left after 2 runs: 1
          fork 3 contains only these; none can be left out

          """)
  }

  @Test("A test begins in the last model that the app went back to")
  func test() throws {
    let world = RecordedWorld()
    var services = world.services
    services.app = CounterApp()
    var inspection = try Inspection(Self.lines(), services: services)
    for (step, count, actions) in [(3, 2, 1), (4, 2, 2), (5, 40, 1), (2, 0, 2)] {
      _ = try inspection.text("goto \(step)")
      let answer = try inspection.text("test T\(step).swift")
      #expect(answer.hasPrefix("a test of \(actions) action"))
      #expect(!answer.contains("note"))
      #expect(
        world.files["T\(step).swift"]?.contains(#""states":{"counter":{"count":\#(count)}}"#)
          == true)
    }
  }
}

import Counter
import FluxJSON
import FluxReplay
import Testing

@testable import FluxInspector

/// States that the recorder left out, in a session with the app: a replay rebuilds them, and the session says so.
@Suite struct RebuiltStateTests {
  private static func lines(
    third: String = #""payload":{"amount":2}"#, last: Int = 8
  ) -> [String] {
    [CounterRecording.header] + CounterRecording.steps[..<2] + [
      #"{"n":3,"t":2.000000,"action":{"type":"counter/add",\#(third)},"cause":2,"unwritten":["counter"]}"#,
      #"{"n":4,"t":3.000000,"action":{"type":"counter/add","payload":{"amount":3}},"unwritten":["counter"]}"#,
      #"{"n":5,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":\#(last)}}}"#,
      #"{"end":{"steps":5,"ok":true}}"#,
    ]
  }

  private static let origin =
    "counter: rebuilt by replay from step 2, because the recorder was behind"

  @Test(
    "each command shows a rebuilt state, and says where it comes from",
    arguments: [
      ("print counter.count", "7\nnote: \(origin)\n"),
      ("print counter.count > 5", "true\nnote: \(origin)\n"),
      ("print $.action.type", "\"counter/add\"\n"),
      ("stores", "counter Counter, 11 bytes, rebuilt by replay\n"),
      ("diff", "from step 3 to step 4\n~ /counter/count: 4 -> 7\nnote: \(origin)\n"),
      ("diff 1", "from step 1 to step 4\n~ /counter/count: 2 -> 7\nnote: \(origin)\n"),
    ])
  func text(_ command: String, _ expected: String) throws {
    var inspection = try Inspection(counter: Self.lines())
    #expect(inspection.stops(["goto 4"]) == [4])
    #expect(try inspection.text(command) == expected)
  }

  @Test("a bisection probes rebuilt states, too", arguments: [(3, 3), (5, 4), (7, 5)])
  func bisect(_ count: Int, _ step: UInt64) throws {
    var inspection = try Inspection(counter: Self.lines())
    #expect(try inspection.exitCode("bisect counter.count > \(count)") == 0)
    #expect(inspection.session.stepNumber == step)
  }

  @Test("results name the rebuilt stores and the step from which they were rebuilt")
  func results() throws {
    var inspection = try Inspection(counter: Self.lines())
    #expect(inspection.stops(["goto 4"]) == [4])
    let state = try inspection.session.state(of: "counter")
    #expect(state.value == ["count": 7])
    #expect(state.rebuilt?.stores == ["counter"])
    #expect(state.rebuilt?.base == 2)
    #expect(state.rebuilt?.divergence == nil)
    let model = try inspection.session.model()
    #expect(model.value == ["counter": ["count": 7]])
    #expect(model.rebuilt?.stores == ["counter"])
    let diff = try inspection.json("diff")
    #expect(
      diff.contains(
        #""rebuilt":[{"stores":["counter"],"from":2},{"stores":["counter"],"from":2}],"changes":["#)
    )
    // A written state is not rebuilt.
    #expect(inspection.stops(["goto 5"]) == [5])
    #expect(try inspection.session.state(of: "counter").rebuilt == nil)
    #expect(try inspection.text("print counter.count") == "8\n")
  }

  @Test("a replay that differs from the next written state says so")
  func diverging() throws {
    var inspection = try Inspection(counter: Self.lines(last: 80))
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(
      try inspection.text("print counter.count") == """
        4
        note: \(Self.origin); the replay differs from the recording at step 5, so the app may have changed since

        """)
  }

  @Test("a state that cannot be rebuilt is an error with the reason, and the rest is shown")
  func failing() throws {
    var inspection = try Inspection(counter: Self.lines(third: #""payload":{}"#))
    #expect(inspection.stops(["goto 4"]) == [4])
    let why = "a state before it is unknown, or a step on the way cannot run again"
    #expect(
      try inspection.text("print counter.count") == """
        error: the state of counter is not written at step 4, and a replay cannot rebuild it: \(why)
        hint: the nearest known states are those of steps 2 and 5

        """)
    #expect(
      try inspection.text("diff") == """
        from step 3 to step 4
        counter changed; its new state is not written here
        note: counter: cannot be rebuilt by replay: \(why)

        """)
    #expect(try inspection.text("stores") == "counter Counter, not written here\n")
  }

  @Test("without an app, the nearest steps with a known state are named")
  func without() throws {
    var inspection = try Inspection(Self.lines())
    #expect(inspection.stops(["goto 4"]) == [4])
    #expect(
      try inspection.text("print counter.count") == """
        error: the state of counter is not written at step 4: the recorder was behind
        hint: the nearest known states are those of steps 2 and 5; with --app, a replay rebuilds it

        """)
  }
}

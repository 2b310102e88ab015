import Counter
import FluxReplay
import Synchronization
import Testing

@testable import FluxInspector

@Suite struct CatchDivergenceTests {
  /// Steps 3 and 6 have states that the counter does not come to.
  private static let lines =
    [CounterRecording.header] + CounterRecording.steps[..<2] + [
      #"{"n":3,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":2}},"target":"counter","cause":2,"states":{"counter":{"count":40}}}"#,
      #"{"n":4,"t":3.500000,"action":{"type":"counter/add","payload":{"amount":-9}},"rejected":{"reason":"refused","message":"below 0","store":"counter"}}"#,
      #"{"n":5,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"counter":{"count":7}}}"#,
      #"{"n":6,"t":5.000000,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":80}}}"#,
      #"{"end":{"steps":6,"ok":true}}"#,
    ]

  @Test("A move stops where the replay differs, and says in what, in both directions")
  func text() throws {
    var inspection = try Inspection(counter: Self.lines)
    #expect(
      try inspection.transcript(
        "catch divergence", "continue", "continue", "continue", "reverse-continue",
        "reverse-continue", "breakpoints") == """
          > catch divergence
          1 catchpoint divergence
          > continue
          catchpoint 1: divergence
            caused by 2 counter/double
            after counter/add, the store counter differs at /counter/count
              recorded: 40
              replayed: 4
          3 counter/add {"amount":2} +2s
            changed: counter
            caused by step 2
          > continue
          catchpoint 1: divergence
            after counter/add, the store counter differs at /counter/count
              recorded: 80
              replayed: 8
          6 counter/add {"amount":1} +5s
            changed: counter
          > continue
          the end of the log
          6 counter/add {"amount":1} +5s
            changed: counter
          > reverse-continue
          catchpoint 1: divergence
            caused by 2 counter/double
            after counter/add, the store counter differs at /counter/count
              recorded: 40
              replayed: 4
          3 counter/add {"amount":2} +2s
            changed: counter
            caused by step 2
          > reverse-continue
          0 start: the state before the first step
          > breakpoints
          1 catchpoint divergence  reached 3 times

          """)
  }

  @Test("The same for programs")
  func json() throws {
    var inspection = try Inspection(counter: CounterRecording.diverging)
    #expect(
      try inspection.results("catch divergence", "continue", "continue", "reverse-continue") == """
        {"command":"catch divergence","ok":true,"position":0,"result":{"number":1,"kind":"catchpoint"}}
        {"command":"continue","ok":true,"position":5,"result":{"step":5,"t":4,"action":{"type":"counter/add","payload":{"amount":3}},"changed":["counter"],"stopped":"breakpoint","number":1,"divergence":{"step":5,"line":6,"kind":"different","store":"counter","path":"/counter/count","recorded":70,"replayed":7,"action":{"type":"counter/add","payload":{"amount":3}},"chain":[{"n":5,"type":"counter/add"}],"next":["goto 5","diff","blame /counter/count","fork -1"]}}}
        {"command":"continue","ok":true,"position":6,"result":{"step":6,"t":5,"action":{"type":"counter/add","payload":{"amount":1}},"changed":["counter"],"stopped":"end"}}
        {"command":"reverse-continue","ok":true,"position":5,"result":{"step":5,"t":4,"action":{"type":"counter/add","payload":{"amount":3}},"changed":["counter"],"stopped":"breakpoint","number":1,"divergence":{"step":5,"line":6,"kind":"different","store":"counter","path":"/counter/count","recorded":70,"replayed":7,"action":{"type":"counter/add","payload":{"amount":3}},"chain":[{"n":5,"type":"counter/add"}],"next":["goto 5","diff","blame /counter/count","fork -1"]}}}

        """)
  }

  @Test("Other stop points are met on the way, play stops too, and the log is replayed once")
  func others() throws {
    let replays = Mutex(0)
    let world = RecordedWorld()
    var services = world.services
    services.app = CountedApp { replays.withLock { $0 += 1 } }
    var inspection = try Inspection(Self.lines, services: services)
    #expect(try inspection.exitCode("catch divergence") == 0)
    #expect(try inspection.exitCode("catch rejected") == 0)
    #expect(inspection.walk("continue") == [3, 4, 6])
    #expect(inspection.walk("reverse-continue") == [4, 3])
    #expect(inspection.stops(["play 100", "disable 1", "play 100"]) == [3, 3, 4])
    #expect(replays.withLock { $0 } == 1)
    // The app may have been built again before the stop point is added again.
    #expect(try inspection.exitCode("catch divergence") == 0)
    #expect(inspection.walk("continue") == [6])
    #expect(replays.withLock { $0 } == 2)
  }

  @Test("A log that leads to the recorded states is walked to its end")
  func passed() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    #expect(try inspection.exitCode("catch divergence") == 0)
    #expect(
      try inspection.text("continue") == """
        the end of the log
        6 counter/add {"amount":1} +5s
          changed: counter

        """)
  }

  @Test("Initial states that differ are a note, because no move stops there")
  func initialStates() throws {
    let header = CounterRecording.header.replacing(#""count":0"#, with: #""count":1"#)
    var inspection = try Inspection(
      counter: [
        header,
        #"{"n":1,"t":1,"action":{"type":"counter/add","payload":{"amount":1}},"states":{"counter":{"count":2}}}"#,
        #"{"end":{"steps":1,"ok":true}}"#,
      ])
    #expect(
      try inspection.transcript("catch divergence", "continue", "reverse-continue") == """
        > catch divergence
        1 catchpoint divergence
        > continue
        the end of the log
        1 counter/add {"amount":1} +1s
          changed: counter
        note: the store counter begins in a different state, where no move stops
        > reverse-continue
        0 start: the state before the first step

        """)
  }

  @Test("A step at which the app fails is stopped at as well, and is told with what ended it")
  func failure() throws {
    let trap = #"{"n":4,"t":3.500000,"action":{"type":"counter/exit"}}"#
    var inspection = try HostSubject.inspection(
      Self.lines[..<4] + [trap] + Self.lines[5...])
    #expect(try inspection.exitCode("catch divergence") == 0)
    #expect(inspection.walk("continue") == [3, 4])
    #expect(inspection.stops(["end"]) == [6])
    #expect(
      try inspection.text("reverse-continue").replacing(#/[^ ]+CounterHost/#, with: "HOST") == """
        catchpoint 1: divergence
          HOST: step 4, counter/exit: the app exited with status 7; run it in a debugger and dispatch the actions up to this step to see why
        4 counter/exit +3.5s
          changed: nothing

        """)
    // Where nothing differs before it, it is the only one.
    inspection = try HostSubject.inspection(
      CounterRecording.lines[..<4] + [trap] + CounterRecording.lines[5...])
    #expect(try inspection.exitCode("catch divergence") == 0)
    #expect(inspection.walk("continue") == [4])
  }

  @Test("Without an app it says how to get one")
  func noApp() throws {
    var inspection = try Inspection(CounterRecording.lines)
    #expect(
      try inspection.text("catch divergence") == """
        error: this replays actions, which needs the app
        hint: start with --app PATH, the executable of an app that serves its stores, or a replay host for Redux or another language; or use an inspector that the app ships itself

        """)
    #expect(try inspection.exitCode("catch divergence") == 5)
    #expect(inspection.session.stopPoints.breakpoints.isEmpty)
  }
}

/// The counter, which tells when a replay begins in recorded states.
private struct CountedApp: ReplayApp {
  let onStart: @Sendable () -> Void

  func describe() throws(ReplayFailure) -> AppDescription { try CounterApp().describe() }

  func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    if start.states != nil { onStart() }
    return try CounterApp().start(start)
  }
}

import Counter
import Testing

@testable import FluxInspector

@Suite struct TestCommandTests {
  private func inspection(_ world: RecordedWorld, _ lines: [String]) throws -> Inspection {
    var services = world.services
    services.app = CounterApp()
    return try Inspection(lines, services: services)
  }

  @Test("The test begins at the start and dispatches what leads here")
  func recording() throws {
    let world = RecordedWorld()
    var inspection = try inspection(world, CounterRecording.lines)
    #expect(
      try inspection.transcript("goto 4", "test CounterTests.swift --stores 'makeStores(2)'") == """
        > goto 4
        4 counter/add {"amount":-9} +3.5s
          rejected by counter: refused: below 0
        > test CounterTests.swift --stores 'makeStores(2)'
        a test of 4 actions written to CounterTests.swift

        """)
    #expect(
      world.files["CounterTests.swift"] == ###"""
        // swift-format-ignore-file
        // Written by flux-inspect: dispatches recorded actions in fresh stores, and expects the recorded
        // states.
        import FluxJSON
        import FluxLog
        import FluxRecorder
        import FluxReplay
        import Testing

        @testable import Counter

        @Suite struct CounterStep4Tests {
          @Test("The actions up to step 4, counter/add, lead to the recorded states")
          func reproduces() throws {
            let start = #"{"mode":"replay","seed":"0000000000000001","created":"2026-11-20T12:00:00.000000Z","states":{"counter":{"count":0}},"next":1,"t":0.000000}"#
            let actions = #"""
              {"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}}}
              {"n":2,"t":2.000000,"action":{"type":"counter/double"}}
              {"n":3,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":2}},"target":"counter"}
              {"n":4,"t":3.500000,"action":{"type":"counter/add","payload":{"amount":-9}}}
              """#
            let expected: StoreDictionary<JSON> = [
              "counter": try JSON.parse(#"{"count":4}"#),
            ]

            let session = try AppDefinition(stores: makeStores(2)).start(SessionStart(JSON.parse(start)))
            defer { session.end() }
            let steps = try session.dispatch(
              actions.split(separator: "\n").map { try ReplayAction(JSON.parse(String($0))) })
            #expect(steps.last?.verdict == .rejected(LogRejection(reason: "refused", message: "below 0", store: "counter")))
            #expect(try session.states() == expected)
          }
        }

        """###)
  }

  @Test("On a fork it hides what the recording hides, as save does")
  func redactedFork() throws {
    let world = RecordedWorld()
    var lines = CounterRecording.lines
    lines[1] =
      #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2,"why":"<redacted 5f0c2a9e71b3d844>"}},"states":{"counter":{"count":2}}}"#
    var inspection = try inspection(world, lines)
    _ = try inspection.results(
      "fork 5",
      #"dispatch {"type":"counter/add","payload":{"amount":1,"why":"hunter2","note":"HUNTER2!"}}"#,
      "test t.swift --import CounterApp")
    let test = try #require(world.files["t.swift"])
    #expect(!test.lowercased().contains("hunter2"))
    #expect(
      test.replacing(/<redacted [0-9a-f]{16}>/, with: "<>").contains(
        #""payload":{"amount":1,"why":"<>","note":"<>!"}"#))
  }

  @Test("On a fork it dispatches what the fork has, in JSON that Swift takes as it is")
  func fork() throws {
    let world = RecordedWorld()
    var inspection = try inspection(world, CounterRecording.lines)
    #expect(
      try inspection.results(
        "fork 5", ##"dispatch {"type":"counter/add","payload":{"amount":1,"why":"\"# \u2028"}}"##,
        "test t.swift --import CounterApp") == #"""
          {"command":"fork 5","ok":true,"position":0,"result":{"fork":1,"at":5,"steps":0}}
          {"command":"dispatch {\"type\":\"counter/add\",\"payload\":{\"amount\":1,\"why\":\"\\\"# \\u2028\"}}","ok":true,"position":0,"result":{"fork":1,"steps":[{"n":6,"t":4,"type":"counter/add","changed":["counter"]}],"changes":[{"path":"/counter/count","op":"replace","old":7,"new":8}]}}
          {"command":"test t.swift --import CounterApp","ok":true,"position":0,"result":{"file":"t.swift","actions":1}}

          """#)
    #expect(
      world.files["t.swift"] == ###"""
        // swift-format-ignore-file
        // Written by flux-inspect: dispatches recorded actions in fresh stores, and expects the recorded
        // states.
        import FluxJSON
        import FluxLog
        import FluxRecorder
        import FluxReplay
        import Testing

        @testable import CounterApp

        @Suite struct CounterStep6Tests {
          @Test("The actions up to step 6, counter/add, lead to the recorded states")
          func reproduces() throws {
            let start = #"{"mode":"replay","seed":"0000000000000001","created":"2026-11-20T12:00:00.000000Z","states":{"counter":{"count":7}},"next":6,"t":4.000000}"#
            let actions = ##"""
              {"n":6,"t":4.000000,"action":{"type":"counter/add","payload":{"amount":1,"why":"\"# \u2028"}}}
              """##
            let expected: StoreDictionary<JSON> = [
              "counter": try JSON.parse(#"{"count":8}"#),
            ]

            let session = try AppDefinition(stores: makeStores).start(SessionStart(JSON.parse(start)))
            defer { session.end() }
            let steps = try session.dispatch(
              actions.split(separator: "\n").map { try ReplayAction(JSON.parse(String($0))) })
            #expect(steps.last?.verdict == .accepted)
            #expect(try session.states() == expected)
          }
        }

        """###)
  }

  @Test("A file that is there already is only overwritten where that is asked for")
  func existing() throws {
    let world = RecordedWorld(files: ["t.swift": "mine"])
    var inspection = try inspection(world, CounterRecording.lines)
    #expect(inspection.stops(["goto 1"]) == [1])
    #expect(
      try inspection.transcript("test t.swift") == """
        > test t.swift
        error: t.swift already exists
        hint: --force overwrites it

        """)
    #expect(world.files["t.swift"] == "mine")
    #expect(
      try inspection.transcript("test t.swift --force")
        == "> test t.swift --force\na test of 1 action written to t.swift\n")
    #expect(world.files["t.swift"]?.hasPrefix("// swift-format-ignore-file\n") == true)
  }

  @Test("What the app does not come to is said, and what cannot be written is refused")
  func refused() throws {
    let world = RecordedWorld()
    var inspection = try inspection(world, CounterRecording.diverging)
    #expect(
      try inspection.transcript(
        "test t.swift", "goto 5", "test t.swift", "test", "fork", "test t.swift") == """
          > test t.swift
          error: there is no step here: this is the state before the first
          hint: 'step' goes to it
          > goto 5
          5 counter/add {"amount":3} +4s
            changed: counter
          > test t.swift
          a test of 5 actions written to t.swift
          note: with the app as it is now, the test fails: the state differs at /counter/count
          > test
          error: test: a file is missing
          hint: usage: test FILE [--expect VALUE] [--smallest] [--import M] [--stores F] [--force]
          > fork
          fork 1 after step 5, 0 steps
          > test t.swift
          error: the fork has no step yet
          hint: 'dispatch' makes one

          """)
    var unnamed = try self.inspection(
      world,
      CounterRecording.lines.map {
        $0.replacing(#""app":{"name":"Counter","version":"1.0"},"#, with: "")
      })
    #expect(unnamed.stops(["goto 1"]) == [1])
    #expect(
      try unnamed.transcript("test u.swift") == """
        > test u.swift
        error: test: the log does not name the app, so --import has to name its module
        hint: usage: test FILE [--expect VALUE] [--smallest] [--import M] [--stores F] [--force]

        """)
    #expect(world.files["u.swift"] == nil)
    let gap = #"{"gap":{"from":2,"to":4,"why":"paused"}}"#
    var lines = CounterRecording.lines
    lines.replaceSubrange(2...4, with: [gap])
    var gapped = try self.inspection(world, lines)
    #expect(
      try gapped.transcript("goto 5", "test g.swift", "step", "test g.swift") == """
        > goto 5
        5 counter/add {"amount":3} +4s
          changed: counter
        > test g.swift
        error: the actions that led here are not in the log: lines before this step are missing
        hint: go to a later step with 'step'
        > step
        6 counter/add {"amount":1} +5s
          changed: counter
        > test g.swift
        a test of 1 action written to g.swift

        """)
  }
}

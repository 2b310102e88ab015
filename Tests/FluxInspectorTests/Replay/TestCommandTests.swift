import Counter
import FluxJSON
import FluxReplay
import Testing

@testable import FluxInspector

@Suite struct TestCommandTests {
  private func inspection(_ world: RecordedWorld, _ lines: [String]) throws -> Inspection {
    var services = world.services
    services.app = CounterApp()
    return try Inspection(lines, services: services)
  }

  /// A recording of the counter from the time when its store was called `number`, and its state was the number itself.
  private static let renamed = [
    #"{"flux":"1.0","log":"c0","created":"2026-11-20T12:00:00.000000Z","seed":"0000000000000001","first":1,"app":{"name":"Counter","version":"0.9"},"stores":{"number":{"type":"Number","initial":0}}}"#,
    #"{"n":1,"t":1.000000,"action":{"type":"counter/add","payload":{"amount":2}},"target":"number","states":{"number":2}}"#,
    #"{"n":2,"t":2.000000,"action":{"type":"counter/add","payload":{"amount":3}},"states":{"number":5}}"#,
    #"{"end":{"steps":2,"ok":true}}"#,
  ]

  @Test("A test has the names and the forms that the app's stores have now")
  func renamedStore() throws {
    let world = RecordedWorld()
    var inspection = try inspection(world, Self.renamed)
    #expect(
      try inspection.transcript("goto 2", "test ATests.swift", "test BTests.swift --smallest")
        .contains("fails") == false)
    let states = try #require(world.files["ATests.swift"])
    #expect(states.contains(#""states":{"counter":{"count":0}}"#))
    #expect(states.contains(#"},"target":"counter"}"#))
    #expect(states.contains(###""counter": try JSON.parse(#"{"count":5}"#),"###))
    #expect(!states.contains("number"))
    let smallest = try #require(world.files["BTests.swift"])
    #expect(smallest.contains(#"try session.value("counter.count")"#))
    #expect(!smallest.contains("number"))
    #expect(
      try inspection.transcript("test CTests.swift --expect number") == """
        > test CTests.swift --expect number
        error: number has no value at step 2
        hint: --expect takes a path or an expression that reads the states here, by the names that the app has now

        """)
  }

  @Test("From the start, the current names lead to a step, and an error names them")
  func renamedStoreOfBug() throws {
    let world = RecordedWorld()
    var inspection = try inspection(world, Self.renamed)
    let note =
      "the app calls the store number counter now, and its names count once actions are dispatched again"
    #expect(
      try inspection.transcript("shrink number == 5", "test A.swift --because 'number == 5'") == """
        > shrink number == 5
        the expression is true at step 2, and false after its 2 actions are dispatched again
        'verify' shows where the app no longer behaves as recorded
        note: \(note)
        > test A.swift --because 'number == 5'
        error: the 2 actions up to step 2, dispatched again, do not lead to number == 5
        hint: \(note)

        """)
    #expect(
      try inspection.text("test A.swift --because 'counter.count == 5'").contains("2 actions"))
    let shrunk = try inspection.text("shrink counter.count == 5")
    #expect(shrunk.contains("fork 1"), "\(shrunk)")
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
        it expects the states of all stores

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

        @Suite struct CounterTests {
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
            #expect(steps.last?.outcome == .rejected(LogRejection(reason: "refused", message: "below 0", store: "counter")))
            #expect(try session.states() == expected)
          }
        }

        """###)
  }

  @Test("A file that no test target compiles is refused")
  func fileName() throws {
    let world = RecordedWorld()
    var inspection = try inspection(world, CounterRecording.lines)
    #expect(
      try inspection.transcript("goto 4", "test CounterTests", "test 'my tests'", "test a.test.ts")
        .split(separator: "\n").dropFirst(3).joined(separator: "\n") == """
          > test CounterTests
          error: test: a test target only compiles files whose names end in .swift
          hint: 'test CounterTests.swift'
          > test 'my tests'
          error: test: a test target only compiles files whose names end in .swift
          hint: 'test "my tests.swift"'
          > test a.test.ts
          error: test: a.test.ts is not a Swift file, and the test is in Swift
          hint: in another language, a log is the test: 'shrink EXPR', 'save LOG', and in CI flux-inspect verify LOG
          """)
    #expect(world.files.isEmpty)
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
          {"command":"test t.swift --import CounterApp","ok":true,"position":0,"result":{"file":"t.swift","actions":1,"fails":false}}

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

        @Suite struct TTests {
          @Test("The actions up to step 6, counter/add, lead to the recorded states")
          @MainActor func reproduces() throws {
            let start = #"{"mode":"replay","seed":"0000000000000001","created":"2026-11-20T12:00:00.000000Z","states":{"counter":{"count":7}},"current":true,"next":6,"t":4.000000}"#
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
            #expect(steps.last?.outcome == .accepted)
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
        == "> test t.swift --force\na test of 1 action written to t.swift\n"
        + "it expects the states of all stores\n")
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
          it expects the states of all stores
          note: with the app as it is now, the test fails: the state differs at /counter/count
          > test
          error: test: a file is missing
          hint: usage: test FILE [--because X --expect V --smallest --import M --stores F --force]
          > fork
          fork 1 after step 5, 0 steps
          > test t.swift
          error: the fork has no step yet
          hint: 'dispatch' makes one

          """)
    let lines = CounterRecording.lines.map {
      $0.replacing(#""app":{"name":"Counter","version":"1.0"},"#, with: "")
    }
    var unnamed = try Inspection(lines, services: world.services)
    #expect(unnamed.stops(["goto 1"]) == [1])
    #expect(
      try unnamed.transcript("test u.swift") == """
        > test u.swift
        error: test: neither the log nor an app names the module, so --import has to
        hint: usage: test FILE [--because X --expect V --smallest --import M --stores F --force]

        """)
    #expect(world.files["u.swift"] == nil)
    var named = try self.inspection(world, lines)
    #expect(named.stops(["goto 1"]) == [1])
    #expect(try named.exitCode("test u.swift") == 0)
    #expect(world.files["u.swift"]?.contains("@testable import Counter\n") == true)
    let gap = #"{"gap":{"from":2,"to":4,"why":"paused"}}"#
    var gappedLines = CounterRecording.lines
    gappedLines.replaceSubrange(2...4, with: [gap])
    var gapped = try self.inspection(world, gappedLines)
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
        it expects the states of all stores

        """)
  }

  @Test("After missing lines, a test begins at the first accepted step, also behind rejected ones")
  func rejectedAfterGap() throws {
    let world = RecordedWorld()
    var lines = CounterRecording.lines
    lines.replaceSubrange(2...3, with: [#"{"gap":{"from":2,"to":3,"why":"paused"}}"#])
    var gapped = try inspection(world, lines)
    #expect(gapped.stops(["goto 5"]) == [5])
    #expect(
      try gapped.transcript("test g.swift", "step", "test g.swift") == """
        > test g.swift
        error: the actions that led here are not in the log: lines before this step are missing
        hint: go to a later step with 'step'
        > step
        6 counter/add {"amount":1} +5s
          changed: counter
        > test g.swift
        a test of 1 action written to g.swift
        it expects the states of all stores

        """)
  }

  /// A recording of the counter with additions only.
  private static func adding(_ amounts: Int...) -> [String] {
    var count = 0
    let steps = amounts.enumerated().map { index, amount in
      count += amount
      return
        #"{"n":\#(index + 1),"t":\#(index + 1).000000,"action":{"type":"counter/add","payload":{"amount":\#(amount)}},"states":{"counter":{"count":\#(count)}}}"#
    }
    return [CounterRecording.header] + steps + [#"{"end":{"steps":\#(amounts.count),"ok":true}}"#]
  }

  @Test("--because writes the test of a bug: it fails now, and passes once the expression is false")
  func bug() throws {
    let world = RecordedWorld()
    var inspection = try inspection(world, CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "test bug.swift --because counter.count >= 4 && $.action.type == 'counter/add'",
        "test other.swift --import M --because 'counter.count > 7' --stores make",
        "goto 2", "test t.swift --because counter.count > 7",
        "test t.swift --because counter.count < 7",
        "start", "test t.swift --because counter.count > 99", "test t.swift --because",
        "test t.swift --because $.n > 2",
        "test t.swift --because counter.cuont > 2") == """
          > test bug.swift --because counter.count >= 4 && $.action.type == 'counter/add'
          a test of 2 actions written to bug.swift
          it fails until the bug is fixed
          > test other.swift --import M --because 'counter.count > 7' --stores make
          a test of 4 actions written to other.swift
          it fails until the bug is fixed
          > goto 2
          2 counter/double +2s
            changed: nothing
          > test t.swift --because counter.count > 7
          error: counter.count > 7 is false after the 2 actions up to step 2
          hint: at the start, test begins with the first step at which it is true
          > test t.swift --because counter.count < 7
          error: counter.count < 7 is true at the start, so no action leads to it
          hint: say which change is wrong: EXPR && changed(PATH)
          > start
          0 start: the state before the first step
          > test t.swift --because counter.count > 99
          error: counter.count > 99 is not true at any step of the log
          > test t.swift --because
          error: test: --because needs a value
          hint: usage: test FILE [--because X --expect V --smallest --import M --stores F --force]
          > test t.swift --because $.n > 2
          error: test: steps have other numbers once actions are left out, so $.n says nothing here
          hint: go to the step, or name its type: $.action.type == 'todo/add'
          > test t.swift --because counter.cuont > 2
          error: counter.cuont > 2 is not true at any step of the log
          hint: counter.cuont is neither at the start nor at the end of the log; did you mean counter.count?

          """)
    #expect(
      world.files["bug.swift"] == ###"""
        // swift-format-ignore-file
        // Written by flux-inspect: dispatches recorded actions in fresh stores, and fails while the last one leads to the bug.
        import FluxJSON
        import FluxTesting
        import Testing

        @testable import Counter

        @Suite struct BugTests {
          @Test("Step 3, counter/add, no longer shows the bug")
          @MainActor func reproduces() throws {
            let session = try TestSession(stores: makeStores)
            try session.dispatch(json: JSON.parse(#"{"type":"counter/add","payload":{"amount":2}}"#))
            try session.dispatch(json: JSON.parse(#"{"type":"counter/double"}"#))
            #expect(try !session.holds("counter.count >= 4 && $.action.type == 'counter/add'"))
          }
        }

        """###)
    #expect(world.files["t.swift"] == nil)
  }

  @Test("A fork of shrink gives the same test, and one without the bug is refused")
  func bugOfFork() throws {
    let world = RecordedWorld()
    var inspection = try inspection(world, CounterRecording.lines)
    #expect(
      try inspection.transcript(
        "test a.swift --because counter.count == 7", "shrink counter.count == 7",
        "test b.swift --because counter.count == 7", "test c.swift --because counter.count == 8")
          == """
          > test a.swift --because counter.count == 7
          a test of 3 actions written to a.swift
          it fails until the bug is fixed
          > shrink counter.count == 7
          the expression is first true at step 5
          3 of 4 actions left after 8 runs: 1, 2, 5
          fork 1 contains only these; none can be left out
          > test b.swift --because counter.count == 7
          a test of 3 actions written to b.swift
          it fails until the bug is fixed
          > test c.swift --because counter.count == 8
          error: counter.count == 8 is false after the last action of fork 1
          hint: 'switch 0' goes back to the recording, where test finds the step

          """)
    let body = { (name: String) in
      world.files[name]?.split(separator: "\n").filter { $0.hasPrefix("    ") }
    }
    #expect(body("a.swift") == body("b.swift") && body("a.swift")?.count == 5)
  }

  @Test("On a fork that left the start, --smallest says that it needs the recording")
  func smallestOnFork() throws {
    var inspection = try Inspection(counter: CounterRecording.lines)
    _ = inspection.stops(["dispatch {\"type\":\"counter/add\",\"payload\":{\"amount\":1}}"])
    #expect(
      try inspection.text("test t.swift --smallest") == """
        error: test: --smallest leaves out actions of the recording, and this is a fork
        hint: 'switch 0' goes back to the recording

        """)
  }

  @Test("A test that cannot fail is told")
  func vacuous() throws {
    let world = RecordedWorld()
    var returning = try inspection(world, Self.adding(2, -2))
    #expect(
      try returning.transcript(
        "end", "test t.swift --expect counter.count",
        "test u.swift --expect counter.count --smallest") == """
          > end
          the end of the log
          2 counter/add {"amount":-2} +2s
            changed: counter
          > test t.swift --expect counter.count
          a test of 2 actions written to t.swift
          note: the expected values are those of the start, so the test passes whatever the actions do; --because EXPR tests that a bug is gone
          > test u.swift --expect counter.count --smallest
          a test of 2 actions written to u.swift
          note: the expected values are those of the start, so the test passes whatever the actions do; --because EXPR tests that a bug is gone

          """)
    var idle = try inspection(world, Self.adding(2, 0))
    #expect(
      try idle.transcript("end", "test v.swift --expect counter.count") == """
        > end
        the end of the log
        2 counter/add {"amount":0} +2s
          changed: counter
        > test v.swift --expect counter.count
        a test of 2 actions written to v.swift
        note: the test passes without its last action, counter/add, too

        """)
  }

  /// The counter as an app that tells how its stores are made.
  private struct TellingCounter: SourceTellingApp {
    let reducers: AppDescription.Reducers
    let told: AppSource
    /// The module of a type in its actions.
    var typeModule: String?

    func describe() throws(ReplayFailure) -> AppDescription {
      var description = try CounterApp().describe()
      description.reducers = reducers
      return description
    }

    func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
      try CounterApp().start(start)
    }

    func source(of actions: [JSON]) -> AppSource {
      guard let typeModule, !actions.isEmpty else { return told }
      return AppSource(
        told.sources, modules: (told.modules ?? []) + [typeModule], stores: told.stores)
    }
  }

  @Test(
    "The app tells its modules and the initializers of its stores, and one with a reducer its definition",
    arguments: [
      (
        .steps, AppSource(modules: ["Parts"], stores: "{ [CounterStore()] }"), "",
        "stores: { [CounterStore()] }"
      ),
      (.steps, AppSource(modules: ["Parts"]), "", "stores: makeStores"),
      (.steps, AppSource(), "", "stores: makeStores"),
      (
        .steps, AppSource(modules: ["Parts"], stores: "{ [CounterStore()] }"), "--stores f",
        "stores: f"
      ),
      (.plain, AppSource(modules: ["Parts"]), "", "app: app"),
      (.plain, AppSource(modules: ["Parts"]), "--stores counterApp", "app: counterApp"),
    ] as [(AppDescription.Reducers, AppSource, String, String)])
  func makers(
    _ reducers: AppDescription.Reducers, _ told: AppSource, _ options: String, _ maker: String
  ) throws {
    let world = RecordedWorld()
    var services = world.services
    services.app = TellingCounter(reducers: reducers, told: told)
    var inspection = try Inspection(CounterRecording.lines, services: services)
    #expect(
      try inspection.exitCode("test t.swift --because counter.count == 7 \(options)") == 0)
    let test = try #require(world.files["t.swift"])
    #expect(test.contains("try TestSession(\(maker))\n"), "\(test)")
    #expect(test.contains("@testable import \(told.modules == nil ? "Counter" : "Parts")\n"))
  }

  @Test(
    "The module of an app that tells none has its name, as SwiftPM and Xcode write it",
    arguments: [("corner-shop", "corner_shop"), ("Läden 2.0", "Läden_2_0"), ("3D", "_D")])
  func moduleNames(_ app: String, _ module: String) throws {
    let world = RecordedWorld()
    var lines = CounterRecording.lines
    lines[0] = lines[0].replacing(#""name":"Counter""#, with: "\"name\":\"\(app)\"")
    var inspection = try Inspection(lines, services: world.services)
    #expect(try inspection.exitCode("end") == 0)
    #expect(try inspection.exitCode("test t.swift") == 0)
    let test = try #require(world.files["t.swift"])
    #expect(test.contains("@testable import \(module)\n"), "\(test)")
  }

  @Test("A test imports the modules of the types in its actions after those of the stores")
  func imports() throws {
    for (option, stores) in [("", "Parts"), ("--import Mine", "Mine"), ("--import Kit", "Kit")] {
      let world = RecordedWorld()
      var services = world.services
      services.app = TellingCounter(
        reducers: .steps, told: AppSource(modules: ["Parts"]), typeModule: "Kit")
      var inspection = try Inspection(CounterRecording.lines, services: services)
      #expect(
        try inspection.exitCode("test t.swift --because counter.count == 7 \(option)") == 0)
      let lines = try #require(world.files["t.swift"]).split(separator: "\n")
      let modules = lines.filter { $0.hasPrefix("@testable") }.map { $0.dropFirst(17) }
      #expect(modules == (stores == "Kit" ? ["Kit"] : [stores[...], "Kit"]), "\(option)")
    }
  }
}

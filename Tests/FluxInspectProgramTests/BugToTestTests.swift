#if os(Linux)
  import Foundation
  import TestFixtures
  import Testing

  /// The whole way from a bug to a test that is kept, with the programs as a user runs them.
  @Suite("From a bug to a test", .waiting)
  struct BugToTestTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // MARK: A race

    private static let stale = "changed(search.answered) && search.answered != search.query"

    @Test("a race: find it, shrink it, try it without, write a test, and keep the recording")
    func race() throws {
      try record("race")
      #expect(
        try inspect("race", "until \(Self.stale)", "where", "shrink \(Self.stale)")
          == ProgramRun(
            0,
            #"""
            8 search/found {"query":"f","words":["flow","flux","fork"]} +Ts
              changed: search
              caused by step 4, by the effect search-f
            #0 8 search/found {"query":"f","words":["flow","flux","fork"]} by the effect search-f at BuggyApps/SearchStore.swift:45 +Ts
            #1 4 search/type {"_0":"f"} at buggy_program/main.swift:30 +Ts
            2 of 6 actions left after 8 runs: 1, 8
            fork 1 contains only these; none can be left out
            it is true at step 2, search/found, before its follow-ups

            """#))
      #expect(
        try inspect("race", "goto 8", "redispatch 8..9 --skip 8")
          == ProgramRun(
            0,
            #"""
            8 search/found {"query":"f","words":["flow","flux","fork"]} +Ts
              changed: search
              caused by step 4, by the effect search-f
            at the end, compared with step 9
            ~ /search/answered: "f" -> "fl"
            - /search/words/2: "fork"

            """#))
      #expect(
        try inspect(
          "race",
          "test RaceTests.swift --because \(Self.stale) --import BuggyApps --stores makeSearchStores"
        )
          == ProgramRun(
            0,
            #"""
            a test of 2 actions written to RaceTests.swift
            it fails until the bug is fixed

            """#))
      try expectThatTestNeedsTheFix("RaceTests.swift")

      // verify passes with the bug: both orders of the answers are legal. A rule of one line sees it.
      #expect(try run(["verify", "race.jsonl"], "race").code == 0)
      try folder.write(
        "rule fresh: never search/found if search.answered != search.query\n", to: "race.rules")
      #expect(
        try checkRules()
          == ProgramRun(
            1,
            #"""
            violated: race.jsonl: 1 of 1 rule, 9 steps

              race.jsonl:9: step 8, search/found
                caused by 4 search/type
                violates rule fresh: never search/found if search.answered != search.query
                next:
                  flux-inspect race.jsonl -g 8
                  flux-inspect race.jsonl -g 8 -e diff
                  flux-inspect race.jsonl -g 8 -e where

            """#,
            errors: "1 log: 1 violated\n"))

      // The fix makes the recording stale. Each message suggests the next command.
      let verified = try run(["verify", "race.jsonl", "--update"], "race", isFixed: true)
      #expect(
        verified
          == ProgramRun(
            1,
            #"""
            diverged: race.jsonl: 1 divergence, 8 steps compared

              race.jsonl:9: step 8, {"type":"search/found","payload":{"query":"f","words":["flow","flux","fork"]}}
                caused by 4 search/type
                after search/found, the store search differs at /search/answered and 1 more place
                  recorded: "f"
                  replayed: "fl"
                next:
                  flux-inspect race.jsonl --app APP -g 8
                  flux-inspect race.jsonl --app APP -g 8 -e diff
                  flux-inspect race.jsonl --app APP -g 8 -e 'blame /search/answered'
                  flux-inspect race.jsonl --app APP -e 'redispatch 8'
              note: 3 steps were dispatched by effects, which do not run in replay: the effects' policies, delays and results were not compared
              note: not updated: the app dispatches follow-ups that differ from the recorded ones, and an update rewrites only states; record it again:
                flux-inspect race.jsonl --app APP -e 'redispatch ..' -e 'save race.new.jsonl' && mv race.new.jsonl race.jsonl

            """#,
            errors: "1 log: 1 diverged\n"))
      try runSuggestion(beginningWith: "flux-inspect race.jsonl", in: verified, "race")
      #expect(try run(["verify", "race.jsonl"], "race", isFixed: true).code == 0)
      #expect(try checkRules().code == 0)
    }

    // MARK: A hidden clock

    @Test("a hidden clock: find it, fix it, update the recording, and write a test")
    func clock() throws {
      try record("clock")
      #expect(
        try run(["verify", "clock.jsonl"], "clock")
          == ProgramRun(
            1,
            #"""
            diverged: clock.jsonl: 1 divergence, 3 steps compared

              clock.jsonl:4: step 3, {"type":"voucher/redeem","payload":{"_0":"summer"}}
                after voucher/redeem, the store voucher differs at /voucher/1/redeemed
                  recorded: "MOMENT"
                  replayed: "MOMENT"
                likely reason: a reducer reads the clock; use step.now, which is the recorded time on replay
                next:
                  flux-inspect clock.jsonl --app APP -g 3
                  flux-inspect clock.jsonl --app APP -g 3 -e diff
                  flux-inspect clock.jsonl --app APP -g 3 -e 'blame /voucher/1/redeemed'
                  flux-inspect clock.jsonl --app APP -e 'redispatch 3'

            """#,
            errors: "1 log: 1 diverged\n"))
      // The recorded times are those of the clock, so the fix leads to others.
      #expect(
        try run(["verify", "clock.jsonl", "--update"], "clock", isFixed: true)
          == ProgramRun(
            0,
            #"""
            passed: clock.jsonl: 3 steps compared
              note: updated: 1 of 3 steps changed

            """#,
            errors: "1 log: 1 passed\n"))
      #expect(
        try inspect(
          "clock", "goto end",
          "test ClockTests.swift --import BuggyApps --stores makeVoucherStores")
          == ProgramRun(
            0,
            #"""
            3 voucher/redeem {"_0":"summer"} +Ts
              changed: voucher
            a test of 3 actions written to ClockTests.swift
            it expects only what step 3 changed: voucher[1].redeemed

            """#,
            errors:
              #"note: with the app as it is now, the test fails: voucher[1].redeemed is "MOMENT""#
              + "\n"))
      try expectThatTestNeedsTheFix("ClockTests.swift")
    }

    // MARK: Programs

    private let program = BuiltProduct.path("buggy-program")

    private func environment(_ bug: String, isFixed: Bool) -> [String: String] {
      ["BUG": bug].merging(isFixed ? ["FIXED": "1"] : [:]) { _, fixed in fixed }
    }

    /// Records a session of an app with its bug.
    private func record(_ bug: String) throws {
      let code = try start(
        program, [folder.path("\(bug).jsonl")], environment(bug, isFixed: false)
      ).code
      #expect(code == 0)
    }

    /// Runs commands on the log of an app.
    private func inspect(_ bug: String, _ commands: String...) throws -> ProgramRun {
      try run(["\(bug).jsonl"] + commands.flatMap { ["-e", $0] }, bug)
    }

    private func checkRules() throws -> ProgramRun {
      var run = try ProgramRun(["rules", "race.rules", "race.jsonl"], in: folder)
      run.output = shown(run.output)
      return run
    }

    private func run(
      _ arguments: [String], _ bug: String, isFixed: Bool = false
    ) throws -> ProgramRun {
      var run = try ProgramRun(
        arguments + ["--app", program], environment: environment(bug, isFixed: isFixed), in: folder)
      (run.output, run.errors) = (shown(run.output), shown(run.errors))
      return run
    }

    /// The text without moments and places of this machine.
    private func shown(_ text: String) -> String {
      text.withoutMeasures.replacing(program, with: "APP")
        .replacing(#/\+\d+\.\d+s/#, with: "+Ts")
        .replacing(#/"\d{4}-\d\d-\d\dT[\d:.]+Z"/#, with: #""MOMENT""#)
    }

    /// Runs the line of a shell that a message suggests.
    private func runSuggestion(
      beginningWith start: String, in run: ProgramRun, _ bug: String
    ) throws {
      let lines = (run.output + run.errors).split(separator: "\n").map {
        $0.drop { $0 == " " }
      }
      let line = try #require(lines.first { $0.hasPrefix(start) && $0.contains("redispatch ..") })
      let script = String(line).replacing("APP", with: program)
        .replacing("flux-inspect ", with: "\(BuiltProduct.path("flux-inspect")) ")
      let (code, messages) = try self.start(
        "/bin/sh", ["-c", script], environment(bug, isFixed: true))
      #expect(code == 0, "\(line): \(messages)")
    }

    private func start(
      _ program: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> (code: Int32, messages: String) {
      let process = Process()
      process.executableURL = URL(filePath: program)
      process.arguments = arguments
      process.currentDirectoryURL = folder.url("")
      process.environment = folder.userFolders.merging(environment) { _, given in given }
      let output = Pipe()
      (process.standardOutput, process.standardError) = (output, output)
      try process.run()
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    // MARK: Written tests

    /// Compiles a written test, and runs it with the bug and with the fix.
    private func expectThatTestNeedsTheFix(_ file: String) throws {
      let runner = try folder.write(
        """
        import Testing

        @main struct Runner {
          static func main() async { await Testing.__swiftPMEntryPoint() as Never }
        }

        """, to: "Runner.swift")
      let tests = folder.path("tests")
      let modules = [
        "BuggyApps", "CChecksum", "CPlatform", "CTokens", "FluxCore", "FluxJSON", "FluxLog",
        "FluxRecorder", "FluxRecordings", "FluxReplay", "FluxRules", "FluxSystem", "FluxTesting",
        "Logging",
      ]
      let (code, messages) = try SwiftCompiler.run(
        ["-parse-as-library", "-Onone", "-o", tests] + SwiftCompiler.imports
          + [runner, folder.path(file)] + SwiftCompiler.objects(of: modules))
      #expect(code == 0 && !messages.contains("warning:"), "\(messages)")
      let (failed, report) = try start(tests, [], [:])
      #expect(failed == 1 && report.contains("with 1 issue"), "\(report)")
      let (passed, remarks) = try start(tests, [], ["FIXED": "1"])
      #expect(
        passed == 0 && remarks.contains("Test run with 1 test in 1 suite passed"), "\(remarks)")
    }
  }
#endif

import Foundation
import TestFixtures
import Testing

@Suite("flux-inspect verify", .waiting)
struct VerifyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(CounterLog.passing, "good.jsonl")
    try folder.log(CounterLog.diverged, "bad.jsonl")
  }

  // MARK: What is compared

  @Test("leaves out what it is told to, allows what numbers may differ in, and replays twice")
  func comparison() throws {
    try folder.log(CounterLog.rounded, "rounded.jsonl")
    try folder.log(CounterLog.drawn, "drawn.jsonl")
    let passed = try folder.verify("bad.jsonl", "--ignore", "/counter/count")
    #expect(passed.code == 0)
    #expect(
      passed.output == """
        passed: bad.jsonl: 2 steps compared
          note: 1 path ignored, with everything inside it: /counter/count

        """)
    #expect(try folder.verify("rounded.jsonl").code == 1)
    #expect(try folder.verify("rounded.jsonl", "--tolerance", "1e-6").code == 0)
    let once = try folder.verify("drawn.jsonl")
    #expect(!once.output.contains("run 2") && once.output.contains("recorded: 77"))
    let twice = try folder.verify("drawn.jsonl", "--twice")
    #expect(
      twice.output.contains(
        "two replays of counter/draw differ in the store counter at /counter/count"),
      "\(twice.output)")
    #expect(twice.code == 1)
  }

  @Test("finds other messages and initial states, and loosens both")
  func loosened() throws {
    try folder.log(CounterLog.reworded, "reworded.jsonl")
    try folder.log(CounterLog.persisted, "persisted.jsonl")
    #expect(
      try folder.verify("reworded.jsonl")
        == ProgramRun(
          1,
          #"""
          diverged: reworded.jsonl: 1 divergence, 2 steps compared

            reworded.jsonl:3: step 2, {"type":"counter/add","payload":{"amount":-3}}
              the store counter refuses counter/add with a different message
                recorded: "too little"
                replayed: "below 0"
              next:
                flux-inspect reworded.jsonl --app HOST -g 2
                flux-inspect reworded.jsonl --app HOST -g 2 -e action
                flux-inspect reworded.jsonl --app HOST -g 2 -e 'state counter'
                flux-inspect reworded.jsonl --app HOST -e 'redispatch 2'

          """#, errors: "1 log: 1 diverged\n"))
    #expect(
      try folder.verify("persisted.jsonl")
        == ProgramRun(
          1,
          """
          diverged: persisted.jsonl: 1 divergence, 1 step compared

            persisted.jsonl:1: at start
              the store counter begins in a different state at /counter/count
                recorded: 7
                replayed: 0
              if the app restores saved states, or the log is a saved fork: --initial ignore
              next:
                flux-inspect persisted.jsonl --app HOST -g start
                flux-inspect persisted.jsonl --app HOST -g start -e 'state counter'

          """, errors: "1 log: 1 diverged\n"))
    #expect(
      try folder.verify(
        "reworded.jsonl", "persisted.jsonl", "--messages", "ignore", "--initial", "ignore"
      )
        == ProgramRun(
          0,
          """
          passed: reworded.jsonl: 2 steps compared
            note: 1 initial state ignored
            note: 1 message ignored
          passed: persisted.jsonl: 1 step compared
            note: 1 initial state ignored

          """, errors: "2 logs: 2 passed\n"))
  }

  @Test("notes a log that was not closed, and fails it if asked to be strict")
  func strict() throws {
    try folder.log(CounterLog.passing.dropLast(), "open.jsonl")
    let note =
      "  note: the log was not closed: its app ended without closing it, or is still recording; its last steps may be "
      + "missing\n"
    #expect(
      try folder.verify("open.jsonl")
        == ProgramRun(
          0, "passed: open.jsonl: 2 steps compared\n" + note, errors: "1 log: 1 passed\n"))
    #expect(
      try folder.verify("good.jsonl", "open.jsonl", "--strict")
        == ProgramRun(
          4,
          "passed: good.jsonl: 2 steps compared\n"
            + "unclosed: open.jsonl: fails with --strict; passed: open.jsonl: 2 steps compared\n"
            + note, errors: "2 logs: 1 passed, 1 unclosed\n"))
  }

  @Test("replayed twice, a reducer that depends on the order of a set shows")
  func orderOfSet() throws {
    try folder.log(CounterLog.shuffled, "shuffled.jsonl")
    var run = try folder.verify("shuffled.jsonl", "--twice")
    let orders = run.output.matches(of: /run [12]: ([0-9]+)/).map(\.output.1)
    #expect(Set(orders).count == 2)
    run.output = run.output.replacing(/(run [12]|replayed): [0-9]+/) { "\($0.output.1): ORDER" }
    #expect(
      run
        == ProgramRun(
          1,
          """
          diverged: shuffled.jsonl: 2 divergences, 2 steps compared

            shuffled.jsonl:3: step 2, {"type":"counter/shuffle"}
              two replays of counter/shuffle differ in the store counter at /counter/count
                run 1: ORDER
                run 2: ORDER
              likely reason: a reducer depends on something that the recording does not contain: the clock, \
          random numbers, the order of a Set, the environment, or a variable outside the store
              next:
                flux-inspect shuffled.jsonl --app HOST -g 2
                flux-inspect shuffled.jsonl --app HOST -g 2 -e diff
                flux-inspect shuffled.jsonl --app HOST -g 2 -e 'blame /counter/count'
                flux-inspect shuffled.jsonl --app HOST -e 'redispatch 2'

            shuffled.jsonl:3: step 2, {"type":"counter/shuffle"}
              after counter/shuffle, the store counter differs at /counter/count
                recorded: 77
                replayed: ORDER
              likely reason: a reducer depends on something that the recording does not contain: the clock, \
          random numbers, the order of a Set, the environment, or a variable outside the store
              next:
                flux-inspect shuffled.jsonl --app HOST -g 2
                flux-inspect shuffled.jsonl --app HOST -g 2 -e diff
                flux-inspect shuffled.jsonl --app HOST -g 2 -e 'blame /counter/count'
                flux-inspect shuffled.jsonl --app HOST -e 'redispatch 2'

          """, errors: "1 log: 1 diverged\n"))
  }

  // MARK: Which logs

  @Test("shards have every log once, in the same way however it is named, and jobs keep the order")
  func shards() throws {
    let names = (1...5).map { "\($0).jsonl" }
    for name in names { try folder.log(CounterLog.passing, name) }
    func logs(_ arguments: String..., named: [String]) throws -> [String] {
      let run = try ProgramRun(
        ["verify"] + named + arguments + ["--app", BuiltProduct.path("CounterHost")], in: folder)
      #expect(run.code == 0)
      return run.output.split(separator: "\n").map { String($0) }.map { line in
        line.replacing("passed: ", with: "").replacing(": 2 steps compared", with: "")
      }
    }
    #expect(try logs("--jobs", "3", named: names) == names)
    #expect(try logs("--shard", "1/2", named: names) == ["1.jsonl", "3.jsonl", "5.jsonl"])
    let second = try logs("--shard", "2/2", named: names)
    #expect(second == ["2.jsonl", "4.jsonl"])
    #expect(try logs("--shard", "2/2", "--jobs", "1", named: names.reversed()) == second)
  }

  @Test("takes no log at all for no pass")
  func empty() throws {
    try FileManager.default.createDirectory(
      at: folder.url("empty"), withIntermediateDirectories: true)
    let missing =
      "no logs\nerror: there is no log to verify: name logs or folders; --allow-empty passes without any\n"
    #expect(try folder.verify("empty") == ProgramRun(5, errors: missing))
    #expect(try folder.verify("empty", "--shard", "1/2") == ProgramRun(5, errors: missing))
    #expect(
      try folder.verify("empty", "--allow-empty", "--tap")
        == ProgramRun(0, "TAP version 14\n1..0\n", errors: "no logs\n"))
  }

  @Test("a shard without logs passes with a note if the corpus has fewer logs than shards")
  func emptyShard() throws {
    #expect(
      try folder.verify("good.jsonl", "--shard", "2/2")
        == ProgramRun(
          0,
          errors: """
            no logs
            note: this shard has no logs, because there are fewer logs than shards; that is a pass

            """))
  }

  // MARK: Apps that fail

  @Test("an app that hangs or leaves costs its log, and says at which step")
  func failures() throws {
    try folder.log(CounterLog.hanging, "hanging.jsonl")
    try folder.log(CounterLog.leaving, "leaving.jsonl")
    // Longer than an app takes to start under the Thread Sanitizer.
    #expect(
      try folder.verify(
        "hanging.jsonl", "leaving.jsonl", "good.jsonl", "--keep-going", "--timeout", "2.5")
        == ProgramRun(
          5,
          """
          failed: hanging.jsonl: HOST: step 2, counter/hang: the app did not answer within 2.5 s and was \
          stopped; allow it more time, or look for a reducer that does not return
          failed: leaving.jsonl: HOST: step 2, counter/exit: the app exited with status 7; run it in a \
          debugger and dispatch the actions up to this step to see why
          passed: good.jsonl: 2 steps compared

          """, errors: "3 logs: 1 passed, 2 failed\n"))
  }

  @Test("a log of another app is one that this app cannot replay")
  func otherApp() throws {
    let lines = [
      #"{"flux":"1.0","log":"t","first":1,"app":{"name":"Shop"},"stores":{"cart":{"initial":[]}}}"#,
      #"{"n":1,"t":0.500000,"action":{"type":"cart/add"},"states":{"cart":["tea"]}}"#,
      #"{"end":{"steps":1,"ok":true}}"#,
    ]
    try folder.log(lines, "shop.jsonl")
    #expect(
      try folder.verify("shop.jsonl")
        == ProgramRun(
          5,
          """
          incompatible: shop.jsonl: the app cannot replay this log
            note: this app is Counter, and the log was recorded by Shop
            error: no store handles "cart/add", the action of step 1; if it was renamed, add an alias to the app's Evolution; \
          if it was removed, drop it there
            warning: the app has no store "cart", so its states are not compared; if it was renamed, add an \
          alias to the app's Evolution; if it was removed, drop it there
            note: the app has a store "counter" that the log does not have; it begins in the state that the app gives it

          """, errors: "1 log: 1 incompatible\n"))
  }

  // MARK: Updates

  @Test("rewrites a log that diverged, where somebody is there to review it, and no other")
  func update() throws {
    let refused = try folder.verify("bad.jsonl", "--update", environment: ["CI": "true"])
    #expect(refused.code == 2)
    #expect(
      refused.errors.hasPrefix(
        "Error: --update is refused because CI is set; run it on your machine"))
    #expect(try folder.verify("bad.jsonl").code == 1)
    try folder.log(CounterLog.leaving, "leaving.jsonl")
    let lines = try folder.text(of: "leaving.jsonl")
    #expect(try folder.verify("leaving.jsonl", "--update").code == 5)
    #expect(try folder.text(of: "leaving.jsonl") == lines)
    // One of its steps: that the other line has a sum now does not count.
    #expect(
      try folder.verify("bad.jsonl", "good.jsonl", "--update")
        == ProgramRun(
          0,
          """
          passed: bad.jsonl: 2 steps compared
            note: updated: 1 of 2 steps changed
          passed: good.jsonl: 2 steps compared

          """, errors: "2 logs: 2 passed\n"))
    #expect(try folder.verify("bad.jsonl").code == 0)
  }

  @Test("a log whose follow-ups changed is not updated, and the advised line records it again")
  func refusedUpdate() throws {
    try folder.log(CounterLog.doubled, "a log.jsonl")
    let before = try folder.text(of: "a log.jsonl")
    let run = try folder.verify("a log.jsonl", "--update")
    #expect(
      run
        == ProgramRun(
          1,
          #"""
          diverged: a log.jsonl: 1 divergence, 3 steps compared

            a log.jsonl:4: step 3, {"type":"counter/add","payload":{"amount":7}}
              caused by 2 counter/double
              step 2, counter/double, dispatches a different follow-up
                recorded: {"action":{"type":"counter/add","payload":{"amount":7}},"target":"counter"}
                replayed: {"action":{"type":"counter/add","payload":{"amount":2}},"target":"counter"}
              next:
                flux-inspect 'a log.jsonl' --app HOST -g 3
                flux-inspect 'a log.jsonl' --app HOST -g 3 -e where
                flux-inspect 'a log.jsonl' --app HOST -g 3 -e action
                flux-inspect 'a log.jsonl' --app HOST -e 'redispatch 2..3'
            note: not updated: the app dispatches follow-ups that differ from the recorded ones, and an update \#
          rewrites only states; record it again:
              flux-inspect 'a log.jsonl' --app HOST -e 'redispatch ..' -e 'save "a log.new.jsonl"' \#
          && mv 'a log.new.jsonl' 'a log.jsonl'

          """#, errors: "1 log: 1 diverged\n"))
    #expect(try folder.text(of: "a log.jsonl") == before)

    let advice = try #require(run.output.split(separator: "\n").last)
      .replacing("HOST", with: BuiltProduct.path("CounterHost"))
      .replacing("flux-inspect ", with: BuiltProduct.path("flux-inspect") + " ")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", String(advice)]
    shell.currentDirectoryURL = folder.url
    shell.environment = folder.userFolders
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(
      try folder.verify("a log.jsonl")
        == ProgramRun(0, "passed: a log.jsonl: 3 steps compared\n", errors: "1 log: 1 passed\n"))
  }

  @Test("an action that the app cannot decode keeps a log from being updated")
  func undecodableUpdate() throws {
    try folder.log(CounterLog.undecodable, "old.jsonl")
    #expect(
      try folder.verify("old.jsonl", "--update")
        == ProgramRun(
          1,
          """
          diverged: old.jsonl: 1 divergence, 2 steps compared

            old.jsonl:3: step 2, {"type":"counter/add"}
              the app can no longer decode counter/add
              likely reason: no amount
              next:
                flux-inspect old.jsonl --app HOST -g 2
                flux-inspect old.jsonl --app HOST -g 2 -e action
                flux-inspect old.jsonl --app HOST -g 2 -e types
            note: not updated: the app cannot decode counter/add: no amount; add an alias \
          or an upcaster to the app's Evolution, or record it again

          """, errors: "1 log: 1 diverged\n"))
  }
}

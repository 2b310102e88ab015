import TestFixtures
import Testing

@Suite("flux-inspect verify")
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
    let passed = ProgramRun(
      0, "passed: bad.jsonl: 2 steps compared\n", errors: "1 log: 1 passed\n")
    #expect(try folder.verify("bad.jsonl", "--ignore", "/counter/count") == passed)
    #expect(try folder.verify("rounded.jsonl").code == 1)
    #expect(try folder.verify("rounded.jsonl", "--tolerance", "1e-6").code == 0)
    let once = try folder.verify("drawn.jsonl")
    #expect(!once.output.contains("2nd run") && once.output.contains("recorded: 77"))
    let twice = try folder.verify("drawn.jsonl", "--twice")
    #expect(
      twice.output.contains("two replays lead the store counter to different states"),
      "\(twice.output)")
    #expect(twice.code == 1)
  }

  @Test("replayed twice, a reducer that depends on the order of a set shows")
  func orderOfSet() throws {
    try folder.log(CounterLog.shuffled, "shuffled.jsonl")
    var run = try folder.verify("shuffled.jsonl", "--twice")
    let orders = run.output.matches(of: /run *: ([0-9]+)/).map(\.output.1)
    #expect(Set(orders).count == 2)
    run.output = run.output.replacing(/(run *|replayed): [0-9]+/) { "\($0.output.1): ORDER" }
    #expect(
      run
        == ProgramRun(
          1,
          """
          diverged: shuffled.jsonl: 2 divergences, 2 steps compared

            shuffled.jsonl:3: step 2, {"type":"counter/shuffle"}
              the store counter comes to another state
              at /counter/count
                recorded: 77
                replayed: ORDER
              likely reason: the store counter does something else at counter/shuffle than when this was recorded
              go on: flux-inspect shuffled.jsonl --app HOST -g 2
                diff
                blame /counter/count
                fork -1

            shuffled.jsonl:3: step 2, {"type":"counter/shuffle"}
              two replays lead the store counter to different states
              at /counter/count
                1st run : ORDER
                2nd run : ORDER
              likely reason: a reducer depends on something that is not recorded: the clock, random numbers, \
          the order of a Set, a variable outside of the store
              go on: flux-inspect shuffled.jsonl --app HOST -g 2
                diff
                blame /counter/count
                fork -1

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
    let missing =
      "no logs\nerror: there was no log to verify; --allow-empty takes that for a pass\n"
    #expect(
      try folder.verify("good.jsonl", "--shard", "2/2") == ProgramRun(5, errors: missing))
    #expect(
      try folder.verify("good.jsonl", "--shard", "2/2", "--allow-empty", "--tap")
        == ProgramRun(0, "TAP version 14\n1..0\n", errors: "no logs\n"))
  }

  // MARK: Apps that fail

  @Test("an app that hangs or leaves costs its log, and says at which step")
  func failures() throws {
    try folder.log(CounterLog.hanging, "hanging.jsonl")
    try folder.log(CounterLog.leaving, "leaving.jsonl")
    #expect(
      try folder.verify(
        "hanging.jsonl", "leaving.jsonl", "good.jsonl", "--keep-going", "--timeout", "0.2")
        == ProgramRun(
          5,
          """
          failed: hanging.jsonl: HOST: step 2, counter/hang: the app did not answer within 0.2 s and was \
          stopped; allow it more time, or look for a reducer that does not end
          failed: leaving.jsonl: HOST: step 2, counter/exit: the app ended with status 7; run it in a \
          debugger and dispatch the actions up to this step to see why
          passed: good.jsonl: 2 steps compared

          """, errors: "3 logs: 1 passed, 2 failed\n"))
  }

  // MARK: Updates

  @Test("rewrites a log that diverged, where somebody is there to review it, and no other")
  func update() throws {
    let refused = try folder.verify("bad.jsonl", "--update", environment: ["CI": "true"])
    #expect(refused.code == 2)
    #expect(
      refused.errors.hasPrefix("Error: --update: CI is set, and nothing is rewritten there; "))
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
            note: rewritten: 1 of 2 steps are other ones than before
          passed: good.jsonl: 2 steps compared

          """, errors: "2 logs: 2 passed\n"))
    #expect(try folder.verify("bad.jsonl").code == 0)
  }
}

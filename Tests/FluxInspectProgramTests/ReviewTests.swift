import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("flux-inspect review", .waiting)
struct ReviewTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(CounterLog.passing, "good.jsonl")
    try folder.log(CounterLog.diverged, "one.jsonl")
    try folder.log(CounterLog.diverged, "two.jsonl")
    try folder.log(CounterLog.doubled, "chain.jsonl")
  }

  private func review(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> ProgramRun {
    var run = try ProgramRun(
      ["review"] + arguments + ["--app", BuiltProduct.path("CounterHost")],
      environment: environment, in: folder)
    run.output = run.output.withoutMeasures
    run.errors = run.errors.withoutMeasures
    return run
  }

  @Test(
    "says so if the list cannot be written",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDevice() throws {
    let run = try ProgramRun(
      ["review", "one.jsonl", "--list", "--app", BuiltProduct.path("CounterHost")],
      through: ["/bin/sh", "-c", "exec \"$0\" \"$@\" >/dev/full"], in: folder)
    #expect(run == ProgramRun(3, errors: "error: cannot write: No space left on device\n"))
  }

  @Test(
    "keeps a log that cannot be rewritten, and says why",
    .disabled(if: ProgramRun.isSanitized, "the sanitizer writes a larger file"))
  func fullDisk() throws {
    let before = try folder.bytes(of: "one.jsonl")
    let run = try ProgramRun(
      ["review", "one.jsonl", "--accept", "1", "--app", BuiltProduct.path("CounterHost")],
      through: [
        "/bin/sh", "-c", "{ (ulimit -f 0; exec \"$0\" \"$@\"); echo $?; } 2>&1 | cat",
      ], in: folder)
    #expect(
      run.output.withoutMeasures == """
        failed: one.jsonl: cannot write: File too large
        1 log: 1 diverged
        1

        """)
    #expect(try folder.bytes(of: "one.jsonl") == before)
    #expect(
      try folder.names() == [
        "chain.jsonl", "errors", "good.jsonl", "input", "one.jsonl", "output", "two.jsonl",
      ])
  }

  @Test("lists the logs that diverge in the same way as a group")
  func list() throws {
    #expect(
      try review("good.jsonl", "chain.jsonl", "one.jsonl", "two.jsonl", "--list")
        == ProgramRun(
          1,
          """
          1  2 logs: /counter/count differs after counter/add
               one.jsonl
               two.jsonl
          2  1 log: a different follow-up replaces counter/add
               chain.jsonl

          """, errors: "4 logs: 1 passed, 3 diverged\n"))
    #expect(
      try review("one.jsonl", "two.jsonl", "--list", "--format", "ndjson").output == #"""
        {"group":1,"kind":"different","store":"counter","path":"/counter/count","action":"counter/add","count":2,"logs":["one.jsonl","two.jsonl"],"example":{"log":"one.jsonl","step":2,"recorded":6,"replayed":5}}

        """#)
    #expect(
      try review("one.jsonl", "--list", "--format", "json").output == #"""
        {
          "groups": [
            {
              "group": 1,
              "kind": "different",
              "store": "counter",
              "path": "/counter/count",
              "action": "counter/add",
              "count": 1,
              "logs": [
                "one.jsonl"
              ],
              "example": {
                "log": "one.jsonl",
                "step": 2,
                "recorded": 6,
                "replayed": 5
              }
            }
          ],
          "summary": "1 log: 1 diverged"
        }

        """#)
    #expect(
      try review("good.jsonl", "--list") == ProgramRun(0, errors: "1 log: 1 passed\n"))
  }

  @Test("writes the bytes of verify --update for an accepted group, and nothing for others")
  func accepts() throws {
    try folder.log(CounterLog.diverged, "updated.jsonl")
    _ = try folder.verify("updated.jsonl", "--update")
    let expected = try folder.bytes(of: "updated.jsonl")
    let two = try folder.bytes(of: "two.jsonl")
    #expect(
      try review("one.jsonl", "--accept", "1")
        == ProgramRun(
          0, "rewritten: one.jsonl: 1 of 2 steps changed\n",
          errors: "1 log: 1 diverged; 1 rewritten\n"))
    #expect(try folder.bytes(of: "one.jsonl") == expected)
    #expect(
      try review("two.jsonl", "--reject", "1")
        == ProgramRun(1, "rejected: two.jsonl\n", errors: "1 log: 1 diverged\n"))
    #expect(
      try review("two.jsonl", "--accept", "2")
        == ProgramRun(
          2,
          errors: "error: there is no group 2\nhint: --list shows the groups and their numbers\n"))
    #expect(try review("two.jsonl", "--accept", "1", environment: ["CI": "1"]).code == 2)
    #expect(try review("two.jsonl", "--list", environment: ["CI": "1"]).code == 1)
    #expect(
      try review("two.jsonl")
        == ProgramRun(
          2,
          errors: """
            error: this needs a terminal
            hint: --list shows the groups; decide with --accept GROUP and --reject GROUP

            """))
    #expect(try folder.bytes(of: "two.jsonl") == two)
  }

  @Test("rewrites a log only if it is accepted in all its groups")
  func unit() throws {
    // It begins at 7 instead of 0, and adds 3 to 2 wrongly.
    try folder.log(
      CounterLog.diverged.map {
        $0.replacing(#""initial":{"count":0}"#, with: #""initial":{"count":7}"#)
      },
      "both.jsonl")
    let before = try folder.bytes(of: "both.jsonl")
    let list = try review("both.jsonl", "--list").output
    #expect(
      list == """
        1  1 log: /counter/count differs at the start
             both.jsonl
        2  1 log: /counter/count differs after counter/add
             both.jsonl

        """)
    #expect(
      try review("both.jsonl", "--accept", "1", "--format", "ndjson")
        == ProgramRun(
          1, #"{"log":"both.jsonl","result":"undecided"}"# + "\n", errors: "1 log: 1 diverged\n"))
    #expect(
      try review("both.jsonl", "--accept", "1").output
        == "undecided: both.jsonl: not accepted in group 2\n")
    #expect(try folder.bytes(of: "both.jsonl") == before)
    #expect(try review("both.jsonl", "--accept", "1", "--accept", "2").code == 0)
    #expect(try folder.verify("both.jsonl").code == 0)
  }

  @Test("records a log again if the app dispatches other follow-ups")
  func chain() throws {
    #expect(
      try review("chain.jsonl", "--accept", "1", "--format", "ndjson")
        == ProgramRun(
          0, #"{"log":"chain.jsonl","result":"recorded again","steps":3}"# + "\n",
          errors: "1 log: 1 diverged; 1 rewritten\n"))
    #expect(try folder.verify("chain.jsonl").code == 0)
    #expect(
      try folder.text(of: "chain.jsonl").contains(
        #""payload":{"amount":2}},"target":"counter","cause":2"#))
    #expect(try folder.names().filter { $0.contains("chain") } == ["chain.jsonl"])
  }

  @Test("says what it cannot review")
  func failures() throws {
    try folder.write("no log\n", to: "bad.jsonl")
    let run = try review("bad.jsonl", "one.jsonl", "--accept", "1")
    #expect(run.code == 4)
    #expect(run.output == "rewritten: one.jsonl: 1 of 2 steps changed\n")
    #expect(run.errors.hasPrefix("unreadable: bad.jsonl:"))
    #expect(try review("--list").code == 5)
    #expect(
      try review("one.jsonl", "--list", "--accept", "1").errors.hasPrefix(
        "Error: --list only lists the groups; leave it out to accept or reject them"))
  }

  // MARK: At a terminal

  private func terminal(_ logs: String...) throws -> Terminal {
    let terminal = try Terminal(
      [BuiltProduct.path("flux-inspect"), "review"] + logs.map(folder.path) + [
        "--app", BuiltProduct.path("CounterHost"), "--color", "never", "--no-pager",
      ], environment: folder.userFolders, columns: 160, rows: 40)
    return terminal
  }

  private static let keys = "[a,r,s,o,d,n,p,A,R,S,N,P,q,?]"

  @Test("asks about each log, and rewrites the accepted ones at the end")
  func keys() throws {
    let (one, two) = (folder.path("one.jsonl"), folder.path("two.jsonl"))
    let before = try folder.files()
    let terminal = try terminal("one.jsonl", "two.jsonl", "good.jsonl")
    try terminal.wait(forLine: "1/2 \(one) \(Self.keys)")
    #expect(
      terminal.screen.text.contains(
        "/counter/count differs after counter/add  (group 1 of 1, log 1 of 2)"))
    #expect(terminal.screen.text.contains("    recorded: 6\n    replayed: 5\n"))
    try terminal.type("d")
    try terminal.wait(for: "~ /counter/count: 6 -> 5")
    try terminal.wait(forLine: "1/2 \(one) \(Self.keys)")
    try terminal.type("a")
    try terminal.wait(forLine: "2/2 \(two) \(Self.keys)")
    try terminal.type("p")
    try terminal.wait(forLine: "1/2 \(one), accepted \(Self.keys)")
    try terminal.type("n")
    try terminal.wait(forLine: "2/2 \(two) \(Self.keys)")
    try terminal.type("n")
    try terminal.wait(for: "this is the last one")
    try terminal.type("x")
    try terminal.wait(for: "? lists the keys")
    try terminal.type("?")
    try terminal.wait(for: "A, R, S  decide for all logs of the group")
    // Nothing is written before the end.
    #expect(try folder.files()["one.jsonl"] == before["one.jsonl"])
    try terminal.type("r")
    try terminal.wait(for: "2 logs: 1 accepted, 1 rejected; q ends the review")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .code(1))
    terminal.expectReturned()
    #expect(
      terminal.screen.text.contains("rewritten: \(one): 1 of 2 steps changed\nrejected: \(two)\n"))
    #expect(try folder.verify("one.jsonl").code == 0)
    #expect(try folder.files()["two.jsonl"] == before["two.jsonl"])
  }

  @Test("a capital decides for the group, and Ctrl-C rewrites nothing")
  func group() throws {
    let before = try folder.files()
    let one = folder.path("one.jsonl")
    var terminal = try terminal("one.jsonl", "two.jsonl")
    try terminal.wait(forLine: "1/2 \(one) \(Self.keys)")
    try terminal.type("A")
    try terminal.wait(for: "2 logs: 2 accepted; q ends the review")
    try terminal.type("\u{3}")
    #expect(try terminal.waitForEnd() == .code(130))
    #expect(terminal.screen.text.contains("note: the review was interrupted; no log is rewritten"))
    #expect(try folder.files() == before)
    terminal = try self.terminal("one.jsonl", "two.jsonl")
    try terminal.wait(forLine: "1/2 \(one) \(Self.keys)")
    try terminal.type("Aq")
    #expect(try terminal.waitForEnd() == .code(0))
    terminal.expectReturned()
  }

  @Test("opens the log in a session, and comes back")
  func session() throws {
    let one = folder.path("one.jsonl")
    let terminal = try terminal("one.jsonl")
    try terminal.wait(forLine: "1/1 \(one) \(Self.keys)")
    try terminal.type("o")
    try terminal.wait(forLine: "(Counter 2/2 counter/add)")
    try terminal.type("quit\n")
    try terminal.wait(forLine: "1/1 \(one) \(Self.keys)")
    try terminal.type("sq")
    #expect(try terminal.waitForEnd() == .code(1))
    #expect(terminal.screen.text.contains("skipped: \(one)\n"))
    terminal.expectReturned()
  }

  @Test("does not rewrite a file that changed during the review")
  func changed() throws {
    let one = folder.path("one.jsonl")
    let terminal = try terminal("one.jsonl")
    try terminal.wait(forLine: "1/1 \(one) \(Self.keys)")
    try folder.log(CounterLog.passing + ["{}"], "one.jsonl")
    let changed = try folder.bytes(of: "one.jsonl")
    try terminal.type("aq")
    #expect(try terminal.waitForEnd() == .code(1))
    #expect(
      terminal.screen.text.contains(
        "failed: \(one): the file changed during the review, and stays as it is"))
    #expect(try folder.bytes(of: "one.jsonl") == changed)
  }
}

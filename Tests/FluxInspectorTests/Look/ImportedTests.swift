import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxInspector

/// A log that was imported without states: no command says that a step changed nothing.
@Suite struct ImportedTests {
  private static let lines = [
    #"{"flux":"1.1","stores":{"a":{"initial":{"v":0}},"b":{"initial":0}}}"#,
    #"{"gap":{"from":1,"to":0,"why":"imported"}}"#,
    #"{"n":1,"t":1,"action":{"type":"add"}}"#,
    #"{"n":2,"t":2,"action":{"type":"add"},"states":{"a":{"v":1}}}"#,
    #"{"n":3,"t":3,"action":{"type":"no"},"rejected":{"reason":"refused","message":"no"}}"#,
    #"{"end":{"steps":3,"ok":true}}"#,
  ]

  private static let hint =
    "hint: the nearest known states are those of step 0; with --app, a replay rebuilds it\n"
  private static let unjudged =
    "cannot be judged: a state that decides is unknown there\n"

  @Test(
    "Each command says what was not recorded",
    arguments: [
      (
        "list",
        "  -- the states from step 1 on are not in the log: imported\n"
          + "> 1 add +1s  not recorded\n  2 add +2s  a, b (not recorded)\n"
          + "  3 no +3s  rejected: refused: no\n"
      ),
      ("goto 1", "1 add +1s\n  changed: not recorded\n"),
      ("step", "2 add +2s\n  changed: a, b (not recorded)\n"),
      ("diff", "from step 0 to step 1\na: not recorded\nb: not recorded\n"),
      ("diff --store b", "from step 0 to step 1\nb: not recorded\n"),
      (
        "print changed(b)",
        "error: the state of b is unknown at step 1: the file that was imported had no states from step 1 on\n"
          + hint
      ),
      ("find changed(b)", "no step matches\n2 steps \(unjudged)"),
      ("count changed(b)", "0\n2 steps \(unjudged)"),
      ("count changed(a.v)", "1\n1 step \(unjudged)"),
    ])
  func table(_ command: String, _ expected: String) throws {
    var inspection = try Inspection(Self.lines)
    #expect(inspection.stops(["goto 1"]) == [1])
    let text = try inspection.text(command)
    #expect(text == expected)
  }

  @Test("A watchpoint and changed() cannot judge the same steps")
  func watch() throws {
    var inspection = try Inspection(Self.lines)
    _ = try inspection.text("watch b")
    #expect(try inspection.text("continue").hasSuffix("note: 2 steps \(Self.unjudged)"))
  }

  @Test("JSON names the stores in each result that lists changes")
  func json() throws {
    var inspection = try Inspection(Self.lines)
    #expect(
      try inspection.json("goto 2") == #"""
        {"command":"goto 2","ok":true,"position":2,"result":{"step":2,"t":2,"action":{"type":"add"},"changed":["a"],"notRecorded":["b"],"stopped":"goto"}}

        """#)
    #expect(
      try inspection.json("list 1..1") == #"""
        {"command":"list 1..1","ok":true,"position":2,"result":{"steps":[{"n":1,"t":1,"type":"add","changed":[],"notRecorded":["a","b"]}]}}

        """#)
    #expect(inspection.stops(["goto 1"]) == [1])
    #expect(
      try inspection.json("diff") == #"""
        {"command":"diff","ok":true,"position":1,"result":{"from":0,"to":1,"afterGap":true,"notRecorded":["a","b"],"changes":[]}}

        """#)
  }
}

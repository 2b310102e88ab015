import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

/// Steps whose states the recorder left out: no command shows an older state for the newer one.
@Suite struct UnwrittenTests {
  /// `a.v` is 1, not written, not written, 4, 4, not written, and 4 again.
  static let lines = [
    #"{"flux":"1.1","log":"l","stores":{"a":{"initial":{"v":0,"w":0}},"b":{"initial":0}}}"#,
    #"{"n":1,"t":1,"action":{"type":"go"},"states":{"a":{"v":1,"w":0}}}"#,
    #"{"n":2,"t":2,"action":{"type":"go"},"states":{"b":1},"unwritten":["a"]}"#,
    #"{"n":3,"t":3,"action":{"type":"go"},"unwritten":["a"]}"#,
    #"{"n":4,"t":4,"action":{"type":"go"},"patches":{"a":[{"op":"replace","path":"/v","value":4}]}}"#,
    #"{"n":5,"t":5,"action":{"type":"on"},"states":{"b":2}}"#,
    #"{"n":6,"t":6,"action":{"type":"go"},"unwritten":["a"]}"#,
    #"{"n":7,"t":7,"action":{"type":"go"},"patches":{"a":[]}}"#,
    #"{"end":{"steps":7,"ok":true}}"#,
  ]

  private static let unknown =
    "is not written at step 3: the recorder was behind\n"
    + "hint: the nearest known states are those of steps 1 and 4; with --app, a replay rebuilds it\n"

  @Test(
    "Each command says at an unwritten step what is not written",
    arguments: [
      ("list 2..4", "  2 go +2s  b, a (not written)\n> 3 go +3s  a (not written)\n  4 go +4s  a\n"),
      ("goto 2", "2 go +2s\n  changed: b, a (not written)\n"),
      ("state", "error: the state of a \(unknown)"),
      ("state a", "error: the state of a \(unknown)"),
      ("state b", "1\n"),
      ("print a.v", "error: the state of a \(unknown)"),
      ("print b", "1\n"),
      ("print $.before.a.v", "1\n"),
      ("stores", "a, not written here\nb, 1 byte\n"),
      ("diff", "from step 2 to step 3\na changed; its new state is not written here\n"),
      ("diff --stat", "from step 2 to step 3\na changed; its new state is not written here\n"),
      ("diff 1", "error: the state of a \(unknown)"),
      ("diff 1 --store b", "from step 1 to step 3\n~ /b: 0 -> 1\n"),
      (
        "blame a.v",
        "1 go = 1\n"
          + "note: a: the states after step 1 are not in the log, and a step after it may have written the value\n"
      ),
      ("history a.w", "0 initial = 0\n"),
    ])
  func table(_ command: String, _ expected: String) throws {
    var inspection = try Inspection(Self.lines)
    #expect(inspection.stops(["goto 3"]) == [3])
    let text = try inspection.text(command)
    #expect(text == expected)
  }

  @Test("Facts and searches count the steps whose states are not written")
  func counted() throws {
    var inspection = try Inspection(Self.lines)
    let info = try inspection.text("info")
    #expect(
      info.contains(
        "warning: 3 steps changed states that are not written: the recorder was behind; actions are complete"
      ))
    let count = try inspection.json("count a.v == 4")
    #expect(count.contains(#""result":{"count":3,"unknown":3}"#))
    let diff = try inspection.json("goto 3") + inspection.json("diff")
    #expect(diff.contains(#""result":{"from":2,"to":3,"unwritten":["a"],"changes":[]}"#))
  }

  @Test("What follows unwritten states is compared with the last written one, and says so")
  func after() throws {
    var inspection = try Inspection(Self.lines)
    #expect(inspection.stops(["goto 4"]) == [4])
    let fourth = try inspection.text("diff")
    #expect(
      fourth == """
        from step 3 to step 4
        ~ /a/v: 1 -> 4
        note: a is compared with step 1: its states between the two are not written

        """)
    #expect(inspection.stops(["goto 7"]) == [7])
    let seventh = try inspection.text("diff")
    #expect(
      seventh == """
        from step 6 to step 7: nothing differs
        note: a is compared with step 5: its states between the two are not written

        """)
    #expect(try inspection.text("print a.v") == "4\n")
  }

  @Test("A watchpoint stops where the value is known again")
  func watch() throws {
    var inspection = try Inspection(Self.lines)
    _ = inspection.console.run("watch a.v")
    #expect(inspection.stops(["continue", "continue"]) == [1, 4])
  }

  @Test("Every export tells which states it does not have", arguments: ["csv", "redux"])
  func export(_ format: String) throws {
    let world = RecordedWorld()
    var inspection = try Inspection(Self.lines, world: world)
    let reply = try inspection.text("export \(format) out 2..4")
    #expect(
      reply == """
        3 steps exported to out
        note: 2 steps changed states that the log does not have: the recorder was behind

        """)
    let file = try #require(world.files["out"])
    guard format == "csv" else {
      #expect(
        file.contains(
          #""computedStates":[{"state":{"a":{"v":1,"w":0},"b":0}},{"state":{"b":1}},{"state":{"b":1}},"#
            + #"{"state":{"a":{"v":4,"w":0},"b":1}}]"#))
      #expect(file.contains(#""unwritten":["a"],"unknown":["a"]}"#))
      return
    }
    #expect(file.contains("go,,,,,,,\"b, a (not written)\"\r\n"))
    #expect(file.contains("go,,,,,,,a (not written)\r\n"))
  }
}

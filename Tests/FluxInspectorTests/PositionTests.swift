import FluxLog
import Testing

@testable import FluxInspector

@Suite struct PositionTests {
  @Test(
    "Every form of a position leads to its step, from step 3",
    arguments: [
      ("42%", 3), ("50%", 4), ("100%", 8), ("0%", 0), ("12.5%", 1), ("99.999999%", 7),
      ("0", 0), ("1", 1), ("8", 8), ("+2", 5), ("-2", 1), ("+99", 8), ("-99", 0), ("+0", 3),
      ("start", 0), ("end", 8),
      ("@0", 0), ("@0.49", 0), ("@0.5", 1), ("@1.2499", 2), ("@4.75", 7), ("@1000", 8),
      ("@12:00:00", 0), ("@12:00:03", 5), ("@12:00:04.6", 6), ("@12:01", 8), ("@11:59:59", 0),
      ("+99999999999999999999", 8), ("-99999999999999999999", 0), ("@99999999999999999999.5", 8),
      ("todo/add#1", 1), ("todo/add#3", 4), ("todo/*#4", 4), ("*#8", 8), ("s?arch/*#2", 7),
    ] as [(String, UInt64)])
  func forms(position: String, number: UInt64) throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 3", "goto \(position)"]) == [3, number])
  }

  @Test(
    "A text that is no position is a usage error",
    arguments: [
      "", "x", "1.5", "+", "-", "%", "@", "@1:2:3:4", "@24:00", "@12:60", "@1.2.3", "#1", "a#0",
      "a#x", "$", "$a b", "5-",
    ])
  func nonsense(text: String) throws {
    #expect(Position(text) == nil)
    var inspection = try Inspection()
    #expect(try inspection.exitCode("goto '\(text)'") == 2)
  }

  @Test(
    "A position outside of the log is an error that says what there is",
    arguments: [
      ("9", "there is no step 9; the log has steps 1 to 8"),
      ("18446744073709551615", "there is no step 18446744073709551615; the log has steps 1 to 8"),
      (
        "99999999999999999999",
        "there is no step 99999999999999999999; the log has steps 1 to 8"
      ),
      ("99999999999999999999.0%", "a position cannot be beyond 100%"),
      (
        "todo/add#99999999999999999999",
        "the number after todo/add# is too large: the log has 3 such actions"
      ),
      ("101%", "a position cannot be beyond 100%"),
      ("todo/add#4", "there is no todo/add#4: the log has 3 such actions"),
      ("todo/saved#2", "there is no todo/saved#2: the log has 1 such action"),
      (
        "todo/ad#1",
        "there is no todo/ad#1: the log has 0 such actions\nhint: did you mean todo/add?"
      ),
      ("$here", "no bookmark $here"),
    ])
  func outside(position: String, message: String) throws {
    var inspection = try Inspection()
    #expect(try inspection.text("goto \(position)") == "error: \(message)\n")
    #expect(try inspection.exitCode("goto \(position)") == 3)
    #expect(inspection.session.stepNumber == 0)
  }

  @Test("A relative move is cut off at the ends, and says after how many steps")
  func clamped() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.transcript(
        "goto +9", "goto -99999999999999999999", "step 99999999999999999999")
          == """
          > goto +9
          the end of the log
          8 todo/clear +10s
            changed: todos, search
          note: stopped at the end, after 8 of 9 steps
          > goto -99999999999999999999
          0 start: the state before the first step
          note: stopped at the start, after 8 steps
          > step 99999999999999999999
          the end of the log
          8 todo/clear +10s
            changed: todos, search
          note: stopped at the end, after 8 steps

          """)
  }

  @Test("A number in a gap leads to the last known step before it, with a note")
  func gap() throws {
    var inspection = try Inspection(TodoLog.withGap)
    #expect(
      try inspection.text("goto 4") == """
        2 todo/saved {"id":1} +1s
          changed: nothing
          caused by step 1, by the effect save
        note: steps 3 to 4 are not in the log: paused; this is step 2

        """)
    #expect(inspection.stops(["goto 50%", "goto +1"]) == [5, 6])
  }

  @Test(
    "A range that begins in a gap has no step before the gap",
    arguments: [("3..5", 1), ("4..", 4), ("2..4", 1), ("3..4", 0), ("3", 0), ("0..3", 2)])
  func rangeInGap(range: String, count: Int) throws {
    var inspection = try Inspection(TodoLog.withGap)
    let note = count == 0 ? "note: steps 3 to 4 are not in the log: paused\n" : ""
    #expect(try inspection.text("count * in \(range)") == "\(count)\n\(note)")
    #expect(try inspection.text("find * in \(range)").hasSuffix(note))
  }

  @Test("A number whose line is damaged is an error of its own")
  func damage() throws {
    var inspection = try Inspection(TodoLog.withDamage)
    #expect(try inspection.exitCode("goto 3") == 4)
    #expect(
      try inspection.text("goto 3").hasPrefix("error: step 3 "))
  }

  @Test("The clock is that of the recording's zone, and goes past midnight where the log does")
  func clock() throws {
    let header = TodoLog.header.replacing(
      "2026-11-20T12:00:00.000000Z", with: "2026-11-20T23:59:58+02:00")
    var inspection = try Inspection([header] + TodoLog.steps)
    #expect(
      inspection.stops(["goto @23:59:59", "goto @00:00", "goto @0:00:03", "goto @0:00:08"])
        == [2, 4, 7, 8])
    // Later than the recording on no day: it began after that.
    #expect(inspection.stops(["goto @12:00"]) == [0])
  }

  @Test("A log that begins with step 0 has -1 before it")
  func zero() throws {
    var inspection = try Inspection([
      #"{"flux":"1.0","first":0,"stores":{"a":{"initial":1}}}"#,
      #"{"n":0,"t":0,"action":{"type":"x"},"states":{"a":2}}"#,
    ])
    #expect(
      try inspection.json("start") == #"""
        {"command":"start","ok":true,"position":-1,"result":{"step":-1,"changed":[],"stopped":"start"}}

        """#)
    #expect(inspection.stops(["goto 0", "start", "step"]) == [0, nil, 0])
  }

  @Test("A log without a step has a start, and that is its end")
  func empty() throws {
    var inspection = try Inspection([TodoLog.header])
    #expect(
      inspection.stops(["step", "end", "next", "goto 100%", "goto @5", "goto 0"])
        == [0, 0, 0, 0, 0, 0])
    #expect(
      try inspection.text("goto 1") == """
        error: there is no step 1; the log has none

        """)
  }

  @Test(
    "Ranges hold both their ends, and either may be missing",
    arguments: [
      ("2..4", 1..<4), ("..3", 0..<3), ("6..", 5..<8), ("..", 0..<8), ("5", 4..<5),
      ("-1..+1", 1..<4), ("@1..@3", 1..<5), ("start..end", 0..<8), ("todo/add#2..100%", 2..<8),
    ])
  func ranges(text: String, positions: Range<Int>) throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(try inspection.session.resolve(PositionRange(text)) == positions)
  }

  @Test("A range that ends before it begins is an error; half a range is none")
  func wrongRanges() throws {
    let inspection = try Inspection()
    #expect(
      throws: CommandError(
        .badPosition, "the range ends at step 2, before it begins at step 5")
    ) { try inspection.session.resolve(PositionRange("5..2")) }
    #expect(PositionRange("a..b") == nil)
    #expect(PositionRange("1...2") == nil)
  }
}

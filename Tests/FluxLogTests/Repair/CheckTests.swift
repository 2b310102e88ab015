import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct CheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ lines: [String]) throws -> [String] {
    let text = lines.map(SampleLog.summed).joined()
    let path = try folder.write(text.utf8, to: "log.jsonl")
    return try Timeline(try LogFile.opened(path)).check().map(\.json.text)
  }

  @Test("A sound log has no findings")
  func sound() throws {
    #expect(try check(SoundLog.lines) == [])
  }

  @Test("Every rule about states has its finding, with line, step, byte and kind")
  func states() throws {
    let found = try check([
      #"{"flux":"1.0","stores":{"a":{"initial":[]},"c":{"feature":true}}}"#,
      #"{"n":1,"t":1.000000,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/9","value":1}]}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":[{"op":"remove","path":"/0"}]}}"#,
      #"{"n":3,"t":1.000000,"action":{"type":"x"},"removed":["c"]}"#,
      #"{"n":4,"t":1.000000,"action":{"type":"x"},"patches":{"c":[]}}"#,
      #"{"n":5,"t":1.000000,"action":{"type":"x"},"states":{"a":1},"rejected":{"reason":"no"}}"#,
      #"{"n":6,"t":0.500000,"action":{"type":"x"},"cause":6}"#,
      #"{"n":7,"t":1.000000,"action":{"type":"x"},"states":{"a":{"b":1,"b":2}}}"#,
      #"{"end":{"steps":7,"ok":true}}"#,
    ])
    #expect(
      found == [
        #"{"line":2,"step":1,"byte":57,"kind":"patch","message":"the patch for the store a does not apply: operation 0 (add \"/9\"): the document has 0 elements, and none at \"9\" (pointer \"/9\")"}"#,
        #"{"line":4,"step":3,"byte":52,"kind":"removed","message":"the feature c is removed, but was not present"}"#,
        #"{"line":5,"step":4,"byte":57,"kind":"patch","message":"the patch for the store c does not apply: the store has no state before this step"}"#,
        #"{"line":6,"step":5,"byte":51,"kind":"rejected","message":"the step is rejected, but has \"states\"; a rejected step changes no store"}"#,
        #"{"line":7,"step":6,"byte":0,"kind":"time","message":"the step's time is 0.500000, but the previous step's time is 1.000000"}"#,
        #"{"line":7,"step":6,"byte":0,"kind":"cause","message":"step 6 names step 6 as its cause; a cause has to be an earlier step"}"#,
        #"{"line":8,"step":7,"byte":0,"kind":"duplicate","message":"an object has two members with the same name; the last one is used"}"#,
      ])
  }

  @Test("A patch is tried on the state of the store whose name has the same bytes")
  func canonicallyEqualNames() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let found = try check([
      #"{"flux":"1.0","stores":{"\#(composed)":{},"\#(decomposed)":{}}}"#,
      #"{"n":1,"t":1.000000,"action":{"type":"x"},"states":{"\#(decomposed)":{"b":1},"\#(composed)":{"a":1}}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"\#(decomposed)":[{"op":"replace","path":"/a","value":2}]}}"#,
      #"{"end":{"steps":2,"ok":true}}"#,
    ])
    #expect(
      found == [
        #"{"line":3,"step":2,"byte":62,"kind":"patch","message":"the patch for the store \#(decomposed) does not apply: operation 0 (replace \"/a\"): the document has no member \"a\" (pointer \"/a\")"}"#
      ])
  }

  @Test("Lines without a sum among lines with one are a warning, wherever they are")
  func missingSums() throws {
    let summed = SoundLog.lines.map(SampleLog.summed)
    func check(_ edit: (inout [String]) -> Void) throws -> [String] {
      var lines = summed
      edit(&lines)
      let path = try folder.write(lines.joined().utf8, to: "edited.jsonl")
      let log = try LogFile.opened(path)
      #expect(!log.findings.contains { $0.problem.isDamage })
      return try Timeline(log).check().map(\.json.text)
    }
    func finding(_ line: Int, _ lines: String) -> [String] {
      [
        #"{"line":\#(line),"byte":0,"kind":"no-sum","message":"\#(lines) no checksum, although others have one: edited, or added after the recording"}"#
      ]
    }
    let plain = SoundLog.lines.map { $0 + "\n" }
    #expect(try check { _ in } == [])
    #expect(try check { $0 = plain } == [])
    #expect(try check { $0[3] = plain[3] } == finding(4, "the line has"))
    #expect(
      try check { ($0[3], $0[6], $0[11]) = (plain[3], plain[6], plain[11]) }
        == finding(4, "3 lines, of which this is the first, have"))
    #expect(try check { $0[0] = plain[0] } == finding(1, "the line has"))
    // A repair of a log by hand adds lines with a sum.
    #expect(
      try check { lines in
        lines = plain
        lines[5] = summed[5]
      } == [])
  }

  private static let effects = [
    #"{"flux":"1.1","first":5,"effects":true}"#,
    #"{"n":5,"t":1.000000,"action":{"type":"x"},"effects":{"a":["save"],"b":["-load","+-x"]}}"#,
    #"{"n":6,"t":1.000000,"action":{"type":"x"},"cause":5,"effect":"save"}"#,
    #"{"n":7,"t":1.000000,"action":{"type":"x"},"cause":5,"effect":"-x"}"#,
    #"{"n":8,"t":1.000000,"action":{"type":"x"},"cause":4,"effect":"save"}"#,
    #"{"gap":{"from":9,"to":9,"why":"paused"}}"#,
    #"{"n":10,"t":1.000000,"action":{"type":"x"},"cause":9,"effect":"save"}"#,
    #"{"n":11,"t":1.000000,"action":{"type":"x"},"effect":"save"}"#,
    #"{"end":{"steps":6,"ok":true}}"#,
  ]

  @Test("An effect whose cause started it, or whose cause is not in the file, has no finding")
  func effects() throws {
    #expect(try check(Self.effects) == [])
  }

  @Test(
    "An effect that its cause did not start is a finding, if the log records effects",
    arguments: [
      (1, #""save""#, #""load""#, "save", 6, 3),
      (1, #""save""#, #""-save""#, "save", 6, 3),
      (1, #""save""#, #""saves""#, "save", 6, 3),
      (1, #""+-x""#, #""-x""#, "-x", 7, 4),
      (1, #"}}"#, #"},"rejected":{"reason":"no"}}"#, "", 5, 2),
      (2, #""effect":"save""#, #""effect":"load""#, "load", 6, 3),
      (4, #""cause":4"#, #""cause":7"#, "save", 8, 5),
    ])
  func tamperedEffects(
    place: Int, old: String, new: String, name: String, step: Int, line: Int
  ) throws {
    var lines = Self.effects
    lines[place] = lines[place].replacing(old, with: new)
    let cause = place == 4 ? 7 : 5
    let expected =
      name.isEmpty
      ? #"{"line":2,"step":5,"byte":0,"kind":"effects","message":"the step is rejected, but has \"effects\"; a rejected step starts and cancels no effect"}"#
      : #"{"line":\#(line),"step":\#(step),"byte":61,"kind":"effects","message":"the step comes from the effect \#(name) of step \#(cause), but the \"effects\" of step \#(cause) do not start it; one of the two steps was probably edited"}"#
    #expect(try check(lines) == [expected])
    let log = try LogFile.opened(folder.path("log.jsonl"))
    #expect(log.count == 6, "the step stays usable")
    lines[0] = #"{"flux":"1.1","first":5}"#
    #expect(try check(lines) == (name.isEmpty ? [expected] : []))
  }

  @Test("A line that only the parser rejects is one finding, and hides only its own stores")
  func onlyParsed() throws {
    let found = try check([
      #"{"flux":"1.0","stores":{"a":{"initial":1}}}"#,
      #"{"n":1,"t":1.000000,"action":{"type":"x"},"states":{"a":[01]}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/9","value":1}]}}"#,
      #"{"end":{"steps":2,"ok":true}}"#,
    ])
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix(#"{"line":2,"step":1,"byte":"#) == true)
    #expect(found.first?.contains(#""kind":"json""#) == true)
  }

  @Test("Patches after damage or a gap are not applied to unknown states")
  func unknown() throws {
    let found = try check([
      #"{"flux":"1.0","stores":{"a":{"initial":[]},"c":{"feature":true}}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/9","value":1}]},"removed":["c"]}"#,
      #"{"end":{"steps":1,"ok":true}}"#,
    ])
    #expect(
      found == [
        #"{"line":2,"step":2,"byte":0,"kind":"sequence","message":"step 1 is missing before this line"}"#
      ])
  }

  @Test("A patch in the first accepted step after a gap does not apply")
  func patchAfterGap() throws {
    func found(_ why: String) throws -> [String] {
      try check([
        #"{"flux":"1.0","stores":{"a":{"initial":{"v":0}}}}"#,
        #"{"n":1,"t":1.000000,"action":{"type":"x"},"states":{"a":{"v":1}}}"#,
        #"{"gap":{"from":2,"to":3,"why":"\#(why)"}}"#,
        #"{"n":4,"t":4.000000,"action":{"type":"x"},"rejected":{"reason":"no"}}"#,
        #"{"n":5,"t":5.000000,"action":{"type":"x"},"patches":{"a":[{"op":"replace","path":"/v","value":9}]}}"#,
        #"{"n":6,"t":6.000000,"action":{"type":"x"},"patches":{"a":[{"op":"replace","path":"/w","value":9}]}}"#,
        #"{"end":{"steps":4,"ok":true}}"#,
      ])
    }
    #expect(
      try found("paused") == [
        #"{"line":5,"step":5,"byte":57,"kind":"patch","message":"the patch for the store a does not apply: the first step after a gap has to write the store whole"}"#
      ])
    #expect(try found("damaged") == [])
  }

  @Test("A lost line is one finding, even if it was a gap of any length or not a step")
  func lostLines() throws {
    let gap = #"{"gap":{"from":2,"to":3,"why":"paused"}}"#
    func found(_ line: String, then step: Int) throws -> [String] {
      let lines = [
        #"{"flux":"1.0"}"#, #"{"n":1,"t":1.000000,"action":{"type":"x"}}"#,
        #"{"n":\#(step),"t":4.000000,"action":{"type":"x"}}"#, #"{"end":{"steps":2,"ok":true}}"#,
      ].map(SampleLog.summed)
      let text = (lines[..<2] + [line] + lines[2...]).joined()
      let path = try folder.write(text.utf8, to: "log.jsonl")
      return try Timeline(try LogFile.opened(path)).check().map(\.json.text)
    }
    #expect(try found(SampleLog.summed(gap), then: 4) == [])
    let bytes = Array(SampleLog.summed(gap).utf8)
    for place in 0..<gap.utf8.count - 1 {
      var damaged = bytes
      damaged[place] ^= 2
      let findings = try found(String(decoding: damaged, as: UTF8.self), then: 4)
      #expect(findings.count == 1, "byte \(place): \(findings)")
    }
    #expect(
      try found("[]\n", then: 2) == [
        #"{"line":3,"byte":0,"kind":"type","message":"the line is not a JSON object; every line of a log has to be one"}"#
      ])
  }

  @Test("A check can be cancelled, and reports its progress")
  func progress() throws {
    struct Ended: Error {}
    let path = try folder.write(SoundLog.text.utf8, to: "log.jsonl")
    let timeline = Timeline(try LogFile.opened(path))
    var seen: [Int] = []
    _ = try timeline.check { done, total in
      seen.append(done)
      #expect(total == 7)
    }
    #expect(seen == [0, 7])
    #expect(throws: Ended.self) { try timeline.check { _, _ in throw Ended() } }
  }
}

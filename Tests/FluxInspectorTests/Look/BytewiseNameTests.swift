import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxCorpus
@testable import FluxExchange
@testable import FluxInspector

/// Types and stores that read alike and are written in two ways: é as one scalar and as two.
@Suite struct BytewiseNameTests {
  private static let one = "\u{E9}"
  private static let two = "e\u{301}"
  private static func lines(_ one: String, _ two: String) -> [String] {
    [
      #"{"flux":"1.0","stores":{"\#(one)":{"initial":1},"\#(two)":{"initial":2}}}"#,
      #"{"n":1,"t":1,"action":{"type":"\#(two)"},"states":{"\#(one)":3,"\#(two)":4}}"#,
      #"{"n":2,"t":2,"action":{"type":"\#(one)"},"states":{"\#(two)":5}}"#,
      #"{"n":3,"t":3,"action":{"type":"\#(two)"},"patches":{"\#(one)":[{"op":"replace","path":"","value":6}]}}"#,
      #"{"end":{"steps":3,"ok":true}}"#,
    ]
  }
  private static let lines = lines(one, two)

  /// The output of a command, each scalar beyond ASCII as its number.
  private func answer(_ command: String) throws -> String {
    var inspection = try Inspection(Self.lines)
    return Self.spelled(try inspection.json(command))
  }

  private static func spelled(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      scalar.isASCII ? String(scalar) : "<\(String(scalar.value, radix: 16))>"
    }.joined()
  }

  @Test(
    "They stay two",
    arguments: [
      (
        "types",
        #"{"command":"types","ok":true,"position":0,"result":{"types":[{"type":"e<301>","count":2},{"type":"<e9>","count":1}]}}"#
      ),
      (
        "find \(one)",
        #"{"command":"find <e9>","ok":true,"position":0,"result":{"steps":[{"n":2,"t":2,"type":"<e9>","changed":["e<301>"]}]}}"#
      ),
      (
        "count \(two)",
        #"{"command":"count e<301>","ok":true,"position":0,"result":{"count":2}}"#
      ),
      (
        "goto \(one)#1",
        #"{"command":"goto <e9>#1","ok":true,"position":2,"result":{"step":2,"t":2,"action":{"type":"<e9>"},"changed":["e<301>"],"stopped":"goto"}}"#
      ),
      (
        "history \(one)",
        #"{"command":"history <e9>","ok":true,"position":0,"result":{"path":"/<e9>","writes":[{"n":0,"value":1},{"n":1,"type":"e<301>","value":3},{"n":3,"type":"e<301>","value":6}]}}"#
      ),
      (
        "diff start end",
        #"{"command":"diff start end","ok":true,"position":0,"result":{"from":0,"to":3,"changes":[{"path":"/e<301>","op":"replace","old":2,"new":5},{"path":"/<e9>","op":"replace","old":1,"new":6}]}}"#
      ),
    ])
  func session(command: String, expected: String) throws {
    #expect(try answer(command) == expected + "\n")
  }

  @Test("A step's difference has a state that is written, also if that of the other is not")
  func unwritten() throws {
    var inspection = try Inspection([
      #"{"flux":"1.1","stores":{"\#(Self.one)":{"initial":1},"\#(Self.two)":{"initial":2}}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":{"\#(Self.one)":3},"unwritten":["\#(Self.two)"]}"#,
    ])
    #expect(inspection.stops(["goto 1"]) == [1])
    #expect(
      Self.spelled(try inspection.text("list 1")) == "> 1 a +1s  <e9>, e<301> (not written)\n")
    #expect(
      Self.spelled(try inspection.json("diff"))
        == #"{"command":"diff","ok":true,"position":1,"result":{"from":0,"to":1,"unwritten":["e<301>"],"changes":[{"path":"/<e9>","op":"replace","old":1,"new":3}]}}"#
        + "\n")
  }

  @Test("The difference of two models, such as those of forks, has both")
  func models() throws {
    let models = try [1, 2].map {
      try JSON.parse(#"{"\#(Self.one)":\#($0),"\#(Self.two)":\#($0)}"#)
    }
    let step = StepNumber(nil)
    let both = Difference(from: step, models[0], to: step, models[1])
    #expect(both.changes.count == 2 && both.readable.count == 2)
    #expect(try TestPlan.queries(for: both, in: models[1]).count == 2)
    let one = Difference(from: step, models[0], to: step, models[1], in: Self.one)
    #expect(one.changes.map { Self.spelled($0.path) } == ["/<e9>"] && one.readable.count == 1)
  }

  @Test("A step that replaces a member with one that only looks the same changes the members")
  func renamed() throws {
    var inspection = try Inspection([
      #"{"flux":"1.0","stores":{"s":{"initial":{"\#(Self.one)":1}}}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":{"s":{"\#(Self.two)":1}}}"#,
      #"{"end":{"steps":1,"ok":true}}"#,
    ])
    #expect(try inspection.text("find changed(s.*)") == "1 a +1s  s\n")
    #expect(try inspection.text("goto end") == "1 a +1s\n  changed: s\n")
    #expect(try inspection.text("history s.*") == "0 initial = [1]\n1 a = [1]\n")
  }

  @Test(
    "A name that only looks the same is not that of the store, and the right one is suggested",
    arguments: [
      ("state \(one)", "no store <e9>; did you mean e<301>?\nhint: the stores are e<301>"),
      (
        "diff start end --store \(one)",
        "no store <e9>; did you mean e<301>?\nhint: the stores are e<301>"
      ),
      ("print \(one)", "no path <e9> at step 0; did you mean e<301>?"),
    ])
  func typed(_ command: String, _ error: String) throws {
    var inspection = try Inspection([
      #"{"flux":"1.0","stores":{"\#(Self.two)":{"initial":2}}}"#,
      #"{"n":1,"t":1,"action":{"type":"a"},"states":{"\#(Self.two)":3}}"#,
    ])
    #expect(Self.spelled(try inspection.text(command)) == "error: \(error)\n")
  }

  @Test("The whole model has both, and check finds nothing")
  func scripts() throws {
    let folder = try TemporaryFolder()
    let log = try folder.log(Self.lines)
    let models = try SubcommandRun(
      .cat(log, withStates: true, types: Glob(Self.one)), in: folder)
    #expect(
      Self.spelled(models.results) == #"""
        {"n":2,"t":2,"action":{"type":"<e9>"},"states":{"e<301>":5},"state":{"e<301>":5,"<e9>":3}}

        """#)
    let findings = try SubcommandRun(.check([log]), in: folder)
    #expect(findings.results.isEmpty && findings.code == 0)
    let other = try folder.log(Self.lines(Self.two, Self.one), "b.jsonl")
    #expect(try SubcommandRun(.diff(log, other), in: folder).code == 1)
  }
}

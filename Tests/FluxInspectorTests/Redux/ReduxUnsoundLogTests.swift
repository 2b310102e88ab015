import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxExchange
@testable import FluxInspector

/// Logs that are open, damaged or continued come back from an export as such.
@Suite struct ReduxUnsoundLogTests {
  private static let header =
    #"{"flux":"1.1","log":"L","created":"2026-11-20T12:00:00.000000Z","seed":"8c1f0e1d2b3a4958","first":1,"stores":{"a":{"initial":{"v":0}},"b":{"initial":1},"f":{"feature":true}}}"#

  private static func step(_ number: Int, _ more: String = "") -> String {
    #"{"n":\#(number),"t":\#(number).000000,"action":{"type":"x"}\#(more)}"#
  }

  private func roundTrip(
    _ lines: [String], _ range: String = ""
  ) throws -> (old: Timeline, new: Timeline, run: ImportRun, output: String) {
    let world = RecordedWorld()
    var inspection = try Inspection(lines, world: world)
    let output = try inspection.text("export redux out \(range)")
    let run = try ImportRun(try #require(world.files["out"]).utf8, slices: true)
    try #require(run.subcommand.code == 0, "\(run.subcommand.diagnostics)")
    #expect(try run.lost == "[]")
    return (inspection.session.timeline, try run.timeline, run, output)
  }

  @Test(
    "A log ends as it did",
    arguments: [
      nil, #"{"end":{"steps":2,"ok":true}}"#, #"{"end":{"steps":2,"ok":false}}"#,
      #"{"end":{"steps":2,"ok":true,"continued":true}}"#,
      #"{"end":{"steps":2,"ok":true,"unmatched":["/a/tokn"]}}"#,
    ])
  func end(_ line: String?) throws {
    let lines =
      [Self.header, Self.step(1, #","states":{"a":1}"#), Self.step(2)] + [line].compactMap(\.self)
    let run = try roundTrip(lines).run
    #expect(try run.lines == lines)
  }

  @Test("A part of a log that does not reach its end is closed")
  func part() throws {
    let run = try roundTrip([Self.header, Self.step(1), Self.step(2)], "1..1").run
    #expect(try run.lines == [Self.header, Self.step(1), #"{"end":{"steps":1,"ok":true}}"#])
  }

  @Test("Steps that are missing before the end are still missing")
  func missing() throws {
    let end = #"{"end":{"steps":4,"ok":false}}"#
    let (_, new, run, _) = try roundTrip([Self.header, Self.step(1), end])
    #expect(
      try run.lines == [
        Self.header, Self.step(1), #"{"gap":{"from":2,"to":4,"why":"damaged"}}"#,
        #"{"end":{"steps":1,"ok":false}}"#,
      ])
    #expect(new.log.findings.filter(\.problem.isDamage).isEmpty)
  }

  @Test("A state that a damaged change hides stays unknown, and the export says so")
  func patch() throws {
    let (old, new, run, output) = try roundTrip([
      Self.header, Self.step(1, #","states":{"a":{"v":1}}"#),
      Self.step(2, #","patches":{"a":[{"op":"replace","path":"/nope","value":7}]}"#),
      Self.step(3), Self.step(4, #","patches":{"a":[{"op":"replace","path":"/v","value":7}]}"#),
      Self.step(5, #","states":{"a":{"v":1}}"#), #"{"end":{"steps":5,"ok":true}}"#,
    ])
    #expect(
      try run.lines == [
        Self.header, Self.step(1, #","states":{"a":{"v":1}}"#),
        #"{"gap":{"from":2,"to":1,"why":"damaged"}}"#,
        Self.step(2, #","states":{"b":1},"removed":["f"]"#), Self.step(3), Self.step(4),
        Self.step(5, #","states":{"a":{"v":1}}"#), #"{"end":{"steps":5,"ok":true}}"#,
      ])
    try expectSameModels(old, new)
    #expect(output.contains("note: damage hides states from step 2 on, so some are missing\n"))
  }

  @Test(
    "A state that the first step after a gap does not write whole stays unknown",
    arguments: [
      #","states":{"b":2},"patches":{"a":[{"op":"replace","path":"/v","value":7}]}"#,
      #","states":{"b":2},"unwritten":["a"]"#,
    ])
  func afterGap(_ damage: String) throws {
    let (old, new, run, _) = try roundTrip([
      Self.header, Self.step(1, #","states":{"a":{"v":1}}"#),
      #"{"gap":{"from":2,"to":3,"why":"paused"}}"#, Self.step(4, damage), Self.step(5),
      Self.step(6, #","states":{"a":{"v":1}}"#), #"{"end":{"steps":4,"ok":true}}"#,
    ])
    #expect(try new.model(at: 1).unknownStores == ["a"])
    #expect(try new.model(at: 2).unknownStores == ["a"])
    #expect(
      try run.lines[2...3] == [
        #"{"gap":{"from":2,"to":3,"why":"paused"}}"#, #"{"gap":{"from":4,"to":3,"why":"damaged"}}"#,
      ])
    try expectSameModels(old, new)
    #expect(try new.check { _, _ in }.filter(\.problem.isDamage).isEmpty)
  }

  private func expectSameModels(_ old: Timeline, _ new: Timeline) throws {
    #expect(new.log.count == old.log.count)
    for position in -1..<old.log.count {
      #expect(try new.model(at: position) == old.model(at: position), "\(position)")
    }
  }

  @Test("An end that is none of a log is an error")
  func noEnd() throws {
    let flux = Self.header.dropLast() + #","end":{"steps":"many"}}"#
    let run = try ImportRun(
      Lifted.text([], states: [#"{"state":{}}"#], more: #","flux":\#(flux)"#), slices: true)
    #expect(run.subcommand.code == 4)
    #expect(run.subcommand.diagnostics.contains("$.flux.end: expected the end of a log, or null"))
  }

  @Test("Lines of unknown kinds are counted")
  func unknownLines() throws {
    let output = try roundTrip([Self.header, Self.step(1), #"{"weird":1}"#]).output
    #expect(output.contains("note: 1 line of unknown kinds is not in the file\n"))
  }
}

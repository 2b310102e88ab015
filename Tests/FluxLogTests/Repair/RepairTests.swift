import FluxJSON
import FluxSystem
import Foundation
import TestFixtures
import Testing

@testable import FluxLog

@Suite struct RepairTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Repairs a log; returns the text of the copy and the report.
  private func repair(_ text: String) throws -> (text: String, report: RepairReport) {
    let path = try folder.write(text.utf8, to: "log.jsonl")
    let report = try Timeline(try LogFile.opened(path)).repair(to: try freshCopy())
    return (try folder.text(of: "copy.jsonl"), report)
  }

  /// Returns the path of the copy, where no file exists.
  private func freshCopy() throws -> String {
    let copy = folder.path("copy.jsonl")
    if FileManager.default.fileExists(atPath: copy) {
      try FileManager.default.removeItem(atPath: copy)
    }
    return copy
  }

  private static let lines = SoundLog.summed

  @Test("A sound log is copied byte for byte")
  func sound() throws {
    let (text, report) = try repair(SoundLog.text)
    #expect(text == SoundLog.text)
    #expect(report == RepairReport(findings: [], steps: 7))
  }

  @Test("A repaired log takes its place when it is complete, with the permissions of the log")
  func takesItsPlace() throws {
    let path = try folder.write(SoundLog.text.utf8, to: "log.jsonl")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let log = try LogFile.opened(path)
    let copy = try ReplacementFile(new: folder.path("copy.jsonl"), from: log.file)
    _ = try Timeline(log).writeRepaired([], RebuiltSteps(), to: copy)
    let unfinished = URL(filePath: copy.path).lastPathComponent
    #expect(try folder.names() == [unfinished, "log.jsonl"])
    #expect(try FileStatus(path: copy.path)?.permissions == 0o600)
    try copy.commit()
    #expect(try folder.names() == ["copy.jsonl", "log.jsonl"])
    #expect(try FileStatus(path: folder.path("copy.jsonl"))?.permissions == 0o640)
    #expect(try folder.text(of: "copy.jsonl") == SoundLog.text)
  }

  @Test(
    "Steps that the end line counts and the file does not have become a gap, and the log is not complete"
  )
  func lostTail() throws {
    var lines = Self.lines
    lines[11] = SampleLog.summed(#"{"end":{"steps":9,"ok":true}}"#)
    let (text, report) = try repair(lines.joined())
    let last = try #require(LogFile.opened(folder.path("log.jsonl")).number(at: 6))
    lines.insert(
      SampleLog.summed(#"{"gap":{"from":\#(last + 1),"to":\#(last + 2),"why":"damaged"}}"#), at: 11)
    lines[12] = SampleLog.summed(#"{"end":{"steps":7,"ok":false}}"#)
    #expect(text == lines.joined())
    #expect(
      report.notes == ["2 steps are missing at the end of the log: \(last + 1) to \(last + 2)"])
    #expect(report.gaps == [LogGap(from: last + 1, through: last + 2, why: .damaged)])
  }

  @Test("A repaired segment still says that the recording continues in the next one")
  func continued() throws {
    var lines = Self.lines
    lines[11] = SampleLog.summed(#"{"end":{"steps":7,"ok":true,"continued":true}}"#)
    #expect(try repair(lines.joined()).text == lines.joined())
  }

  @Test("An end line that is written again keeps the members of a newer version")
  func newerEnd() throws {
    var lines = Self.lines
    lines[2] = lines[2].replacing("setup", with: "set")
    lines[11] = SampleLog.summed(
      #"{"later":1,"end":{"steps":7,"new":[2.0],"ok":true,"unmatched":["/a"]},"last":{}}"#)
    let text = try repair(lines.joined()).text
    #expect(
      text.hasSuffix(
        SampleLog.summed(
          #"{"later":1,"end":{"steps":6,"new":[2.0],"ok":true,"unmatched":["/a"]},"last":{}}"#)))
  }

  @Test("A damaged step becomes a gap, and all other lines stay unchanged")
  func oneLost() throws {
    var lines = Self.lines
    lines[2] = lines[2].replacing("setup", with: "set")
    let (text, report) = try repair(lines.joined())
    lines[2] = SampleLog.summed(#"{"gap":{"from":2,"to":2,"why":"damaged"}}"#)
    // The mark is before the next step and stays there.
    lines.swapAt(2, 3)
    lines[11] = SampleLog.summed(#"{"end":{"steps":6,"ok":true}}"#)
    #expect(text == lines.joined())
    #expect(report.gaps == [LogGap(from: 2, through: 2, why: .damaged)])
    #expect(report.steps == 6)
    #expect(report.droppedLines == 1)
  }

  @Test("A patch that does not apply is dropped with its step")
  func wrongPatch() throws {
    let lines = [
      #"{"flux":"1.0","stores":{"a":{"initial":[]}}}"#,
      #"{"n":1,"t":1.000000,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/9","value":1}]}}"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":[{"op":"remove","path":"/7"}]}}"#,
    ].map(SampleLog.summed)
    let (text, _) = try repair(lines.joined())
    #expect(
      text
        == [
          lines[0], SampleLog.summed(#"{"gap":{"from":1,"to":1,"why":"damaged"}}"#), lines[2],
          SampleLog.summed(#"{"end":{"steps":1,"ok":false}}"#),
        ].joined())
  }

  @Test("A lost line that is no step becomes an empty gap, which hides the states")
  func lostMark() throws {
    let lines = [
      #"{"flux":"1.0"}"#,
      #"{"n":1,"t":1.000000,"action":{"type":"x"}}"#,
      #"{"gap":{"from":2,"to":1,"why":"restored"},"states":{"#,
      #"{"n":2,"t":1.000000,"action":{"type":"x"},"patches":{"a":[{"op":"add","path":"/b","value":1}]}}"#,
      #"{"n":3,"t":1.000000,"action":{"type":"x"},"states":{"a":{}}}"#,
      #"{"mark":"at the end","t":"#,
      #"{"end":{"steps":3,"ok":true}}"#,
    ].enumerated().map { $0 == 2 || $0 == 5 ? $1 + "\n" : SampleLog.summed($1) }
    let (text, report) = try repair(lines.joined())
    let gaps = ["2,\"to\":1", "4,\"to\":3"].map {
      SampleLog.summed(#"{"gap":{"from":\#($0),"why":"damaged"}}"#)
    }
    #expect(text == [lines[0], lines[1], gaps[0], lines[3], lines[4], gaps[1], lines[6]].joined())
    #expect(report.steps == 3)
    #expect(report.droppedLines == 2)
    #expect(
      report.gaps == [(2, 1), (4, 3)].map { LogGap(from: $0.0, through: $0.1, why: .damaged) })
    #expect(report.notes == [])
    let copy = Timeline(try LogFile.open(folder.path("copy.jsonl")))
    #expect(try copy.check() == [])
    #expect(try (0..<3).map { try copy.model(at: $0).unknownStores } == [[], ["a"], []])
    #expect(try folder.names() == ["copy.jsonl", "log.jsonl"])
  }

  @Test(
    "A gap has no number that readers refuse",
    arguments: [
      // Nothing can follow the last number.
      #"{"n":9223372036854775807,"t":1,"action":{"type":"a"}}"# + "\nlost\n",
      #"{"gap":{"from":2,"to":9223372036854775807,"why":"paused"}}"# + "\nlost\n",
      // The end line counts more steps than there are numbers.
      #"{"gap":{"from":9223372036854775806,"to":9223372036854775806,"why":"paused"}}"#
        + "\nlost\n" + #"{"end":{"steps":9223372036854775807,"ok":true}}"# + "\n",
    ])
  func largestNumbers(lines: String) throws {
    let (text, _) = try repair(
      #"{"flux":"1.1","log":"l","first":1,"stores":{}}"# + "\n"
        + #"{"n":1,"t":0,"action":{"type":"a"}}"# + "\n" + lines)
    let path = try folder.write(text.utf8, to: "again.jsonl")
    #expect(
      !(try Timeline(LogFile.opened(path)).check().contains { $0.problem.isDamage }), "\(text)")
  }

  @Test("A repaired log without an end line is not marked as complete")
  func noEnd() throws {
    let (text, _) = try repair(Self.lines.dropLast().joined())
    #expect(
      text
        == Self.lines.dropLast().joined() + SampleLog.summed(#"{"end":{"steps":7,"ok":false}}"#))
  }

  @Test("Rebuilt steps are appended up to the first missing number")
  func rebuiltWithHole() throws {
    let header = SampleLog.summed(#"{"flux":"1.0","stores":{"a":{"initial":0}}}"#)
    let path = try folder.write(header.utf8, to: "log.jsonl")
    let steps = [1, 2, 4, 5].map { (number: UInt64) in
      StepRecord(
        number: number, time: LogTime(microseconds: 0),
        action: LogValue(json: ["type": "x"]))
    }
    let report = try Timeline(try LogFile.opened(path)).repair(
      to: try freshCopy(), appending: RebuiltSteps(states: ["a": 0], steps: steps)
    ) { _, _ in }
    #expect(report.rebuiltSteps == 2)
    #expect(report.notes == ["step 4 and later steps were not rebuilt: step 3 is missing"])
    #expect(
      try folder.text(of: "copy.jsonl")
        == [
          header, SampleLog.summed(#"{"n":1,"t":0.000000,"action":{"type":"x"}}"#),
          SampleLog.summed(#"{"n":2,"t":0.000000,"action":{"type":"x"}}"#),
          SampleLog.summed(#"{"end":{"steps":2,"ok":false}}"#),
        ].joined())
  }

  @Test("An existing file is never overwritten")
  func existing() throws {
    let path = try folder.write(SoundLog.text.utf8, to: "log.jsonl")
    let timeline = Timeline(try LogFile.opened(path))
    #expect(throws: LogError(path: path, reason: .system(operation: "open", code: 17))) {
      try timeline.repair(to: path)
    }
    #expect(try folder.text(of: "log.jsonl") == SoundLog.text)
  }

  /// Repairs a damaged log and checks the result: no damage, and only recorded states.
  private func checkRepair(_ text: String, _ truth: [UInt64: StoreDictionary<StoreState>]) throws {
    let path = try folder.replace("log.jsonl", with: text.utf8)
    let log: LogFile
    do throws(LogError) { log = try LogFile.open(path) } catch { return }
    let damaged = Timeline(log)
    try log.waitForIndex()
    let copy = try freshCopy()
    let report = try damaged.repair(to: copy)
    let repaired = Timeline(try LogFile.opened(copy))
    let findings = try repaired.check()
    #expect(
      findings.filter { $0.problem.severity == .lost || $0.problem == .torn } == [], "\(text)")
    #expect(repaired.log.count == report.steps)
    for position in repaired.positions {
      let number = try #require(repaired.number(at: position))
      for store in ["todos", "search"] {
        let state = try repaired.storeState(store, at: position)
        #expect(state == .unknown || state == truth[number]?[store], "\(text)")
      }
    }
  }

  @Test("After any damage, the copy has no findings and no wrong state")
  func faults() throws {
    let sound = Timeline(
      try LogFile.opened(try folder.write(SoundLog.text.utf8, to: "sound.jsonl")))
    var truth: [UInt64: StoreDictionary<StoreState>] = [:]
    for position in sound.positions {
      truth[try #require(sound.number(at: position))] = try sound.model(at: position).states
    }
    let bytes = Array(SoundLog.text.utf8)
    for place in stride(from: 0, to: bytes.count, by: 7) {
      var flipped = bytes
      flipped[place] ^= 1 << (place % 7)
      try checkRepair(String(decoding: flipped, as: UTF8.self), truth)
      try checkRepair(String(decoding: bytes[..<place], as: UTF8.self), truth)
    }
    for place in Self.lines.indices {
      var dropped = Self.lines
      dropped.remove(at: place)
      try checkRepair(dropped.joined(), truth)
      var doubled = Self.lines
      doubled.insert(doubled[place], at: place)
      try checkRepair(doubled.joined(), truth)
      guard place > 0 else { continue }
      var swapped = Self.lines
      swapped.swapAt(place - 1, place)
      try checkRepair(swapped.joined(), truth)
    }
  }
}

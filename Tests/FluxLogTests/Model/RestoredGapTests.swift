import FluxJSON
import FluxSystem
import TestFixtures
import Testing

@testable import FluxLog

/// Logs of apps that went back to earlier models.
@Suite struct RestoredGapTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let lines = [
    #"{"flux":"1.1","first":1,"stores":{"a":{"initial":0},"b":{"feature":true}}}"#,
    #"{"n":1,"t":0.1,"action":{"type":"x"},"states":{"a":1}}"#,
    #"{"n":2,"t":0.2,"action":{"type":"x"},"patches":{"a":[{"op":"replace","path":"","value":2}]},"states":{"b":"here"}}"#,
    #"{"n":3,"t":0.3,"action":{"type":"x"},"patches":{"a":[{"op":"replace","path":"","value":3}]},"removed":["b"]}"#,
    #"{"gap":{"from":4,"to":3,"why":"restored","step":2}}"#,
    #"{"n":4,"t":0.4,"action":{"type":"no"},"rejected":{"reason":"impossible"}}"#,
    #"{"gap":{"from":5,"to":6,"why":"paused"}}"#,
    #"{"gap":{"from":7,"to":6,"why":"restored","step":4}}"#,
    #"{"n":7,"t":0.4,"action":{"type":"no"},"rejected":{"reason":"impossible"}}"#,
    #"{"n":8,"t":0.5,"action":{"type":"x"},"states":{"a":2}}"#,
    #"{"gap":{"from":9,"to":8,"why":"restored"},"states":{"a":7,"b":"back"}}"#,
    #"{"n":9,"t":0.6,"action":{"type":"no"},"rejected":{"reason":"impossible"}}"#,
    #"{"n":10,"t":0.7,"action":{"type":"x"},"states":{"a":8,"b":"back"}}"#,
    #"{"gap":{"from":11,"to":10,"why":"restored","step":0}}"#,
    #"{"end":{"steps":8,"ok":true}}"#,
  ]

  private func timeline(_ lines: [String] = lines) throws -> Timeline {
    let path = try folder.write(lines.map(SampleLog.summed).joined().utf8, to: "log.jsonl")
    return Timeline(try LogFile.opened(path))
  }

  private static let models: [JSON] = [
    ["a": 0], ["a": 1], ["a": 2, "b": "here"], ["a": 3],
    ["a": 2, "b": "here"], ["a": 2, "b": "here"], ["a": 2],
    ["a": 7, "b": "back"], ["a": 8, "b": "back"],
  ]

  @Test("The model is known from the gap on, in any order of reading")
  func models() throws {
    let forwards = try timeline()
    #expect(try forwards.check() == [])
    for position in forwards.positions {
      #expect(try forwards.model(at: position).json == Self.models[position + 1], "\(position)")
    }
    let backwards = try timeline()
    for position in backwards.positions.reversed() {
      #expect(try backwards.model(at: position).json == Self.models[position + 1], "\(position)")
      #expect(
        try backwards.value(.root, of: "a", at: position).json == Self.models[position + 1]["a"])
    }
    #expect(
      try (0...8).map { try forwards.model(before: $0).json } == [
        ["a": 0], ["a": 1], ["a": 2, "b": "here"], ["a": 2, "b": "here"], ["a": 2, "b": "here"],
        ["a": 2, "b": "here"], ["a": 7, "b": "back"], ["a": 7, "b": "back"], ["a": 0],
      ])
  }

  @Test("A range has one part for each model that the log has")
  func parts() throws {
    let log = try timeline().log
    #expect(log.parts(of: 0..<8) == [0..<3, 3..<4, 4..<6, 6..<8])
    #expect(log.parts(of: 3..<6) == [3..<4, 4..<6])
    #expect(log.parts(of: 1..<3) == [1..<3])
    #expect(log.parts(of: 5..<5) == [5..<5])
    #expect(log.firstInterruption?.position == 3)
    var lines = Self.lines
    lines[4] = #"{"gap":{"from":4,"to":3,"why":"restored","step":99}}"#
    #expect(try timeline(lines).log.parts(of: 0..<4) == [0..<4])
    lines.removeSubrange(3..<13)
    #expect(try timeline(lines).log.firstInterruption == nil)
  }

  @Test("Steps are compared with the model that the app went back to")
  func baselines() throws {
    let timeline = try timeline()
    #expect(
      (0...7).map { "\(timeline.baseline(of: $0))" }.map { $0.filter(\.isNumber) }
        == ["1", "0", "1", "1", "1", "1", "5", "6"])
    // Before the step at 6, the model was that of no step; the step was rejected, so the next one begins with it.
    #expect((0...7).filter { timeline.baseline(of: $0).isRestored } == [6])
    #expect(try timeline.changedStores(at: 5) == ["b"])
    #expect(try timeline.changedStores(at: 7) == ["a"])
  }

  @Test("A gap that names no step of the file hides the model, as other gaps do")
  func unknown() throws {
    for number in [4, 5, 99] {
      var lines = Self.lines
      lines[4] = #"{"gap":{"from":4,"to":3,"why":"restored","step":\#(number)}}"#
      let timeline = try timeline(lines)
      #expect(try timeline.check() == [])
      #expect(try timeline.model(at: 3).unknownStores == ["a", "b"])
      #expect(try timeline.model(before: 3).json == ["a": 3])
      #expect(try timeline.model(at: 5).json == ["a": 2])
    }
  }

  @Test(
    "A repair keeps the gaps; if it loses the step, the model is unknown up to the next whole one")
  func repair() throws {
    var text = Self.lines.map(SampleLog.summed)
    text[2].replace("here", with: "her!")
    let path = try folder.write(text.joined().utf8, to: "log.jsonl")
    _ = try Timeline(try LogFile.opened(path)).repair(to: folder.path("copy.jsonl"))
    let copy = Timeline(try LogFile.opened(folder.path("copy.jsonl")))
    #expect(
      copy.log.gaps.map { "\($0.gap.from) \($0.gap.why)" } == [
        "2 damaged", "4 restored", "5 paused", "7 restored", "9 restored", "11 restored",
      ])
    #expect(copy.log.findings == [])
    #expect(try copy.model(at: 2).unknownStores == ["a", "b"])
    #expect(try copy.model(at: 4).json == ["a": 2])
    #expect(try copy.model(at: 6).json == ["a": 8, "b": "back"])
  }

  @Test("A gap that does not fit is damage")
  func misfits() throws {
    for gap in [
      #"{"gap":{"from":5,"to":4,"why":"restored","step":1}}"#,
      #"{"gap":{"from":3,"to":2,"why":"restored","step":1}}"#,
      #"{"gap":{"from":4,"to":2,"why":"restored","step":1}}"#,
    ] {
      var lines = Self.lines
      lines[4] = gap
      #expect(try timeline(lines).check().map(\.problem.kind).contains("gap"), "\(gap)")
    }
  }
}

import FluxJSON
import TestFixtures
import Testing

@testable import FluxLog

/// The document of a step: one list of members, whoever reads the step.
@Suite struct StepDocumentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func timeline(_ lines: [String]) throws -> Timeline {
    Timeline(
      try LogFile.opened(
        try folder.write(lines.map(SampleLog.summed).joined().utf8, to: "log.jsonl")))
  }

  private static let lines = [
    #"{"flux":"1.1","first":1,"effects":true,"stores":{"a":{"initial":{"v":0}},"f":{"feature":true}}}"#,
    #"{"n":1,"t":0.1,"action":{"type":"x","payload":{"k":1},"more":2},"target":"a","effects":{"a":["save"]},"at":"App/File.swift:7","took":12,"states":{"a":{"v":1}},"x":{"id":"one"}}"#,
    #"{"n":2,"t":0.2,"action":{"type":"y"},"cause":1,"effect":"save","states":{"late":"here","f":true}}"#,
    #"{"n":3,"t":0.3,"action":{"type":"no"},"cause":2,"from":"observer","rejected":{"reason":"refused","message":"no","store":"a"}}"#,
    #"{"n":4,"t":0.4,"action":{"type":"y"},"patches":{"a":[{"op":"replace","path":"/v","value":9}]},"removed":["f"]}"#,
    #"{"gap":{"from":5,"to":4,"why":"restored","step":1}}"#,
    #"{"n":5,"t":0.5,"action":{"type":"z"},"states":{"a":{"v":1},"f":false}}"#,
    #"{"end":{"steps":5,"ok":true}}"#,
  ]

  @Test(
    "A pass has the same document at each step as a timeline, with stores that are registered late")
  func pass() throws {
    let timeline = try timeline(Self.lines)
    let pass = StepPass(timeline.log, 0..<timeline.log.count)
    let model = try PassedModel(
      timeline.log.storeNames, keepsBefore: true, along: pass, in: timeline)
    let document = model.document()
    #expect(try document.json() == timeline.document(at: Timeline.start).json())
    for position in 0..<timeline.log.count {
      try model.take(try #require(pass.advance()))
      #expect(
        try document.json() == timeline.document(at: position).json(), "position \(position)")
    }
    #expect(pass.advance() == nil)
  }

  @Test("The document has every member of the line")
  func members() throws {
    let timeline = try timeline(Self.lines)
    #expect(
      try timeline.document(at: 0).json().text
        == #"{"n":1,"t":0.100000,"action":{"type":"x","payload":{"k":1},"more":2},"target":"a","#
        + #""effects":{"a":["save"]},"at":"App/File.swift:7","took":12,"x":{"id":"one"},"#
        + #""changed":["a"],"state":{"a":{"v":1}},"before":{"a":{"v":0}}}"#)
    #expect(
      try timeline.document(at: 2).json().text
        == #"{"n":3,"t":0.300000,"action":{"type":"no"},"cause":2,"from":"observer","#
        + #""rejected":{"reason":"refused","message":"no","store":"a"},"changed":[],"#
        + #""state":{"a":{"v":1},"f":true,"late":"here"},"before":{"a":{"v":1},"f":true,"late":"here"}}"#
    )
    #expect(
      try timeline.document(at: Timeline.start).json().text == #"{"n":0,"state":{"a":{"v":0}}}"#)
  }

  @Test("The states before the first step after a restore are those of the restored model")
  func restored() throws {
    let timeline = try timeline(Self.lines)
    #expect(try timeline.document(at: 4).json()["before"] == ["a": ["v": 1]])
    #expect(try timeline.document(at: 4).json()["changed"] == ["f"])
    var lines = Self.lines
    lines[5] = #"{"gap":{"from":5,"to":4,"why":"restored"},"states":{"a":{"v":3}}}"#
    #expect(
      try self.timeline(lines).document(at: 4).json()["before"] == ["a": ["v": 3]])
  }

  private static let imported = [
    #"{"flux":"1.1","stores":{"a":{"initial":{"v":0}},"b":{"initial":7}}}"#,
    #"{"n":1,"t":1,"action":{"type":"in"},"states":{"a":{"v":1}}}"#,
    #"{"gap":{"from":2,"to":1,"why":"imported"}}"#,
    #"{"n":2,"t":1,"action":{"type":"add"}}"#,
    #"{"n":3,"t":1,"action":{"type":"no"},"rejected":{"reason":"no"}}"#,
    #"{"n":4,"t":1,"action":{"type":"add"},"states":{"a":{"v":2}}}"#,
    #"{"n":5,"t":1,"action":{"type":"add"}}"#,
    #"{"end":{"steps":5,"ok":true}}"#,
  ]

  /// Returns the positions at which an expression holds, and the number of those at which that is unknown.
  private func found(_ expression: String, in timeline: Timeline) throws -> String {
    let result = try timeline.find(.expression(try QueryExpression(expression)))
    return "\(result.positions), \(result.unknownSteps) unknown"
  }

  @Test("A step of an imported log may have changed the stores whose states the file did not have")
  func unrecorded() throws {
    let timeline = try timeline(Self.imported)
    #expect(
      try (0..<5).map { try timeline.unrecordedStores(at: $0) }
        == [[], ["a", "b"], [], ["b"], ["b"]])
    #expect(try found("changed(a.v)", in: timeline) == "[0, 3], 1 unknown")
    #expect(try found("!changed(a.v)", in: timeline) == "[2, 4], 1 unknown")
    #expect(try found("changed(b)", in: timeline) == "[], 3 unknown")
    #expect(try found("$.changed[0] == 'a'", in: timeline) == "[0], 3 unknown")
  }

  @Test(
    "Damage in an imported log does not make its steps complete; damage alone leaves them complete")
  func damaged() throws {
    var lines = Self.imported
    lines[6] = #"{"n":5,"t":1,"act"#
    lines.insert(#"{"n":6,"t":1,"action":{"type":"add"}}"#, at: 7)
    #expect(try found("changed(a.v)", in: try timeline(lines)) == "[0, 3], 2 unknown")
    lines[2] = #"{"gap":{"from":2,"to":1,"why":"damaged"}}"#
    #expect(try found("changed(a.v)", in: try timeline(lines)) == "[0, 3], 0 unknown")
  }

  @Test("A change of a state that was left out is unknown")
  func unwritten() throws {
    let timeline = try timeline([
      #"{"flux":"1.1","stores":{"a":{"initial":{"v":0}}}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"},"unwritten":["a"]}"#,
      #"{"n":2,"t":1,"action":{"type":"y"}}"#,
      #"{"n":3,"t":1,"action":{"type":"x"},"states":{"a":{"v":2}}}"#,
      #"{"end":{"steps":3,"ok":true}}"#,
    ])
    #expect(try found("changed(a.v)", in: timeline) == "[2], 1 unknown")
  }
}

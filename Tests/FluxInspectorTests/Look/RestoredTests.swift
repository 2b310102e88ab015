import TestFixtures
import Testing

@testable import FluxInspector

/// An app that went back to models of no step.
@Suite struct RestoredTests {
  private static let lines = [
    #"{"flux":"1.1","stores":{"a":{"initial":0},"b":{"initial":0}}}"#,
    #"{"n":1,"t":1,"action":{"type":"x"},"states":{"a":1,"b":1}}"#,
    #"{"gap":{"from":2,"to":1,"why":"restored"},"states":{"a":2,"b":2}}"#,
    #"{"n":2,"t":2,"action":{"type":"x"},"states":{"a":3,"b":2}}"#,
    #"{"gap":{"from":3,"to":2,"why":"restored"},"states":{"a":9,"b":2}}"#,
    #"{"n":3,"t":3,"action":{"type":"no"},"rejected":{"reason":"r"}}"#,
    #"{"n":4,"t":4,"action":{"type":"x"},"states":{"a":9,"b":3}}"#,
    #"{"end":{"steps":4,"ok":true}}"#,
  ]

  @Test("The first step after it is compared with the model that the app went back to")
  func difference() throws {
    var inspection = try Inspection(Self.lines)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("diff") == """
        from the model that the app went back to after step 1 to step 2
        ~ /a: 2 -> 3

        """)
    #expect(
      try inspection.json("diff") == """
        {"command":"diff","ok":true,"position":2,"result":{"from":1,"to":2,"afterGap":true,"restored":true,"changes":[{"path":"/a","op":"replace","old":2,"new":3}]}}

        """)
  }

  @Test("A rejected step keeps the model, so the next step is compared with it")
  func rejected() throws {
    var inspection = try Inspection(Self.lines)
    #expect(inspection.stops(["goto 4"]) == [4])
    #expect(
      try inspection.json("diff") == """
        {"command":"diff","ok":true,"position":4,"result":{"from":3,"to":4,"changes":[{"path":"/b","op":"replace","old":2,"new":3}]}}

        """)
  }

  @Test("A watchpoint stops at the steps that changed() and history name")
  func watch() throws {
    var inspection = try Inspection(Self.lines)
    #expect(inspection.stops(["watch a"]) == [0])
    #expect(inspection.walk("continue") == [1, 2])
    #expect(try inspection.text("count changed(a)") == "2\n")
  }
}

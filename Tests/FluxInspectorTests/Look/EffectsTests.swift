import FluxJSON
import Testing

@testable import FluxInspector

/// The effects of a step, in each command that shows them.
@Suite struct EffectsTests {
  private static let lines = [
    #"{"flux":"1.1","effects":true,"stores":{"search":{"initial":""},"todos":{"initial":[]}}}"#,
    #"{"n":1,"t":0.500000,"action":{"type":"begin"},"effects":{"search":["-suggest","search"],"todos":["+-x"]}}"#,
    #"{"n":2,"t":1.000000,"action":{"type":"found"},"cause":1,"effect":"search","effects":{"todos":["-save"]},"at":"App/Search.swift:7","states":{"search":"a"}}"#,
    #"{"n":3,"t":1.500000,"action":{"type":"rest"}}"#,
    #"{"end":{"steps":3,"ok":true}}"#,
  ]

  @Test("action shows the effects by store, and the JSON has them as the log does")
  func action() throws {
    var inspection = try Inspection(Self.lines)
    #expect(inspection.stops(["goto 1"]) == [1])
    #expect(
      try inspection.text("action") == """
        begin
        effects: search: -suggest, search; todos: +-x

        """)
    #expect(
      try inspection.json("action") == #"""
        {"command":"action","ok":true,"position":1,"result":{"action":{"type":"begin"},"effects":{"search":["-suggest","search"],"todos":["+-x"]}}}

        """#)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("action") == """
        found
        cause: step 1
        effect: search
        effects: todos: -save
        at: App/Search.swift:7

        """)
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(try inspection.text("action") == "rest\n")
  }

  @Test("A move shows the effects of the step that it reaches")
  func move() throws {
    var inspection = try Inspection(Self.lines)
    #expect(
      try inspection.text("goto 2") == """
        2 found +1s
          changed: search
          effects: todos: -save
          caused by step 1, by the effect search

        """)
    #expect(
      try inspection.text("goto 3") == """
        3 rest +1.5s
          changed: nothing

        """)
  }

  @Test("Paths and expressions read the effects of a step")
  func queries() throws {
    var inspection = try Inspection(Self.lines)
    #expect(inspection.stops(["goto 1"]) == [1])
    #expect(try inspection.text("print $.effects.todos[0]") == "\"+-x\"\n")
    #expect(
      try inspection.json("find $.effects.todos") == #"""
        {"command":"find $.effects.todos","ok":true,"position":1,"result":{"steps":[{"n":1,"t":0.5,"type":"begin","changed":[]},{"n":2,"t":1,"type":"found","changed":["search"]}]}}

        """#)
    #expect(
      try inspection.text("print $.effects.lamp") == """
        error: no path $.effects.lamp at step 1

        """)
  }

  @Test("An export for Redux DevTools keeps the effects beside the action")
  func redux() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(Self.lines, world: world)
    #expect(try inspection.exitCode("export redux out") == 0)
    let file = try #require(world.files["out"])
    let actions = try JSON.parse(Array(file.utf8))["actionsById"]
    #expect(
      ["1", "2", "3"].map { actions?[$0]?["flux"]?.description } == [
        #"{"n":1,"t":0.500000,"effects":{"search":["-suggest","search"],"todos":["+-x"]}}"#,
        #"{"n":2,"t":1.000000,"cause":1,"effect":"search","effects":{"todos":["-save"]},"at":"App/Search.swift:7"}"#,
        #"{"n":3,"t":1.500000}"#,
      ])
  }
}

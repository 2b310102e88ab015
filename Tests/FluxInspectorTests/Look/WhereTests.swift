import Testing

@testable import FluxInspector

@Suite struct WhereTests {
  @Test("The chain of causes leads from the step to its root")
  func chain() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 7"]) == [7])
    #expect(
      try inspection.text("where") == """
        #0 7 search/type "mi" +4.75s
        #1 6 search/open +4.5s

        """)
    #expect(
      try inspection.json("where") == """
        {"command":"where","ok":true,"position":7,"result":{"chain":[{"n":7,"type":"search/type"},{"n":6,"type":"search/open"}]}}

        """)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("bt") == """
        #0 2 todo/saved {"id":1} by the effect save at Todos.swift:12 +1s
        #1 1 todo/add {"title":"milk"} +0.5s

        """)
    #expect(inspection.stops(["start"]) == [0])
    #expect(
      try inspection.text("where") == """
        error: there is no step here: this is the state before the first
        hint: 'step' goes to it

        """)
    #expect(
      try inspection.json("where") == """
        {"command":"where","ok":false,"position":0,"error":{"code":"bad-position","message":"there is no step here: this is the state before the first","hint":"'step' goes to it"}}

        """)
  }

  @Test("A cause that is not in the log, or not earlier, ends the chain")
  func broken() throws {
    var inspection = try Inspection([TodoLog.header] + CauseLog.steps)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("where") == """
        #0 2 b +0s
        #1 step 0 is not in the log before it

        """)
    #expect(
      try inspection.json("where") == """
        {"command":"where","ok":true,"position":2,"result":{"chain":[{"n":2,"type":"b"}]}}

        """)
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(
      try inspection.text("where") == """
        #0 3 c +0s
        #1 step 3 is not in the log before it

        """)
  }
}

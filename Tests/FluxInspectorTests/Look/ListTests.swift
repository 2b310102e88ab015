import Testing

@testable import FluxInspector

@Suite struct ListTests {
  @Test("The steps around here are listed, and the one here is marked")
  func around() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("list") == """
          1 todo/add {"title":"milk"} +0.5s  todos
          2 todo/saved {"id":1} +1s  caused by 1
          3 todo/add {"title":"eggs"} +1.25s  todos
          4 todo/add {"title":""} +2s  rejected: invalid: a title is needed
          5 todo/toggle {"id":2} +3s  todos

        """)
    #expect(inspection.stops(["goto 4"]) == [4])
    #expect(
      try inspection.text("list") == """
          1 todo/add {"title":"milk"} +0.5s  todos
          2 todo/saved {"id":1} +1s  caused by 1
          3 todo/add {"title":"eggs"} +1.25s  todos
        > 4 todo/add {"title":""} +2s  rejected: invalid: a title is needed
          5 todo/toggle {"id":2} +3s  todos
          6 search/open +4.5s  search
          7 search/type "mi" +4.75s  search  caused by 6
          8 todo/clear +10s  todos, search

        """)
    #expect(
      try inspection.json("list") == """
        {"command":"list","ok":true,"position":4,"result":{"steps":[{"n":1,"t":0.5,"type":"todo/add","changed":["todos"]},{"n":2,"t":1,"type":"todo/saved","changed":[]},{"n":3,"t":1.25,"type":"todo/add","changed":["todos"]},{"n":4,"t":2,"type":"todo/add","changed":[],"rejected":{"reason":"invalid","message":"a title is needed","store":"todos"}},{"n":5,"t":3,"type":"todo/toggle","changed":["todos"]},{"n":6,"t":4.5,"type":"search/open","changed":["search"]},{"n":7,"t":4.75,"type":"search/type","changed":["search"]},{"n":8,"t":10,"type":"todo/clear","changed":["todos","search"]}]}}

        """)
  }

  @Test("After damage a step has changed the stores that its line lists")
  func damage() throws {
    var inspection = try Inspection([
      #"{"flux":"1.0","stores":{"a":{"initial":{"v":0}}}}"#, "[]",
      #"{"n":2,"t":2,"action":{"type":"x"},"patches":{"a":[{"op":"replace","path":"/v","value":2}]}}"#,
      #"{"n":3,"t":3,"action":{"type":"x"},"patches":{"a":[{"op":"replace","path":"/v","value":3}]}}"#,
      #"{"n":4,"t":4,"action":{"type":"x"}}"#,
    ])
    #expect(
      try inspection.json("list ..") == """
        {"command":"list ..","ok":true,"position":0,"result":{"steps":[{"n":2,"t":2,"type":"x","changed":["a"]},{"n":3,"t":3,"type":"x","changed":["a"]},{"n":4,"t":4,"type":"x","changed":[]}]}}

        """)
    #expect(
      try inspection.json("goto 2") == """
        {"command":"goto 2","ok":true,"position":2,"result":{"step":2,"t":2,"action":{"type":"x"},"changed":["a"],"stopped":"goto"}}
        note: lines before step 2 are damaged and left out

        """)
  }

  @Test("A range is listed as it is written")
  func range() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("list 2..3") == """
          2 todo/saved {"id":1} +1s  caused by 1
          3 todo/add {"title":"eggs"} +1.25s  todos

        """)
    #expect(
      try inspection.json("list 2..3") == """
        {"command":"list 2..3","ok":true,"position":0,"result":{"steps":[{"n":2,"t":1,"type":"todo/saved","changed":[]},{"n":3,"t":1.25,"type":"todo/add","changed":["todos"]}]}}

        """)
    #expect(
      try inspection.text("list ..") == """
          1 todo/add {"title":"milk"} +0.5s  todos
          2 todo/saved {"id":1} +1s  caused by 1
          3 todo/add {"title":"eggs"} +1.25s  todos
          4 todo/add {"title":""} +2s  rejected: invalid: a title is needed
          5 todo/toggle {"id":2} +3s  todos
          6 search/open +4.5s  search
          7 search/type "mi" +4.75s  search  caused by 6
          8 todo/clear +10s  todos, search

        """)
    #expect(
      try inspection.text("l 6..") == """
          6 search/open +4.5s  search
          7 search/type "mi" +4.75s  search  caused by 6
          8 todo/clear +10s  todos, search

        """)
    #expect(
      try inspection.text("list start") == """
        no steps

        """)
    #expect(
      try inspection.text("list 9") == """
        error: there is no step 9; the log has steps 1 to 8

        """)
    #expect(try inspection.exitCode("list x") == 2)
  }

  @Test("Marks, gaps and damage stand between the steps")
  func remarks() throws {
    var inspection = try Inspection(TodoLog.withGap)
    #expect(
      try inspection.text("list 2..5") == """
          2 todo/saved {"id":1} +1s  caused by 1
          -- steps 3 to 4 are not in the log: paused
          5 todo/toggle {"id":2} +3s  todos

        """)
    #expect(
      try inspection.json("list 2..5") == """
        {"command":"list 2..5","ok":true,"position":0,"result":{"steps":[{"n":2,"t":1,"type":"todo/saved","changed":[]},{"n":5,"t":3,"type":"todo/toggle","changed":["todos"]}]}}

        """)
    var damage = try Inspection(TodoLog.withDamage)
    #expect(
      try damage.text("list 2..4") == """
          2 todo/saved {"id":1} +1s  caused by 1
          -- damaged lines are left out
          4 todo/add {"title":""} +2s  rejected: invalid: a title is needed

        """)
    var marks = try Inspection(CauseLog.withMarks)
    #expect(
      try marks.text("list ..") == """
          -- mark begun +0s
          1 a +0s
          -- mark done +1.5s

        """)
  }
}

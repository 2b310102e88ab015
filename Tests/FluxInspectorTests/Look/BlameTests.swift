import Testing

@testable import FluxInspector

@Suite struct BlameTests {
  @Test("At the start, where a session begins, it says that only steps up to there count")
  func start() throws {
    var inspection = try Inspection()
    let note = "note: only steps up to here count, and this is the start: 'end' goes to the end\n"
    #expect(try inspection.text("blame todos.items") == "0 initial = []\n" + note)
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(try !inspection.text("blame todos.items").contains("note:"))
  }

  @Test("Blame shows the last write up to here, and all before it where asked")
  func blame() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 5"]) == [5])
    #expect(
      try inspection.text("blame todos.items[1].done") == """
        5 todo/toggle = true

        """)
    #expect(
      try inspection.json("blame todos.items[1].done") == """
        {"command":"blame todos.items[1].done","ok":true,"position":5,"result":{"path":"/todos/items/1/done","writes":[{"n":5,"type":"todo/toggle","value":true}]}}

        """)
    #expect(
      try inspection.text("blame /todos/items --all") == """
        5 todo/toggle = [{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]
        3 todo/add = [{"done":false,"id":1,"title":"milk"},{"done":false,"id":2,"title":"eggs"}]
        1 todo/add = [{"done":false,"id":1,"title":"milk"}]
        0 initial = []

        """)
    #expect(
      try inspection.json("blame /todos/items --all") == """
        {"command":"blame /todos/items --all","ok":true,"position":5,"result":{"path":"/todos/items","writes":[{"n":5,"type":"todo/toggle","value":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]},{"n":3,"type":"todo/add","value":[{"done":false,"id":1,"title":"milk"},{"done":false,"id":2,"title":"eggs"}]},{"n":1,"type":"todo/add","value":[{"done":false,"id":1,"title":"milk"}]},{"n":0,"value":[]}]}}

        """)
    #expect(
      try inspection.text("blame --all todos.items[1].done") == """
        5 todo/toggle = true
        3 todo/add = false

        """)
    #expect(
      try inspection.text("blame todos.items[*].done --all") == """
        5 todo/toggle = [false,true]
        3 todo/add = [false,false]
        1 todo/add = [false]

        """)
    #expect(
      try inspection.text("blame todos.items[-1].title") == """
        3 todo/add = "eggs"

        """)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("blame todos.items") == """
        1 todo/add = [{"done":false,"id":1,"title":"milk"}]

        """)
    #expect(inspection.stops(["goto 8"]) == [8])
    #expect(
      try inspection.text("blame search --all") == """
        8 todo/clear removed
        7 search/type = {"query":"mi"}
        6 search/open = {"query":""}

        """)
  }

  @Test("History shows all values of the log, the oldest first")
  func history() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("history search.query") == """
        6 search/open = ""
        7 search/type = "mi"
        8 todo/clear removed

        """)
    #expect(
      try inspection.json("history search.query") == """
        {"command":"history search.query","ok":true,"position":0,"result":{"path":"/search/query","writes":[{"n":6,"type":"search/open","value":""},{"n":7,"type":"search/type","value":"mi"},{"n":8,"type":"todo/clear"}]}}

        """)
    #expect(
      try inspection.text("history todos.items[0]") == """
        1 todo/add = {"done":false,"id":1,"title":"milk"}
        8 todo/clear removed

        """)
    #expect(
      try inspection.text("history todos.items[*].id") == """
        1 todo/add = [1]
        3 todo/add = [1,2]
        8 todo/clear removed

        """)
    #expect(
      try inspection.json("history todos.items[9:]") == """
        {"command":"history todos.items[9:]","ok":true,"position":0,"result":{"path":"todos.items[9:]","writes":[]}}

        """)
  }

  @Test("A value that was hidden may have been written by another step")
  func hidden() throws {
    var inspection = try Inspection(TodoLog.withGap)
    #expect(
      try inspection.text("history todos.items[0].done") == """
        1 todo/add = false
        5 todo/toggle = true  (or an earlier step that is missing or damaged)
        8 todo/clear removed

        """)
    #expect(
      try inspection.json("history todos.items[0].done") == """
        {"command":"history todos.items[0].done","ok":true,"position":0,"result":{"path":"/todos/items/0/done","writes":[{"n":1,"type":"todo/add","value":false},{"n":5,"type":"todo/toggle","value":true,"afterGap":true},{"n":8,"type":"todo/clear"}]}}

        """)
    var damage = try Inspection(TodoLog.withDamage)
    #expect(
      try damage.text("history todos.items") == """
        0 initial = []
        1 todo/add = [{"done":false,"id":1,"title":"milk"}]
        8 todo/clear = []  (or an earlier step that is missing or damaged)

        """)
    #expect(damage.stops(["goto 5"]) == [5])
    #expect(
      try damage.text("blame todos.items") == """
        1 todo/add = [{"done":false,"id":1,"title":"milk"}]
        note: todos: the states after step 2 are unknown, and a step after it may have written the value

        """)
    #expect(damage.stops(["end"]) == [8])
    #expect(
      try damage.text("blame todos.items --all") == """
        8 todo/clear = []  (or an earlier step that is missing or damaged)
        1 todo/add = [{"done":false,"id":1,"title":"milk"}]
        0 initial = []

        """)
  }

  @Test("A path that never led anywhere, or not into the state, is an error")
  func errors() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 5"]) == [5])
    #expect(
      try inspection.text("blame todos.itmes") == """
        error: no path todos.itmes at step 5; did you mean todos.items?

        """)
    #expect(
      try inspection.text("blame search") == """
        error: no path search at step 5

        """)
    #expect(
      try inspection.text("blame $.action") == """
        error: blame: $.action is not a part of the state
        hint: a path begins with a store: todos.items

        """)
    #expect(
      try inspection.text("history $.before.todos") == """
        error: history: $.before.todos is not a part of the state
        hint: a path begins with a store: todos.items

        """)
    #expect(
      try inspection.text("blame") == """
        error: blame: a path is missing
        hint: usage: blame PATH [--all]

        """)
    #expect(try inspection.exitCode("blame todos.itmes") == 3)
    #expect(try inspection.exitCode("history $") == 2)
  }

  @Test("Blame and history name the return to another model that wrote a value")
  func restored() throws {
    var inspection = try Inspection([
      #"{"flux":"1.1","stores":{"s":{"initial":{"v":0}}}}"#,
      #"{"n":1,"t":0.1,"action":{"type":"a"},"states":{"s":{"v":5}}}"#,
      #"{"n":2,"t":0.2,"action":{"type":"a"},"states":{"s":{"v":7}}}"#,
      #"{"gap":{"from":3,"to":2,"why":"restored","step":1}}"#,
      #"{"n":3,"t":0.3,"action":{"type":"b"},"states":{"s":{"v":5}}}"#,
      #"{"n":4,"t":0.4,"action":{"type":"b"},"states":{"s":{"v":6}}}"#,
      #"{"end":{"steps":4,"ok":true}}"#,
    ])
    #expect(
      try inspection.text("history s.v") == """
        0 initial = 0
        1 a = 5
        2 a = 7
        3 restored to step 1 = 5
        4 b = 6

        """)
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(try inspection.text("blame s.v") == "3 restored to step 1 = 5\n")
    #expect(
      try inspection.json("blame s.v") == #"""
        {"command":"blame s.v","ok":true,"position":3,"result":{"path":"/s/v","writes":[{"n":3,"restored":true,"to":1,"value":5}]}}

        """#)
    #expect(try inspection.text("find was(s.v) == 7") == "no step matches\n")
  }
}

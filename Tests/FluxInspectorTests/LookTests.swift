import Testing

@testable import FluxInspector

@Suite struct LookTests {
  @Test("The state is shown whole and by store, as JSON that can be piped")
  func state() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 7"]) == [7])
    #expect(
      try inspection.text("state search") == """
        {
          "query": "mi"
        }

        """)
    #expect(
      try inspection.json("state search") == #"""
        {"command":"state search","ok":true,"position":7,"result":{"value":{"query":"mi"}}}

        """#)
    #expect(
      try inspection.json("state") == #"""
        {"command":"state","ok":true,"position":7,"result":{"value":{"search":{"query":"mi"},"todos":{"items":[{"done":false,"id":1,"title":"milk"},{"done":true,"id":2,"title":"eggs"}]}}}}

        """#)
    #expect(inspection.stops(["end"]) == [8])
    #expect(
      try inspection.text("state") == """
        {
          "todos": {
            "items": []
          }
        }

        """)
  }

  @Test("A range inside a gap lists the gap")
  func rangeInGap() throws {
    var inspection = try Inspection(TodoLog.withGap)
    #expect(
      try inspection.text("list 3..4") == """
          -- steps 3 to 4 are not in the log: paused
        no steps

        """)
  }

  @Test("A store that is not there, absent, or not known is an error of its own")
  func missingStores() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("state todo") == """
        error: no store todo; did you mean todos?
        hint: the stores are search, todos

        """)
    #expect(
      try inspection.json("state search") == #"""
        {"command":"state search","ok":false,"position":0,"error":{"code":"no-store","message":"the store search is absent at step 0"}}

        """#)
    var damaged = try Inspection(TodoLog.withDamage)
    #expect(damaged.stops(["goto 5"]) == [5])
    #expect(
      try damaged.json("state todos") == #"""
        {"command":"state todos","ok":false,"position":5,"error":{"code":"unknown-state","message":"the state of todos is unknown at step 5: lines before it are damaged","hint":"a state is known again when its store is next written whole: try 'step', or go back"}}

        """#)
    #expect(try damaged.exitCode("state") == 4)
    #expect(try damaged.exitCode("end") == 0)
    #expect(try damaged.exitCode("state") == 0)
  }

  @Test("state with a path is print")
  func statePath() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 5"]) == [5])
    for path in [
      "todos.items[0].title", "/todos/items", "todos.items[?@.done == true].id", "todos.itmes",
      "tods.items", "$.action.type", "todos.items --depth 1",
    ] {
      #expect(try inspection.text("state \(path)") == inspection.text("print \(path)"), "\(path)")
    }
    #expect(
      try inspection.json("state todos.items[0].title") == #"""
        {"command":"state todos.items[0].title","ok":true,"position":5,"result":{"nodes":[{"path":"/todos/items/0/title","value":"milk"}]}}

        """#)
  }

  @Test("A path prints the values that it selects")
  func print() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 5"]) == [5])
    #expect(
      try inspection.text("print todos.items[0]") == """
        {
          "done": false,
          "id": 1,
          "title": "milk"
        }

        """)
    #expect(try inspection.text("p /todos/items/1/title") == "\"eggs\"\n")
    #expect(
      try inspection.text("print todos.items[*].title") == """
        todos.items[0].title = "milk"
        todos.items[1].title = "eggs"

        """)
    #expect(
      try inspection.json("print todos.items[?@.done].id") == #"""
        {"command":"print todos.items[?@.done].id","ok":true,"position":5,"result":{"nodes":[{"path":"/todos/items/0/id","value":1},{"path":"/todos/items/1/id","value":2}]}}

        """#)
    #expect(
      try inspection.json("print $.action.payload") == #"""
        {"command":"print $.action.payload","ok":true,"position":5,"result":{"nodes":[{"path":"$['action']['payload']","value":{"id":2}}]}}

        """#)
    #expect(
      try inspection.json("print todos.items[?@.id > 9]") == #"""
        {"command":"print todos.items[?@.id > 9]","ok":true,"position":5,"result":{"nodes":[]}}

        """#)
  }

  @Test("A path that leads nowhere says where it was probably to lead")
  func paths() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 3"]) == [3])
    #expect(
      try inspection.text("print todos.itmes") == """
        error: no path todos.itmes at step 3; did you mean todos.items?

        """)
    #expect(
      try inspection.text("print $.todos.items[0]") == """
        error: no path $.todos.items[0] at step 3; did you mean $.state.todos.items[0]?

        """)
    #expect(
      try inspection.json("print todos.items[7]") == #"""
        {"command":"print todos.items[7]","ok":false,"position":3,"error":{"code":"no-path","message":"no path todos.items[7] at step 3","hint":"todos.items has 2 elements; the last is todos.items[1]"}}

        """#)
    #expect(try inspection.exitCode("print todos.items[7]") == 3)
    #expect(
      try inspection.text("print todos.items.[0]") == """
        error: print: column 13: expected a name or '*' after '.', found '['
          todos.items.[0]
                      ^
        hint: usage: print VALUE [--depth N] [--all]

        """)
  }

  @Test("An action is shown with where it came from")
  func action() throws {
    var inspection = try Inspection()
    #expect(try inspection.exitCode("action") == 3)
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(
      try inspection.text("action") == """
        todo/saved
        {
          "id": 1
        }
        cause: step 1
        effect: save
        at: Todos.swift:12

        """)
    #expect(
      try inspection.json("action") == #"""
        {"command":"action","ok":true,"position":2,"result":{"action":{"type":"todo/saved","payload":{"id":1}},"cause":1,"effect":"save","at":"Todos.swift:12"}}

        """#)
  }

  @Test("An action that an observer dispatched says so")
  func actionOfObserver() throws {
    var inspection = try Inspection([
      #"{"flux":"1.1","stores":{"a":{"initial":0}}}"#,
      #"{"n":1,"t":1,"action":{"type":"x"},"states":{"a":1}}"#,
      #"{"n":2,"t":1,"action":{"type":"y"},"cause":1,"from":"observer"}"#,
      #"{"end":{"steps":2,"ok":true}}"#,
    ])
    #expect(inspection.stops(["goto 2"]) == [2])
    #expect(try inspection.text("action") == "y\ncause: step 1\nfrom: observer\n")
    #expect(
      try inspection.json("action") == #"""
        {"command":"action","ok":true,"position":2,"result":{"action":{"type":"y"},"cause":1,"from":"observer"}}

        """#)
  }
}

@Suite("Paths that are not there")
struct MissingPathTests {
  @Test(
    "A path or a function of one that is not there suggests what is",
    arguments: [
      ("print threads[0]", "no path threads[0] at step 3\nhint: the stores are search, todos"),
      ("print length(threads)", "no path threads at step 3\nhint: the stores are search, todos"),
      (
        "print todo.itmes[0].id",
        "no path todo.itmes[0].id at step 3; did you mean todos.items[0].id?"
      ),
      ("print length(todo.items)", "no path todo at step 3; did you mean todos?"),
      ("print length(todos.itmes)", "no path todos.itmes at step 3; did you mean todos.items?"),
      ("print length(todos.items[0].id)", "length(todos.items[0].id) has no value at step 3"),
      ("print search.query", "no path search.query at step 3"),
      ("blame threads", "no path threads at step 3\nhint: the stores are search, todos"),
    ])
  func suggests(command: String, answer: String) throws {
    var inspection = try Inspection()
    _ = inspection.stops(["goto 3"])
    #expect(try inspection.text(command) == "error: \(answer)\n")
  }
}

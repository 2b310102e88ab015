import Testing

@testable import FluxInspector

@Suite struct DisplayTests {
  @Test("A display is shown at once and after every move, until it is taken away")
  func display() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("display") == """
        no displays

        """)
    #expect(inspection.stops(["goto 5"]) == [5])
    #expect(
      try inspection.text("display todos.items[0].title") == """
          1: todos.items[0].title = "milk"

        """)
    #expect(
      try inspection.json("display todos.items[0].title") == """
        {"command":"display todos.items[0].title","ok":true,"position":5,"result":{"number":2,"path":"todos.items[0].title","nodes":[{"path":"/todos/items/0/title","value":"milk"}]}}

        """)
    #expect(
      try inspection.text("display todos.items[*].id") == """
          3: todos.items[*].id
             todos.items[0].id = 1
             todos.items[1].id = 2

        """)
    #expect(
      try inspection.text("display") == """
          1: todos.items[0].title = "milk"
          2: todos.items[0].title = "milk"
          3: todos.items[*].id
             todos.items[0].id = 1
             todos.items[1].id = 2

        """)
    #expect(
      try inspection.text("undisplay 1") == """

        """)
    #expect(
      try inspection.text("back") == """
        4 todo/add {"title":""} +2s
          rejected by todos: invalid: a title is needed
          2: todos.items[0].title = "milk"
          3: todos.items[*].id
             todos.items[0].id = 1
             todos.items[1].id = 2

        """)
    #expect(
      try inspection.json("display") == """
        {"command":"display","ok":true,"position":4,"result":{"displays":[{"number":2,"path":"todos.items[0].title","nodes":[{"path":"/todos/items/0/title","value":"milk"}]},{"number":3,"path":"todos.items[*].id","nodes":[{"path":"/todos/items/0/id","value":1},{"path":"/todos/items/1/id","value":2}]}]}}

        """)
    #expect(
      try inspection.text("undisplay 1") == """
        error: no display 1
        hint: 'display' lists them

        """)
    #expect(try inspection.exitCode("undisplay 1") == 3)
    #expect(try inspection.exitCode("undisplay x") == 2)
  }

  @Test("A path that leads nowhere yet is displayed all the same")
  func absent() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("display todos.itmes") == """
          1: todos.itmes has no value
        note: no path todos.itmes at step 0; did you mean todos.items?

        """)
    #expect(
      try inspection.text("display search.query") == """
          2: search.query has no value
        note: no path search.query at step 0

        """)
    #expect(
      try inspection.text("goto 7") == """
        7 search/type "mi" +4.75s
          changed: search
          caused by step 6
          1: todos.itmes has no value
          2: search.query = "mi"

        """)
  }
}

import Testing

@testable import FluxInspector

@Suite struct FindTests {
  @Test("A glob finds steps by their type")
  func globs() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("find todo/*") == """
        1 todo/add {"title":"milk"} +0.5s  todos
        2 todo/saved {"id":1} +1s  caused by 1
        3 todo/add {"title":"eggs"} +1.25s  todos
        4 todo/add {"title":""} +2s  rejected: invalid: a title is needed
        5 todo/toggle {"id":2} +3s  todos
        8 todo/clear +10s  todos, search

        """)
    #expect(
      try inspection.json("find todo/*") == """
        {"command":"find todo/*","ok":true,"position":0,"result":{"steps":[{"n":1,"t":0.5,"type":"todo/add","changed":["todos"]},{"n":2,"t":1,"type":"todo/saved","changed":[]},{"n":3,"t":1.25,"type":"todo/add","changed":["todos"]},{"n":4,"t":2,"type":"todo/add","changed":[],"rejected":{"reason":"invalid","message":"a title is needed","store":"todos"}},{"n":5,"t":3,"type":"todo/toggle","changed":["todos"]},{"n":8,"t":10,"type":"todo/clear","changed":["todos","search"]}]}}

        """)
    #expect(
      try inspection.text("find todo/add in 2..8") == """
        3 todo/add {"title":"eggs"} +1.25s  todos
        4 todo/add {"title":""} +2s  rejected: invalid: a title is needed

        """)
    #expect(
      try inspection.text("f */saved in ..2") == """
        2 todo/saved {"id":1} +1s  caused by 1

        """)
  }

  @Test("An expression finds steps by what they are and what they lead to")
  func expressions() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("find $.rejected") == """
        4 todo/add {"title":""} +2s  rejected: invalid: a title is needed

        """)
    #expect(
      try inspection.json("find $.rejected") == """
        {"command":"find $.rejected","ok":true,"position":0,"result":{"steps":[{"n":4,"t":2,"type":"todo/add","changed":[],"rejected":{"reason":"invalid","message":"a title is needed","store":"todos"}}]}}

        """)
    #expect(
      try inspection.text("find todos.items[1].done == true") == """
        5 todo/toggle {"id":2} +3s  todos
        6 search/open +4.5s  search
        7 search/type "mi" +4.75s  search  caused by 6

        """)
    #expect(
      try inspection.text("find length(todos.items) > 1 in 4..") == """
        4 todo/add {"title":""} +2s  rejected: invalid: a title is needed
        5 todo/toggle {"id":2} +3s  todos
        6 search/open +4.5s  search
        7 search/type "mi" +4.75s  search  caused by 6

        """)
    #expect(
      try inspection.text("find -x todos.items[0] in 6..") == """
        6 search/open +4.5s  search
        7 search/type "mi" +4.75s  search  caused by 6

        """)
    #expect(
      try inspection.text("find $.action.type == 'a in b' || $.n == 3") == """
        3 todo/add {"title":"eggs"} +1.25s  todos

        """)
  }

  @Test("Nothing found ends a batch with 1, and says what was probably meant")
  func nothing() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("find todo/adx") == """
        no step matches
        note: did you mean todo/add?

        """)
    #expect(
      try inspection.json("find todo/adx") == """
        {"command":"find todo/adx","ok":true,"position":0,"result":{"steps":[]}}
        note: did you mean todo/add?

        """)
    #expect(try inspection.exitCode("find todo/adx") == 1)
    #expect(
      try inspection.text("find todo/add in 5..") == """
        no step matches

        """)
    #expect(try inspection.exitCode("find $.n > 99") == 1)
    #expect(
      try inspection.text("find $.n > 99") == """
        no step matches

        """)
  }

  @Test("Steps that cannot be judged are counted")
  func unknown() throws {
    var inspection = try Inspection(TodoLog.withDamage)
    #expect(
      try inspection.text("find todos.items[0].done == false") == """
        1 todo/add {"title":"milk"} +0.5s  todos
        2 todo/saved {"id":1} +1s  caused by 1
        4 steps cannot be judged: a state that decides is unknown there

        """)
    #expect(
      try inspection.json("find todos.items[0].done == false") == """
        {"command":"find todos.items[0].done == false","ok":true,"position":0,"result":{"steps":[{"n":1,"t":0.5,"type":"todo/add","changed":["todos"]},{"n":2,"t":1,"type":"todo/saved","changed":[]}],"unknown":4}}

        """)
    #expect(
      try inspection.text("count todos.items[0].done == false") == """
        2
        4 steps cannot be judged: a state that decides is unknown there

        """)
    #expect(
      try inspection.json("count todos.items[0].done == false") == """
        {"command":"count todos.items[0].done == false","ok":true,"position":0,"result":{"count":2,"unknown":4}}

        """)
  }

  @Test("What is neither a glob nor an expression, and a wrong range, say so")
  func errors() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("find todos in") == """
        no step matches
        note: this is no expression, and was searched as a text in types and payloads

        """)
    #expect(
      try inspection.text("find") == """
        error: find: a glob, an expression or a text is missing
        hint: usage: find [-x] GLOB|EXPR|TEXT [in RANGE]

        """)
    #expect(
      try inspection.text("find in 1..2") == """
        error: find: a glob, an expression or a text is missing
        hint: usage: find [-x] GLOB|EXPR|TEXT [in RANGE]

        """)
    #expect(
      try inspection.text("find x in y") == """
        error: find: y is not a range
        hint: a range is A..B, inclusive, and either end may be omitted; a position is 42, +5, -5, 50%, start, end, end-5, @12.5 (seconds), @-2 (seconds from here), @12:03:04 (clock), todo/add#3 or $bookmark

        """)
    #expect(
      try inspection.text("find x in 5..2") == """
        error: the range ends at step 2, before it begins at step 5

        """)
    #expect(
      try inspection.text("count") == """
        error: count: a glob, an expression or a text is missing
        hint: usage: count [-x] GLOB|EXPR|TEXT [in RANGE]

        """)
  }

  @Test("Matches are counted")
  func count() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("count todo/*") == """
        6

        """)
    #expect(
      try inspection.json("count todo/*") == """
        {"command":"count todo/*","ok":true,"position":0,"result":{"count":6}}

        """)
    #expect(
      try inspection.text("count *add in 2..8") == """
        2

        """)
    #expect(
      try inspection.text("count $.rejected") == """
        1

        """)
    #expect(
      try inspection.text("count search.query == 'mi' in 1..5") == """
        0

        """)
    #expect(
      try inspection.text("count todo/adx") == """
        0
        note: did you mean todo/add?

        """)
    #expect(try inspection.exitCode("count nothing") == 0)
  }
}

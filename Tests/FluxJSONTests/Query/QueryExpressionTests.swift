import Testing

@testable import FluxJSON

@Suite("QueryExpression")
struct QueryExpressionTests {
  /// Counts which members of a step's document were made.
  private final class Made {
    var members: [String] = []
  }

  /// The document of a step that toggled one of two todos, each member made on demand.
  private func document(_ made: Made = Made()) -> QueryDocument {
    let before =
      #"{"items":[{"id":1,"done":false,"title":"milk"},{"id":2,"done":true,"title":"é"}]}"#
    let after = before.replacing(#""id":1,"done":false"#, with: #""id":1,"done":true"#)
    func member(_ name: String, _ text: String) -> QueryDocument.Member {
      QueryDocument.Member(name) {
        made.members.append(name)
        return QueryDocument(try JSON.parse(text))
      }
    }
    func states(_ name: String, _ todos: String) -> QueryDocument.Member {
      QueryDocument.Member(name) {
        QueryDocument(members: [
          member("\(name)/todos", todos).renamed("todos"),
          member("\(name)/search", #"{"text":"mi"}"#).renamed("search"),
        ])
      }
    }
    return QueryDocument(
      members: [
        member("n", "5"), member("changed", #"["todos"]"#),
        member("action", #"{"type":"todo/toggle","payload":{"id":1,"title":"milk"}}"#),
        QueryDocument.Member("cause") { nil },
        states("state", after), states("before", before),
      ],
      changes: { store in
        made.members.append("changed")
        return store == "todos"
      })
  }

  @Test(
    "Expressions hold or do not",
    arguments: [
      ("todos.items[0].done == true && $.action.type == 'todo/toggle'", true),
      ("todos.items[0].done", true),
      ("todos.items[7]", false),
      ("!todos.items[7]", true),
      ("$.cause", false),
      ("$.n == 5.0", true),
      ("$.n == 5e0 && $.n < 6 && $.n >= 5 && $.n != '5'", true),
      ("length(todos.items) > 3 || count(todos.items[*]) == 2", true),
      ("match($.action.payload.title, 'mi.*')", true),
      ("match($.action.payload.title, 'i')", false),
      ("search($.action.payload.title, search.text)", true),
      ("value(todos.items[?@.id == 2].title) == 'é'", true),
      // Two scalars look like one, and are another text.
      ("value(todos.items[?@.id == 2].title) == 'e\u{301}'", false),
      ("changed(todos)", true),
      ("changed(search)", false),
      ("changed(todos.items[0].done)", true),
      ("changed(todos.items[1])", false),
      ("changed(todos.items[?@.done])", true),
      ("changed(todos.items[9])", false),
      ("changed(/todos/items/0)", true),
      ("was(todos.items[0].done) == false", true),
      ("was(todos.items[0].done) == todos.items[0].done", false),
      ("was(todos.items[1].done) == todos.items[1].done", true),
      ("length(was(todos.items)) == length(todos.items)", true),
      ("/todos/items/0/done == true && !(/todos/items/1/done==false)", true),
      ("(todos.items[0].done)", true),
      ("$.state.todos.items[?@.id == $.action.payload.id && @.done]", true),
      ("todos.nothing == search.nothing", true),
      ("todos == todos", true),
      ("null == null && true != false", true),
    ])
  func holds(text: String, expected: Bool) throws {
    #expect(try QueryExpression(text).holds(for: document()) == expected)
  }

  @Test("Only what an expression reads is made")
  func laziness() throws {
    func made(_ text: String) throws -> [String] {
      let made = Made()
      _ = try QueryExpression(text).holds(for: document(made))
      return made.members
    }
    #expect(try made("$.action.type == 'x' && todos.items") == ["action"])
    #expect(try made("search.text == 'mi'") == ["state/search"])
    #expect(try made("changed(search.text)") == ["changed"])
    #expect(try made("changed(todos.items)") == ["changed", "before/todos", "state/todos"])
  }

  @Test("An expression tells beforehand what it reads")
  func footprint() throws {
    let expression = try QueryExpression(
      "todos.items[0].done == true && changed(search.text) && $.action.type == 'a'")
    #expect(
      expression.footprint.places.map(\.description) == [
        "/state/todos/items/0/done", "/state/search/text", "/before/search/text",
        "/changed/search", "/action/type",
      ])
    #expect(expression.footprint.stores == ["todos", "search"])
    #expect(expression.footprint.reads("before"))
    #expect(!expression.footprint.reads("n"))
    #expect(!expression.footprint.readsAllChanges)
    #expect(try QueryExpression("$.changed[0] == 'todos'").footprint.readsAllChanges)
    #expect(try QueryExpression("$.state[?@.a]").footprint.stores == nil)
    #expect(try QueryExpression("$.n == 1").footprint.stores == [])
  }

  struct Broken: Error {}

  @Test("What a member throws, the evaluation throws")
  func errors() throws {
    let document = QueryDocument(members: [
      QueryDocument.Member("state") { throw Broken() }
    ])
    #expect(throws: Broken.self) { try QueryExpression("todos.a == 1").holds(for: document) }
    #expect(try QueryExpression("$.n == 1").holds(for: document) == false)
  }

  @Test(
    "What is no expression is refused, with the column and a caret",
    arguments: [
      (
        "true",
        """
        column 1: a literal is not a condition
          true
          ^
        compare something with it, as in a == 1
        """
      ),
      (
        "todos.items[0].done = true",
        """
        column 21: expected '&&', '||' or the end, found '='
          todos.items[0].done = true
                              ^
        values are compared with '=='
        """
      ),
      (
        "a == 1 and b == 2",
        """
        column 8: expected '&&', '||' or the end, found 'a'
          a == 1 and b == 2
                 ^
        write '&&' for 'and'
        """
      ),
      (
        "!a == 1",
        """
        column 4: '!' cannot precede a comparison
          !a == 1
             ^
        put the comparison in parentheses
        """
      ),
      (
        "length(a)",
        """
        column 1: the value of a function is not a condition
          length(a)
          ^
        compare it with something, as in length(@.a) > 0
        """
      ),
      (
        "changed($.action)",
        """
        column 9: only states have a value before the step
          changed($.action)
                  ^
        start the path with the name of a store
        """
      ),
      (
        "match(a)",
        """
        column 1: match() takes two arguments, not 1
          match(a)
          ^
        """
      ),
      ("", "column 1: there is no expression\n  \n  ^"),
      (
        "a == 'x",
        """
        column 6: this string has no closing '
          a == 'x
               ^
        """
      ),
      (
        "a.b[?c == 1]",
        """
        column 6: expected a path, a literal or a function, found 'c'
          a.b[?c == 1]
               ^
        """
      ),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: QueryError.self) { try QueryExpression(text) }
    #expect(error?.message == message)
  }

  @Test(
    "The caret of a column outside of the query is at its start or end",
    arguments: [(Int.min, "^"), (-1, "^"), (0, "^"), (4, "   ^"), (5, "   ^"), (Int.max, "   ^")])
  func columns(column: Int, caret: String) {
    let error = QueryError(query: "abc", column: column, reason: "no")
    #expect(error.message == "column \(column): no\n  abc\n  \(caret)")
  }
}

extension QueryDocument.Member {
  /// The same member under another name.
  fileprivate func renamed(_ name: String) -> QueryDocument.Member {
    QueryDocument.Member(name, value: value)
  }
}

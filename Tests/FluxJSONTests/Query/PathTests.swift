import Testing

@testable import FluxJSON

@Suite("Path")
struct PathTests {
  private let step = try? JSON.parse(
    #"""
    {"n":5,"action":{"type":"todo/toggle","payload":{"id":1}},"changed":["todos"],
     "state":{"todos":{"items":[{"id":1,"done":true},{"id":2,"done":false}],"user-id":7},"n":1},
     "before":{"todos":{"items":[{"id":1,"done":false},{"id":2,"done":false}],"user-id":7},"n":1}}
    """#)

  private func nodes(_ text: String) throws -> [String] {
    try Path(text, dialect: .inspector).nodes(in: #require(step)).map {
      "\($0.location.modelPointer?.description ?? $0.location.normalizedPath)=\($0.value.text)"
    }
  }

  @Test(
    "The inspector's paths: RFC 9535, a bare name for a store, a JSON Pointer from the model",
    arguments: [
      ("$.n", ["$['n']=5"]),
      ("n", ["/n=1"]),
      ("todos.items[0].done", ["/todos/items/0/done=true"]),
      ("todos['user-id']", ["/todos/user-id=7"]),
      ("  todos.items[-1].id ", ["/todos/items/1/id=2"]),
      ("todos.items[*].done", ["/todos/items/0/done=true", "/todos/items/1/done=false"]),
      ("todos.items[?@.done==true].id", ["/todos/items/0/id=1"]),
      ("todos.items[?@.id==$.action.payload.id].id", ["/todos/items/0/id=1"]),
      ("todos.items[?@.id==was($.state.todos.items[0].id)].id", ["/todos/items/0/id=1"]),
      ("/todos/items/0/done", ["/todos/items/0/done=true"]),
      ("/todos/user-id", ["/todos/user-id=7"]),
      ("/n", ["/n=1"]),
      ("/todos/items/-", []),
      ("/todos/items/00", []),
      ("todos.itmes", []),
      ("true", []),
      (
        "$..id",
        [
          "$['action']['payload']['id']=1", "/todos/items/0/id=1", "/todos/items/1/id=2",
          "$['before']['todos']['items'][0]['id']=1", "$['before']['todos']['items'][1]['id']=2",
        ]
      ),
    ])
  func inspector(text: String, expected: [String]) throws {
    #expect(try nodes(text) == expected)
  }

  @Test(
    "What is no path is refused, with the column and a caret",
    arguments: [
      (
        "todos.items[0", Path.Dialect.inspector,
        """
        column 14: expected ',' or ']' after a selector, found the end
          todos.items[0
                       ^
        """
      ),
      (
        "todos.user-id", .inspector,
        """
        column 11: expected a segment: '.name', '[…]' or '..', found '-'
          todos.user-id
                    ^
        write a name with characters other than letters, digits and '_' as ['some-name']
        """
      ),
      (
        "todos.items[?lenght(@.a) > 1]", .inspector,
        """
        column 14: there is no function 'lenght'
          todos.items[?lenght(@.a) > 1]
                       ^
        did you mean length?
        """
      ),
      (
        "@.a", .inspector,
        """
        column 1: '@' is only allowed inside a filter
          @.a
          ^
        start with the name of a store, with '/' for a JSON Pointer, or with '$'
        """
      ),
      (
        "a", .standard,
        """
        column 1: a path cannot start with 'a'
          a
          ^
        a path starts with '$'
        """
      ),
      (
        "$[?@.a = 1]", .standard,
        """
        column 8: expected ',' or ']' after a selector, found '='
          $[?@.a = 1]
                 ^
        values are compared with '=='
        """
      ),
      (
        "$[?was($.a)]", .standard,
        """
        column 4: there is no function 'was'
          $[?was($.a)]
             ^
        the functions are length, count, match, search, value
        """
      ),
      (
        "$[?@.* == 1]", .standard,
        """
        column 4: this path can select more than one value
          $[?@.* == 1]
             ^
        use only names and indices here; value(PATH) takes one, count(PATH) counts them
        """
      ),
      (
        "/a~2", .inspector,
        """
        column 1: the JSON Pointer "/a~2" has a '~' at byte 2 without 0 or 1 after it; '~' is written \
        ~0 and '/' is written ~1
          /a~2
          ^
        """
      ),
      (
        "$[00]", .standard,
        """
        column 3: an index with leading zeros
          $[00]
            ^
        """
      ),
    ])
  func refused(text: String, dialect: Path.Dialect, message: String) {
    let error = #expect(throws: QueryError.self) { try Path(text, dialect: dialect) }
    #expect(error?.message == message)
  }

  @Test("Brackets may nest to a limit, and no deeper text overflows the stack")
  func nesting() throws {
    for levels in [60, 64, 65, 100_000] {
      let text =
        "$[?" + String(repeating: "(", count: levels) + "@" + String(repeating: ")", count: levels)
        + "]"
      if levels < QueryParser.depthLimit {
        _ = try Path(text)
      } else {
        #expect(throws: QueryError.self) { try Path(text) }
      }
    }
  }

  @Test("An absolute query in a filter is evaluated once, not once for each element")
  func absoluteQueries() throws {
    let items = (0..<3_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let document = try JSON.parse(#"{"items":[\#(items)],"selected":7}"#)
    // Evaluated for each element, this would visit nine million nodes and call check 9,000 times.
    var checks = 0
    let path = try Path("$.items[?@.id == $.selected && count($..id) == 3000]")
    #expect(try path.nodes(in: document, check: { checks += 1 }).count == 1)
    #expect(checks < 100)
  }

  struct Cancelled: Error {}

  @Test("What the check throws ends the evaluation")
  func cancellation() throws {
    let text = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let path = try Path("$..[*]..[*]..[*]")
    let document = try JSON.parse(text)
    #expect(throws: Cancelled.self) {
      try path.nodes(in: document, check: { throw Cancelled() })
    }
  }

  @Test("A missing name is reported with how far the path leads and what was meant")
  func misses() throws {
    let document = QueryDocument(try #require(step))
    let miss = try Path("todos.itmes[0]", dialect: .inspector).miss(in: document)
    #expect(miss?.reached.shorthand == "todos")
    #expect(miss?.missing == "itmes")
    #expect(miss?.suggestion?.shorthand == "todos.items[0]")
    #expect(miss?.nearest?.shorthand == "todos.items")
    for (text, meant) in [
      ("tods.itmes[1].doen", "todos.items[1].done"), ("todos.itmes[9].done", "todos.items"),
      ("todos.itmes[0].nothing", "todos.items[0]"), ("/todo/itmes/1", "todos.items[1]"),
      ("$.acton.type", "$.action.type"), ("todos.nothing.done", nil),
    ] {
      let miss = try Path(text, dialect: .inspector).miss(in: document)
      #expect(miss?.suggestion?.shorthand == meant, "\(text)")
    }
    #expect(try Path("/todos/items/5", dialect: .inspector).miss(in: document)?.missing == "5")
    #expect(try Path("todos.items[0]", dialect: .inspector).miss(in: document) == nil)
    #expect(try Path("todos.nothing[*]", dialect: .inspector).miss(in: document) == nil)
  }

  @Test(
    "The short form of a location is a path to it",
    arguments: [
      (["state", "todos", "a b"], "todos['a b']"), (["state", "true", "x"], "$.state.true.x"),
      (["state", "nullable"], "nullable"), (["state", "a b"], "$.state['a b']"),
      (["action", "type"], "$.action.type"),
    ])
  func shorthands(names: [String], text: String) throws {
    let location = Location(names.map { .name($0) })
    #expect(location.shorthand == text)
    let document = Self.nested(names)
    #expect(try Path(text, dialect: .inspector).nodes(in: document).map(\.location) == [location])
  }

  /// A document with one value, below these names.
  private static func nested(_ names: [String]) -> JSON {
    names.reversed().reduce(1) { value, name in JSON(object: [(name, value)]) }
  }

  @Test("A path tells what it reads")
  func footprints() throws {
    func places(_ text: String) throws -> [String] {
      try Path(text, dialect: .inspector).footprint.places.map(\.description)
    }
    #expect(try places("todos.items[0].done") == ["/state/todos/items/0/done"])
    #expect(try places("todos.items[*].done") == ["/state/todos/items"])
    #expect(try places("todos.items[-1]") == ["/state/todos/items"])
    #expect(try places("/todos/items/0") == ["/state/todos/items/0"])
    #expect(try places("$..a") == [""])
    #expect(
      try places("todos.items[?@.id == $.action.payload.id && was($.state.search.text) == 'a']")
        == ["/state/todos/items", "/action/payload/id", "/before/search/text"])
  }

  @Test("A path that selects too many nodes ends in an error")
  func selectionLimit() throws {
    let nested = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let document = QueryDocument(try JSON.parse(nested))
    let limit = MemoryLimit(byteCount: 100_000)
    let path = try Path("$..*..*..*")
    let error = #expect(throws: QueryError.self) { try path.nodes(in: document, limit: limit) }
    #expect(error?.reason == "the query selects more nodes than fit into 100000 bytes")
    #expect(
      error?.hint
        == "use fewer '..', or set FLUX_MEMORY_LIMIT to more megabytes to raise the limit")
    // The nodes that a filter asks for are released after each test, and locations count, too.
    let filter = try Path("$[?count(@..*) > 10]")
    #expect(try filter.nodes(in: document, limit: limit).count == 1)
    #expect(
      try Path("$..*").nodes(in: document, limit: MemoryLimit(byteCount: 200_000)).count == 99)
    #expect(throws: QueryError.self) { try Path("$..*").nodes(in: document, limit: limit) }
  }
}

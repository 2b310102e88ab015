import FluxJSON
import Testing

@testable import FluxLog

@Suite("Glob and StepFilter")
struct GlobTests {
  @Test(
    "A star is any run, '/' included, and a question mark is any one",
    arguments: [
      ("todo/add", "todo/add", true), ("todo/*", "todo/add", true), ("todo/*", "todo/", true),
      ("todo/*", "todo", false), ("*", "", true), ("*", "a/b/c", true), ("*add", "todo/add", true),
      ("t*/a*", "todo/add", true), ("t?do/add", "todo/add", true), ("t?do", "tdo", false),
      ("*a*b", "xaxbxab", true), ("*a*b", "xaxbxa", false), ("?", "😀", true), ("?", "", false),
      ("**", "x", true), ("", "", true), ("", "x", false), ("[a]", "[a]", true),
      ("é", "e\u{301}", false),
    ])
  func globs(pattern: String, type: String, expected: Bool) {
    #expect(Glob(pattern).matches(type) == expected)
  }

  @Test("A glob without wildcards is that one type")
  func literal() {
    #expect(Glob("todo/add").literal == "todo/add")
    #expect(Glob("todo/*").literal == nil)
  }

  @Test("Many stars take no more than pattern times text steps")
  func stars() {
    let pattern = String(repeating: "a*", count: 200) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2_000)))
  }

  @Test("A filter is a glob unless it has a blank or a character that expressions are made of")
  func filters() throws {
    #expect(try StepFilter("todo/*") == .glob(Glob("todo/*")))
    #expect(try StepFilter("/todos/items") == .glob(Glob("/todos/items")))
    #expect(try StepFilter("$.n==1") == .expression(QueryExpression("$.n==1")))
    #expect(try StepFilter("changed(todos)") == .expression(QueryExpression("changed(todos)")))
    #expect(throws: QueryError.self) { try StepFilter("todo add") }
  }
}

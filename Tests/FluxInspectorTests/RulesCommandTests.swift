import Testing

@testable import FluxInspector

@Suite struct RulesCommandTests {
  private static let files = [
    "todo.rules": """
    rule few:   always length(todos.items) < 2
    rule added: never rejected todo/add
    rule saved: todo/add leads to todo/saved within 1s

    """,
    "bad.rules": "rule few: always length(todos.items < 2",
  ]

  @Test("rules are checked in the open log, and moves stop at violations that are caught")
  func violations() throws {
    var inspection = try Inspection(world: RecordedWorld(files: Self.files))
    #expect(
      try inspection.text("catch rule few") == """
        error: no rules have been checked yet
        hint: 'rules FILE' checks the log against a file of rules

        """)
    #expect(
      try inspection.text("rules todo.rules") == """
        violated: LOG: 3 of 3 rules, 8 steps

          LOG:4: step 3, todo/add
            violates rule few: always length(todos.items) < 2
            next:
              goto 3
              diff

          LOG:5: step 4, todo/add
            violates rule added: never rejected todo/add
            next:
              goto 4
              diff

          LOG:6: step 5, todo/toggle
            violates rule saved: todo/add leads to todo/saved within 1s
            next:
              goto 5
              diff

        """)
    #expect(try inspection.exitCode("rules todo.rules") == 1)
    #expect(
      try inspection.text("catch rule fwe") == "error: there is no rule fwe; did you mean few?\n")
    #expect(try inspection.text("catch rule saved") == "1 catchpoint rule saved\n")
    #expect(try inspection.text("catch rule few") == "2 catchpoint rule few\n")
    #expect(inspection.stops(["continue", "continue", "continue"]) == [3, 5, 8])
  }

  @Test("a mistake in the file is shown at its column")
  func mistakes() throws {
    var inspection = try Inspection(world: RecordedWorld(files: Self.files))
    #expect(
      try inspection.text("rules bad.rules") == """
        error: bad.rules:1:37: expected ',' or ')' after an argument, found '<'
          rule few: always length(todos.items < 2
                                              ^

        """)
  }
}

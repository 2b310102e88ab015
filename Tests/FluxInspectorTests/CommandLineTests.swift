import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct CommandLineTests {
  @Test("A command is found by name, alias and unique beginning, in this order")
  func names() throws {
    #expect(try CommandRegistry.standard.table.command(named: "step").name == "step")
    #expect(try CommandRegistry.standard.table.command(named: "s").name == "step")
    #expect(try CommandRegistry.standard.table.command(named: "unt").name == "until")
    #expect(try CommandRegistry.standard.table.command(named: "?").name == "help")
    let registry = CommandRegistry([.step, .state, .start])
    #expect(
      throws: CommandError(
        .usage, "sta is ambiguous: start, state", hint: "write more of the name")
    ) { try registry.table.command(named: "sta") }
  }

  @Test("A mistyped command, option or argument says what was probably meant, and how to write it")
  func usage() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("stepp") == """
        error: no command stepp; did you mean step?
        hint: 'help' lists the commands

        """)
    #expect(
      try inspection.text("step x") == """
        error: step: expected a number of steps, at least 1, found x
        hint: usage: step [n]

        """)
    #expect(
      try inspection.text("step --all") == """
        error: step: no option --all
        hint: usage: step [n]

        """)
    #expect(
      try inspection.text("until $.n > 3 --reverse") == """
        error: until: no option --reverse
        hint: usage: until [-r] GLOB|EXPR|TEXT

        """)
    #expect(
      try inspection.json("undo 1") == #"""
        {"command":"undo 1","ok":false,"position":0,"error":{"code":"usage","message":"undo: too many arguments","hint":"usage: undo"}}

        """#)
    #expect(try inspection.exitCode("undo 1") == 2)
  }

  @Test("Options of a command that takes words stand between them, too")
  func optionsBetweenWords() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    #expect(
      try inspection.transcript("export csv -o out 1..2", "export csv --force out 2..2") == """
        > export csv -o out 1..2
        2 steps exported to out
        > export csv --force out 2..2
        1 step exported to out

        """)
    #expect(try inspection.text("diff 3 --stat 5") == inspection.text("diff 3 5 --stat"))
    #expect(
      try inspection.text("diff 3 5 --store") == """
        error: diff: --store needs a value
        hint: usage: diff [A] [B] [--store S] [--patch|--stat|--identity]

        """)
  }

  @Test(
    "Redirections count outside of quotes, brackets and parentheses, and never in expressions",
    arguments: [
      ("state | jq .todos", Redirection.pipe("jq .todos")),
      ("state|jq .todos", .pipe("jq .todos")),
      ("state > out.json", .file("out.json")),
      ("state >'a b'", .file("a b")),
      ("print todos.items[?@.id > 1 || @.id < 0]", nil),
      ("print todos['|'] | cat > x", .pipe("cat > x")),
      ("print todos['a\\'|b']", nil),
      ("print todos.items || x", nil),
      ("goto todo/add#1", nil),
      ("print /a/it's | cat", .pipe("cat")),
      ("print /a/it's/isn't > x", nil),
      ("print cart.total >! x", .replacement("x")),
      ("state >! out.json", .replacement("out.json")),
      ("until a > 3 >! 'a b'", .replacement("a b")),
      ("state >!'a b'", .replacement("a b")),
      ("print /a/b's[0]", nil),
      ("until $.action.type=='a|b'", nil),
      ("find match($.action.type,'a|b') | cat", .pipe("cat")),
      (#"dispatch {"type":"a|b","payload":"it's"} | cat"#, .pipe("cat")),
      ("state >./it's", .file("./it's")),
    ])
  func redirections(line: String, expected: Redirection?) throws {
    let commandLine = try CommandLine(line, CommandRegistry.standard.table, aliases: [:])
    #expect(commandLine.redirection == expected)
  }

  @Test(
    "A redirection without a target is a usage error",
    arguments: ["state |", "state >", "state >> x", "state > a b"])
  func incomplete(line: String) throws {
    #expect(throws: CommandError.self) {
      try CommandLine(line, CommandRegistry.standard.table, aliases: [:])
    }
    var inspection = try Inspection()
    #expect(try inspection.exitCode(line) == 2)
  }

  @Test("Words are separated by blanks outside of quotes; a raw text stays as it is")
  func arguments() throws {
    func arguments(_ line: String) throws -> CommandArguments {
      try CommandLine(line, CommandRegistry.standard.table, aliases: [:]).arguments
    }
    #expect(try arguments(#"state  'my "store"' "#).words == [#"my "store""#])
    #expect(try arguments(#"state "a\"b""#).words == [#"a"b"#])
    #expect(try arguments(#"print  todos['a b']  .c  >! x"#).text == "todos['a b']  .c")
    let blame = try arguments("blame /a/it's --all")
    #expect(blame.text == "/a/it's" && blame.has("--all"))
    let after = try arguments("blame --all $['it\\'s a']['b']")
    #expect(after.text == "$['it\\'s a']['b']" && after.has("--all"))
  }
}

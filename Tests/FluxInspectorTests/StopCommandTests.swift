import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite("Commands of stop points, and saved sessions")
struct StopCommandTests {
  @Test("Commands run in order when a move stops there, and a command that moves ends the list")
  func runs() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    _ = inspection.stops(["break todo/add", "display length(todos.items)"])
    #expect(
      try inspection.text("commands 1 print todos.items[*].title")
        == "1 print todos.items[*].title\n")
    #expect(
      try inspection.text("commands last action") == "1 print todos.items[*].title\n1 action\n")
    #expect(
      try inspection.text("continue") == """
        todo/add
        {
          "title": "milk"
        }

        """)
    #expect(world.emittedCommands == ["continue", "print todos.items[*].title"])
    #expect(
      try inspection.json("breakpoints") == #"""
        {"command":"breakpoints","ok":true,"position":1,"result":{"breakpoints":[{"number":1,"kind":"breakpoint","what":"todo/add","enabled":true,"temporary":false,"hits":1,"commands":["print todos.items[*].title","action"]}]}}

        """#)
    #expect(
      try inspection.text("breakpoints") == """
        1 breakpoint todo/add  reached once
          print todos.items[*].title
          action

        """)
    #expect(try inspection.text("commands -d 1") == "stop point 1 has no commands\n")
    _ = inspection.stops(["commands 1 continue", "commands 1 step"])
    // Steps 3 and 4 are reached, and after the second continue, the end.
    #expect(inspection.stops(["continue"]) == [8])
    #expect(world.emittedCommands.suffix(2) == ["continue", "continue"])
    // An empty line repeats what the user typed last, and not the commands of the stop point.
    #expect(inspection.console.repeatNavigation()?.command == "continue")
  }

  @Test("A command that fails ends the list, and a mistake is told at once")
  func fails() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    _ = inspection.stops(["tbreak todo/toggle"])
    _ = inspection.stops(["commands 1 print nothing", "commands 1 step"])
    #expect(
      try inspection.text("c")
        == "error: no path nothing at step 5\nhint: the stores are search, todos\n")
    #expect(inspection.session.stepNumber == 5)
    #expect(
      try inspection.text("commands 1 print todos")
        == "error: no stop point 1\nhint: 'breakpoints' lists them\n")
    #expect(try inspection.text("commands last print todos") == "error: there are no stop points\n")
    #expect(try inspection.exitCode("commands") == 2)
    _ = inspection.stops(["catch gap"])
    #expect(try inspection.text("commands 2 prnt todos").hasPrefix("error: no command prnt"))
    #expect(try inspection.text("commands 2") == "stop point 2 has no commands\n")
    #expect(
      try inspection.json("commands 2 action") == """
        {"command":"commands 2 action","ok":true,"position":5,"result":{"number":2,"commands":["action"]}}

        """)
  }

  @Test("A stop point can be set, and a change searched for, while the state is unknown")
  func unknownState() throws {
    var inspection = try Inspection(TodoLog.withDamage)
    _ = inspection.stops(["goto 5"])
    #expect(try inspection.text("watch todos.itmes") == "1 watchpoint todos.itmes\n")
    #expect(
      try inspection.text("watch todos.items if length(todos.items) == 0")
        == "2 watchpoint todos.items if length(todos.items) == 0\n")
    #expect(inspection.stops(["continue", "goto 5"]) == [8, 5])
    #expect(
      try inspection.text("first todos.itmes").hasPrefix("nothing found; still at\n5 todo/toggle"))
  }

  @Test("A session is saved as commands, which make the same session again")
  func saves() throws {
    let world = RecordedWorld(files: ["total.rules": "rule short: always length(todos.items) < 2\n"]
    )
    var inspection = try Inspection(world: world)
    let lines = [
      "break todo/* if length(todos.items) > 1", "watch todos.items[?@.id==2].done",
      "tbreak search/*",
      "catch rejected", "rules total.rules", "catch rule short", "disable 2",
      "commands 4 print $.rejected.message | cat", "display todos.items[0]",
      "display length(todos.items) > 1", "bookmark begin", "bookmark last end",
    ]
    for line in lines {
      let code = try inspection.exitCode(line)
      #expect(code == (line == "rules total.rules" ? 1 : 0), "\(line)")
    }
    #expect(try inspection.text("save-session mine") == "12 commands saved to mine\n")
    let saved = """
      # stop points, displays and bookmarks of LOG
      rules total.rules
      break todo/* if length(todos.items) > 1
      watch todos.items[?@.id==2].done
      disable last
      tbreak search/*
      catch rejected
      commands last print $.rejected.message | cat
      catch rule short
      display todos.items[0]
      display length(todos.items) > 1
      bookmark begin start
      bookmark last 8

      """
    #expect(world.files["mine"]?.replacing(inspection.path, with: "LOG") == saved)
    #expect(
      try inspection.text("save-session mine")
        == "error: mine already exists\nhint: --force overwrites it\n")
    var other = try Inspection(world: world)
    #expect(try other.exitCode("source mine") == 1)
    #expect(try other.exitCode("save-session again") == 0)
    #expect(world.files["again"]?.replacing(other.path, with: "LOG") == saved)
  }

  @Test("Causes are gone to, and effects are listed")
  func causes() throws {
    var inspection = try Inspection()
    #expect(inspection.stops(["goto 7", "cause"]) == [7, 6])
    #expect(
      try inspection.text("effects")
        == "7 search/type \"mi\" +4.75s  search  caused by 6\n")
    #expect(
      try inspection.json("effects").contains(
        #""result":{"steps":[{"n":7,"t":4.75,"type":"search/type""#))
    #expect(
      try inspection.text("up") == """
        error: no step of the log caused step 6
        hint: 'effects' lists the steps that it caused

        """)
    #expect(inspection.stops(["undo"]) == [7])
    #expect(try inspection.text("effects") == "this step caused no other\n")
    var broken = try Inspection([#"{"flux":"1.0","first":1,"stores":{}}"#] + CauseLog.steps)
    #expect(broken.stops(["goto 2"]) == [2])
    #expect(
      try broken.text("cause") == "error: step 2 was caused by step 0, which is not in the log\n")
    #expect(try broken.exitCode("start") == 0)
    #expect(try broken.text("effects").hasPrefix("error: there is no step here"))
  }

  @Test(
    "An open bracket outside quotes continues a line",
    arguments: [
      ("dispatch {", true), (#"dispatch {"type":"#, true), (#"dispatch {"type":"a{"}"#, false),
      ("print todos.items[", true), ("until length(todos", true), ("print todos", false),
      ("!echo (", false), ("# (", false), ("print /a/it's(", true), (#"find $.a == "(("#, false),
      ("", false),
    ])
  func opens(line: String, isOpen: Bool) {
    #expect(Console.isOpen(line) == isOpen)
  }
}

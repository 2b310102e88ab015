import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

/// Lines that people write without having read the help, and the exact answers.
@Suite struct ComfortTests {
  @Test(
    "A position alone is a move to it, after commands, aliases and beginnings of names",
    arguments: [
      ("3", 3), ("+2", 2), ("50%", 4), ("@2.5", 4), ("todo/add#2", 3), ("$here", 1), ("end", 8),
    ])
  func position(line: String, step: UInt64) throws {
    var inspection = try Inspection()
    #expect(try inspection.exitCode("goto 1") == 0)
    #expect(try inspection.exitCode("bookmark here") == 0)
    #expect(try inspection.exitCode("start") == 0)
    #expect(try inspection.exitCode(line) == 0)
    #expect(inspection.session.stepNumber == step)
  }

  @Test("A position is no name of an alias, and a bookmark begins with a letter")
  func names() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("alias -d") == """
        error: alias: the name of the alias is missing
        hint: usage: alias [-d] [NAME [TEXT]]

        """)
    #expect(
      try inspection.text("alias 17 goto 3") == """
        error: alias: 17 is a position, and a move to it
        hint: usage: alias [-d] [NAME [TEXT]]

        """)
    #expect(
      try inspection.text("bookmark 1st") == """
        error: bookmark: 1st is not a name
        hint: a name begins with a letter or '_', and contains only letters, digits, '_', '-' and '.'

        """)
  }

  @Test(
    "What was probably meant is said",
    arguments: [
      (
        "$.action.type",
        """
        error: no command $.action.type
        hint: to show what a path selects: print $.action.type

        """
      ),
      (
        "goto todo/ad",
        """
        error: goto: todo/ad is not a position; did you mean todo/add#1?
        hint: \(Position.forms)

        """
      ),
      (
        "goto todo/add",
        """
        error: goto: todo/add is not a position; did you mean todo/add#1?
        hint: \(Position.forms)

        """
      ),
      (
        "print todos.items > LICENSE",
        """
        error: here '>' compares, and there is no store LICENSE
        hint: to write to a file: >! LICENSE, or | cat > LICENSE

        """
      ),
      (
        "find length(todos.items) > out.json",
        """
        error: here '>' compares, and there is no store out
        hint: to write to a file: >! out.json, or | cat > out.json

        """
      ),
      (
        "print todos.items > ./out.json",
        """
        error: here '>' compares, and ./out.json is not a path
        hint: to write to a file: >! ./out.json, or | cat > ./out.json

        """
      ),
      (
        "diff 1..2 3",
        """
        error: diff: 1..2 is a range, so nothing can follow it
        hint: usage: diff [A] [B] [--store S] [--patch|--stat|--identity]

        """
      ),
    ])
  func meant(line: String, answer: String) throws {
    var inspection = try Inspection()
    #expect(try inspection.text(line) == answer)
    #expect(try inspection.exitCode(line) == 2)
  }

  @Test("A file is never replaced by '>', and nothing has run; '>!' replaces it")
  func redirection() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    #expect(try inspection.exitCode("state > out.json") == 0)
    #expect(
      try inspection.text("step > out.json") == """
        error: out.json already exists
        hint: to replace it: >! out.json

        """)
    #expect(
      try inspection.json("step > out.json") == """
        {"command":"step > out.json","ok":false,"position":0,"error":{"code":"exists","message":"out.json already exists","hint":"to replace it: >! out.json"}}

        """)
    #expect(try inspection.exitCode("step > out.json") == 3)
    #expect(inspection.session.position == -1)
    #expect(try inspection.exitCode("step >! out.json") == 0)
    #expect(inspection.session.position == 0)
    #expect(try inspection.exitCode("print length(todos.items) >! out.json") == 0)
    #expect(world.files["out.json"]?.hasSuffix("\"result\":{\"value\":1}}\n") == true)
  }

  @Test("print, display, history and watch take function calls and expressions")
  func expressions() throws {
    var inspection = try Inspection()
    #expect(try inspection.exitCode("3") == 0)
    #expect(
      try inspection.json("print length(todos.items)") == """
        {"command":"print length(todos.items)","ok":true,"position":3,"result":{"value":2}}

        """)
    #expect(try inspection.text("print length(todos.items) > 5") == "false\n")
    #expect(try inspection.text("print (todos.nothing)") == "false\n")
    #expect(try inspection.text("print (todos.items)") == "true\n")
    #expect(try inspection.text("print was(todos.items)[0]") != "")
    #expect(
      try inspection.text("print length(1)") == "error: length(1) has no value at step 3\n")
    #expect(
      try inspection.json("display length(todos.items) > 1") == """
        {"command":"display length(todos.items) > 1","ok":true,"position":3,"result":{"number":1,"expression":"length(todos.items) > 1","value":true}}

        """)
    let history = try inspection.json("history length(todos.items)")
    #expect(
      history.hasPrefix(
        #"{"command":"history length(todos.items)","ok":true,"position":3,"result":{"expression":"length(todos.items)","writes":[{"n":0,"value":0},{"n":1,"type":"todo/add","value":1}"#
      ), "\(history)")
    #expect(try inspection.exitCode("start") == 0)
    #expect(try inspection.exitCode("watch length(todos.items) > 1") == 0)
    let stop = try inspection.text("continue")
    #expect(
      stop.contains("watchpoint 1: length(todos.items) > 1\n  old: false\n  new: true\n"), "\(stop)"
    )
  }

  @Test("Switches are on or off, and more names lead to quit and blame")
  func switches() throws {
    var inspection = try Inspection()
    #expect(try inspection.exitCode("set color off") == 0)
    #expect(inspection.console.settings.color == .never)
    #expect(try inspection.exitCode("set color on") == 0)
    #expect(inspection.console.settings.color == .always)
    #expect(try inspection.exitCode("why todos.nothing") == 3)
    #expect(try inspection.exitCode("exit 7") == 7)
  }

  @Test(
    "A search without a match names the paths that are not there",
    arguments: ["find todos.itms == 1", "until length(todos.itms) > 1", "count todos.itms > 3"])
  func misses(line: String) throws {
    var inspection = try Inspection()
    let text = try inspection.text(line)
    #expect(
      text.hasSuffix(
        "note: todos.itms is neither at the start nor at the end of the log; did you mean todos.items?\n"
      ), "\(text)")
  }

  @Test(
    "A condition on what only some steps have is no mistake",
    arguments: [
      "break * if $.rejected", "break * if $.cause == 1", "break * if $.action.payload.title == ''",
    ])
  func partsOfSteps(line: String) throws {
    var inspection = try Inspection()
    #expect(try inspection.text(line) == "1 breakpoint \(line.dropFirst("break ".count))\n")
  }

  @Test("A range stands for two positions in diff; an open end is that of the log")
  func differences() throws {
    var inspection = try Inspection()
    #expect(try inspection.text("diff 1..3") == inspection.text("diff 1 3"))
    #expect(try inspection.text("diff 3..") == inspection.text("diff 3 end"))
    #expect(try inspection.text("diff ..2") == inspection.text("diff start 2"))
  }
}

import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct ShellCommandTests {
  @Test("Without a value, history lists the commands of the session, as many as are kept")
  func history() throws {
    var inspection = try Inspection()
    _ = inspection.stops(["goto 2", "# a comment", "", "bogus"])
    #expect(
      try inspection.transcript("history") == """
        > history
        1  goto 2
        2  bogus
        3  history

        """)
    _ = inspection.stops(Array(repeating: "step", count: 1_000))
    #expect(
      try inspection.json("history").hasPrefix(
        #"{"command":"history","ok":true,"position":8,"result":{"first":5,"commands":["step","#))
  }

  @Test("Output goes to a file as it would have been written, and a note says so")
  func files() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    #expect(
      try inspection.text("state > state.json") == """
        note: 37 bytes written to state.json

        """)
    #expect(
      world.files["state.json"] == """
        {
          "todos": {
            "items": []
          }
        }

        """)
    #expect(
      try inspection.json("step > step.json") == #"""
        {"command":"step > step.json","ok":true,"position":1,"result":{"file":"step.json","bytes":175}}
        note: 175 bytes written to step.json

        """#)
    #expect(
      world.files["step.json"] == #"""
        {"command":"step > step.json","ok":true,"position":1,"result":{"step":1,"t":0.5,"action":{"type":"todo/add","payload":{"title":"milk"}},"changed":["todos"],"stopped":"step"}}

        """#)
    let path = inspection.path
    #expect(
      try inspection.text("state > \(path)") == """
        error: LOG is the log itself, which is never overwritten

        """)
    #expect(try inspection.exitCode("state > \(path)") == 3)
  }

  @Test("Output goes to a shell command; its failure is one, and takes no move back")
  func pipes() throws {
    let world = RecordedWorld()
    var inspection = try Inspection(world: world)
    #expect(try inspection.text("print todos | cat") == "")
    #expect(world.shellLines == ["cat: {\n  \"items\": []\n}\n"])
    #expect(
      try inspection.json("print todos.items | cat") == #"""
        {"command":"print todos.items | cat","ok":true,"position":0,"result":{"status":0,"output":"{\"command\":\"print todos.items | cat\",\"ok\":true,\"position\":0,\"result\":{\"nodes\":[{\"path\":\"/todos/items\",\"value\":[]}]}}\n"}}

        """#)
    #expect(
      try inspection.text("step | exit 4") == """
        error: the shell command ended with status 4: exit 4

        """)
    #expect(inspection.session.stepNumber == 1)
    #expect(try inspection.exitCode("until $.n > 99 | cat") == 1)
    #expect(try inspection.exitCode("!exit 1") == 3)
    #expect(try inspection.text("! echo 'a | b' > c") == "")
    #expect(world.shellLines.last == "echo 'a | b' > c: ")
  }

  @Test("A sourced file runs line by line, and stops at the first command that fails")
  func source() throws {
    let world = RecordedWorld(files: [
      "good": "# to the toggle\n\ngoto 5\r\n  step\n", "bad": "step\nstep x\nstep\n",
      "itself": "source itself", "quits": "step\nquit 7\nstep", "outer": "source bad\nstep",
    ])
    var inspection = try Inspection(world: world)
    #expect(
      try inspection.json("source good") == #"""
        {"command":"source good","ok":true,"position":6,"result":{"commands":2}}

        """#)
    #expect(world.emittedCommands == ["goto 5", "step"])
    #expect(
      try inspection.text("source bad") == """
        error: bad, line 2: step: expected a number of steps, at least 1, found x
        hint: usage: step [n]

        """)
    #expect(inspection.session.stepNumber == 7)
    #expect(world.emittedErrors == [])
    _ = try inspection.json("source bad")
    #expect(world.emittedErrors == ["step: expected a number of steps, at least 1, found x"])
    #expect(try inspection.exitCode("source bad") == 2)
    #expect(
      try inspection.text("source itself") == """
        error: itself, line 1: itself is already being sourced
        hint: a file must not source itself, nor a file that sources it

        """)
    #expect(try inspection.exitCode("source itself") == 3)
    #expect(try inspection.exitCode("source nothing") == 3)
    inspection.console.settings.keepsGoing = true
    #expect(inspection.stops(["start", "source outer"]) == [0, 3])
    let quits = inspection.console.run("source quits")
    #expect(quits?.ending == .code(7))
    #expect(quits?.exitCode == 7)
    #expect(quits?.position == 4)
  }

  @Test("A sourced file may begin with a byte order mark")
  func byteOrderMark() throws {
    let world = RecordedWorld(files: ["marked": "\u{FEFF}goto 5\nstep\n", "note": "\u{FEFF}# a\n"])
    var inspection = try Inspection(world: world)
    #expect(try inspection.exitCode("source marked") == 0)
    #expect(world.emittedCommands == ["goto 5", "step"])
    #expect(try inspection.exitCode("source note") == 0)
  }

  @Test("An alias stands for the beginning of a line, and never for a command")
  func alias() throws {
    var inspection = try Inspection()
    #expect(try inspection.text("alias") == "no aliases\n")
    #expect(try inspection.text("alias items print todos.items") == "items print todos.items\n")
    #expect(try inspection.text("alias fwd step") == "fwd step\n")
    #expect(inspection.stops(["fwd 3"]) == [3])
    #expect(
      try inspection.text("items[0].title")
        == "error: no command items[0].title\nhint: to show what a path selects: print todos.items[0].title\n"
    )
    #expect(try inspection.text("items | nowhere").hasPrefix("error: cannot run nowhere"))
    #expect(
      try inspection.json("alias") == #"""
        {"command":"alias","ok":true,"position":3,"result":{"aliases":{"fwd":"step","items":"print todos.items"}}}

        """#)
    #expect(
      try inspection.text("alias s state")
        == "error: alias: s is already a command\nhint: usage: alias [-d] [NAME [TEXT]]\n")
    for line in ["alias three=goto 3", "alias three = goto 3", "alias three =goto 3"] {
      #expect(
        try inspection.text(line) == """
          error: alias: there is no = between the name and the text
          hint: alias three goto 3

          """)
    }
    #expect(try inspection.text("alias -d fwd") == "fwd deleted; it stood for step\n")
    #expect(try inspection.text("alias fwd") == "error: no alias fwd\n")
    #expect(try inspection.text("alias item") == "error: no alias item; did you mean items?\n")
    #expect(inspection.stops(["start"]) == [0])
    #expect(try inspection.exitCode("alias gone start") == 0)
    #expect(
      try inspection.json("alias -d gone") == """
        {"command":"alias -d gone","ok":true,"position":0,"result":{"deleted":{"gone":"start"}}}

        """)
    // The text of an alias may begin with another one, but none goes in circles.
    #expect(try inspection.exitCode("alias to goto") == 0)
    #expect(try inspection.exitCode("alias third to 3") == 0)
    #expect(inspection.stops(["third"]) == [3])
    #expect(try inspection.exitCode("alias go to") == 0)
    #expect(inspection.console.completions(of: "go sta").candidates == ["start"])
    #expect(try inspection.exitCode("alias there here") == 0)
    #expect(try inspection.exitCode("alias here there") == 0)
    for line in ["there", "here 3"] { #expect(try inspection.exitCode(line) == 2) }
  }

  @Test("Settings are changed and shown")
  func settings() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("show") == """
        color auto  when output has colors: auto, always, never
        format text  the output format: text, json, ndjson
        identity none  the members that identify elements of arrays in diff: PATH=MEMBER, or none
        list 5  the number of steps that list shows before and after the one here: a number, at least 0
        pager on  show long output in a pager: on, off
        timeout 30  the seconds that the app may take to start and for one call, 0 for no limit: a number, at least 0

        """)
    #expect(
      try inspection.json("show") == #"""
        {"command":"show","ok":true,"position":0,"result":{"settings":{"color":"auto","format":"ndjson","identity":"none","list":5,"pager":"on","timeout":30}}}

        """#)
    #expect(
      try inspection.json("set list 10") == #"""
        {"command":"set list 10","ok":true,"position":0,"result":{"settings":{"list":10}}}

        """#)
    #expect(try inspection.exitCode("set pager off") == 0)
    #expect(!inspection.console.settings.usesPager)
    #expect(try inspection.exitCode("set color never") == 0)
    #expect(inspection.console.settings.color == .never)
    #expect(
      try inspection.text("set format xml") == """
        error: set: format cannot be xml
        hint: expected text, json, ndjson

        """)
    #expect(
      try inspection.text("set colour never") == """
        error: no setting colour; did you mean color?
        hint: the settings are color, format, identity, list, pager, timeout

        """)
    #expect(try inspection.exitCode("set list -1") == 2)
    #expect(try inspection.exitCode("set list") == 2)
    #expect(try inspection.exitCode("show nothing") == 3)
  }

  @Test("Help explains a command, and apropos finds it")
  func help() throws {
    var inspection = try Inspection()
    #expect(
      try inspection.text("help until") == """
        until [-r] GLOB|EXPR|TEXT  (also u, advance)
        Go to the next step that matches
          -r  Search backwards

        GLOB is the type of an action, and TEXT a part of its type or payload, as
        for find. EXPR is a logical expression of RFC 9535 whose paths may begin
        with the name of a store. There are two more functions: changed(PATH) is
        true if the step changed the value, and was(PATH) is the value before the
        step. If no step matches, the position does not change and a batch exits
        with 1.

          until length(todos.items) > 3
          until -r changed(todos.items[0].done)
          until todo/*

        """)
    #expect(
      try inspection.json("help quit") == #"""
        {"command":"help quit","ok":true,"position":0,"result":{"name":"quit","aliases":["q","exit"],"synopsis":"quit [CODE]","summary":"End the session","help":"CODE, from 0 to 255, is the exit code of the program. Without it, the exit code is that of the first command that failed.","options":[],"examples":["quit","quit 1"]}}

        """#)
    #expect(
      try inspection.text("apropos watchpoint") == """
          continue (c)  Go to the next stop point, or to the end
          breakpoints   List all stop points

        """)
    #expect(try inspection.text("apropos zzz") == "no matching commands\n")
    #expect(try inspection.exitCode("apropos zzz") == 1)
    #expect(try inspection.exitCode("apropos") == 2)
    #expect(try inspection.text("help").split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try inspection.exitCode("help nothing") == 2)
  }

  @Test("A line that begins with a redirection lacks a command", arguments: ["| cat", "> x.txt"])
  func noCommand(line: String) throws {
    var inspection = try Inspection(world: RecordedWorld())
    #expect(
      try inspection.text(line) == """
        error: a command is missing
        hint: 'help' lists the commands

        """)
  }

  @Test("Quit ends the session, with a code or with that of what went before")
  func quit() throws {
    var inspection = try Inspection()
    #expect(inspection.console.run("quit")?.ending == .plain)
    #expect(inspection.console.run("q 4")?.ending == .code(4))
    #expect(inspection.console.run("quit 256")?.ending == nil)
    #expect(inspection.console.run("step")?.ending == nil)
  }

  @Test(
    "A batch exits with the code of its first failure, or keeps going and exits with the largest",
    arguments: [
      (["step", "state"], false, 0, 2), (["until $.n > 99", "step"], false, 1, 2),
      (["goto 99", "step"], false, 3, 1), (["until $.n > 99", "stepp", "step"], false, 2, 2),
      (["goto 99", "stepp", "until $.n > 99"], true, 3, 3), (["goto 99", "quit"], true, 3, 2),
      (["goto 99", "quit 0"], true, 0, 2), (["quit 5", "step"], false, 5, 1),
    ] as [([String], Bool, Int32, Int)])
  func batch(lines: [String], keepsGoing: Bool, code: Int32, count: Int) throws {
    var inspection = try Inspection()
    var status = BatchStatus(keepsGoing: keepsGoing)
    var run = 0
    for line in lines where !status.isOver {
      let output = inspection.console.run(line)
      status.add(try #require(output))
      run += 1
    }
    #expect(status.exitCode == code)
    #expect(run == count)
  }
}

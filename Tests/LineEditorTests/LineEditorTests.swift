import LineEditor
import TerminalTesting
import TestFixtures
import Testing

@Suite("A line editor at a terminal", .waiting)
struct LineEditorTests {
  @Test("edits a line with the arrow keys and returns it")
  func editsALine() throws {
    let terminal = try TestProgram.start()
    try terminal.type("helo")
    try terminal.wait(forLine: "(0)> helo")
    #expect(terminal.screen.cell(row: 0, column: 0).style == "0;32")
    #expect(terminal.screen.cell(row: 0, column: 2).style == "0")
    try terminal.type("\u{1B}[Dl\u{1B}OH>\n")
    try terminal.wait(for: "got [>hello]")
    try terminal.wait(forLine: "(0)>")
    try TestProgram.leave(terminal)
  }

  @Test("completes the common prefix of candidates, then lists them")
  func completes() throws {
    let terminal = try TestProgram.start(columns: 30)
    try terminal.type("p\t")
    try terminal.wait(forLine: "(0)> pr")
    try terminal.type("\t")
    try terminal.wait(forLine: "(0)> pr")
    let listed = """
      (0)> pr
      prev   print
      (0)> pr
      """
    try terminal.wait(for: "the list") { $0.text == listed }
    try terminal.type("i\t")
    try terminal.wait(forLine: "(0)> print")
    try terminal.type("x\t")
    try terminal.wait(for: "the bell") { $0.bells == 1 }
    try terminal.type("\u{15}日\t!\n")
    try terminal.wait(for: "got [日本語 !]")
    try TestProgram.leave(terminal)
  }

  @Test("runs the program's keys, which may change the prompt in place or accept a line")
  func runsKeys() throws {
    let terminal = try TestProgram.start()
    try terminal.type("abc\u{1B}[1;3C")
    try terminal.wait(forLine: "(1)> abc")
    #expect(terminal.screen.cell(row: 0, column: 1).style == "0;32")
    try terminal.type("\u{14}")
    try terminal.wait(forLine: "(1)> <abc>")
    try terminal.type("\u{1B}[D\u{15}\u{B}")
    try terminal.wait(forLine: "(1)>")
    try terminal.type("\u{1B}[D")
    try terminal.wait(for: "(1)> back\ngot [back]")
    try TestProgram.leave(terminal, prompt: "(1)>")
  }

  @Test("returns a paste line by line, and never treats it as keys")
  func pastes() throws {
    let terminal = try TestProgram.start()
    #expect(terminal.screen.modes.contains(2004))
    try terminal.type("a")
    try terminal.paste("b\tc\u{1B}[D\u{7F}\r\nsecond \u{202E}\nquit")
    try terminal.wait(forLine: "(0)> quit")
    #expect(
      terminal.screen.text == """
        (0)> ab c[D
        got [ab c[D]
        (0)> second
        got [second ]
        (0)> quit
        """)
    try terminal.type("ter\n")
    try terminal.wait(for: "got [quitter]")
    try TestProgram.leave(terminal)
    #expect(!terminal.screen.modes.contains(2004))
  }

  @Test("keeps and searches the user's history, and lets arrows leave the search")
  func searchesHistory() throws {
    let folder = try TemporaryFolder()
    let environment = ["PROGRAM_HISTORY": folder.path("state/history")]
    let first = try TestProgram.start(environment)
    try first.type("one\n")
    try first.wait(for: "got [one]\n(0)>")
    try first.type("zwei 二\n")
    try first.wait(for: "got [zwei 二]\n(0)>")
    try first.type(" secret\n")
    try first.wait(for: "got [ secret]")
    try TestProgram.leave(first)

    let second = try TestProgram.start(environment)
    try second.type("\u{1B}[A\u{1B}[A")
    try second.wait(forLine: "(0)> zwei 二")
    try second.type("\u{1B}[B\u{12}on")
    try second.wait(for: "the search") { $0.text.contains("(0)> one\nbck:on") }
    try second.type("\u{1B}[F!")
    try second.wait(forLine: "(0)> one!")
    try second.type("\n")
    try second.wait(for: "got [one!]")
    try TestProgram.leave(second)
    #expect(try folder.text(of: "state/history") == "one\nzwei 二\nquit\none!\nquit\n")
  }

  @Test("edits with vi keys if the user's settings say so, including arrows")
  func editsLikeVi() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      # vi
      bind -v
      nonsense
      program:bind ^T ed-move-to-beg
      """, to: "editrc")
    let terminal = try TestProgram.start(["EDITRC": folder.path("editrc")], columns: 200)
    #expect(
      terminal.screen.lines[0]
        == folder.path("editrc") + ":3: ignored unknown setting: nonsense (see editrc(5))")
    try terminal.type("worlx\u{1B}")
    // In vi, a single escape switches to commands without waiting for the next key.
    try terminal.wait(for: "the cursor on x") { $0.cursor.column == 9 }
    try terminal.type("rd")
    try terminal.type("Ihello \u{14}>\u{1B}[C\u{1B}[3~\n")
    try terminal.wait(for: "got [>hllo world]")
    try TestProgram.leave(terminal)
  }

  @Test("shows wide characters and emoji in their columns, and wraps them whole")
  func showsWideCharacters() throws {
    let terminal = try TestProgram.start(columns: 10)
    try terminal.type("日本語🎉")
    try terminal.wait(for: "two rows") { $0.text == "(0)> 日本\n語🎉" && $0.cursor.column == 4 }
    try terminal.type("\u{1B}[D\u{1B}[D\u{1B}[Dx\n")
    try terminal.wait(for: "got [日x本\n語🎉]")
    try TestProgram.leave(terminal)
  }

  @Test("accepts lines that are longer than the screen, pasted, typed and from the history")
  func takesLongLines() throws {
    let terminal = try TestProgram.start(columns: 40, rows: 10)
    let long = String(repeating: "long line ", count: 300)
    try terminal.paste(long + "1")
    try terminal.wait(for: "the end of it") { $0.line.hasSuffix("line 1") }
    try terminal.type("\n")
    try terminal.wait(for: "its echo") { $0.text.hasSuffix("line 1]\n(0)>") }
    try terminal.type(long + "2\u{1B}[A")
    try terminal.wait(for: "the first") { $0.line.hasSuffix("line 1") }
    try terminal.type("\n")
    try terminal.wait(for: "its echo") { $0.text.hasSuffix("line 1]\n(0)>") }
    #expect(terminal.screen.scrolledOff.contains { $0.hasPrefix("got [long line") })
    try TestProgram.leave(terminal)
  }

  @Test("never runs a line that libedit has truncated in the history")
  func refusesCutLines() throws {
    let terminal = try TestProgram.start()
    try terminal.type("quit now\n")
    // Between two lines the terminal echoes what is typed, which would hide the prompt.
    try terminal.wait(for: "got [quit now]\n(0)>")
    try terminal.type(String(repeating: "x", count: 1100) + "\u{1B}[A")
    try terminal.wait(for: "the history") { $0.line == "(0)> quit now" }
    try terminal.type("\u{1B}[B\n")
    try terminal.wait(for: "it is not run\ninterrupted\n(0)>")
    try TestProgram.leave(terminal)
  }

  @Test("replaces invalid UTF-8 and continues")
  func survivesInvalidInput() throws {
    let terminal = try TestProgram.start()
    try terminal.type(bytes: [0x61, 0xFF, 0xC3, 0x28, 0x62, 0x0A])
    try terminal.wait(for: "got [a\u{FFFD}\u{FFFD}(b]")
    try TestProgram.leave(terminal)
  }

  @Test("is the only one in its process")
  func isAlone() throws {
    let terminal = try TestProgram.start(columns: 100)
    try terminal.type("second\n")
    try terminal.wait(
      for: "a line editor is already open, and a process can have only one: close it first")
    try TestProgram.leave(terminal)
  }

  @Test("cannot be opened without a terminal", arguments: ["xterm", "dumb", ""])
  func needsATerminal(_ name: String) {
    #expect(throws: LineEditorError.notATerminal) {
      try LineEditor(name: "program", input: -1, output: -1, environment: ["TERM": name])
    }
  }
}

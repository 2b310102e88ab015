import Foundation
import LineEditor
import TerminalTesting
import Testing

@Suite("A line editor at a terminal", .serialized)
struct LineEditorTests {
  @Test("edits a line with the arrow keys, and hands it out")
  func editsALine() throws {
    let terminal = try start()
    try terminal.type("helo")
    try terminal.wait(forLine: "(0)> helo")
    #expect(terminal.screen.cell(row: 0, column: 0).style == "0;1;32")
    #expect(terminal.screen.cell(row: 0, column: 2).style == "0")
    try terminal.type("\u{1B}[Dl\u{1B}OH>\n")
    try terminal.wait(for: "got [>hello]")
    try terminal.wait(forLine: "(0)>")
    try leave(terminal)
  }

  @Test("gives a line up with Ctrl-C, and ends with Ctrl-D")
  func interruptsAndEnds() throws {
    let terminal = try start()
    try terminal.type("abandon")
    try terminal.wait(forLine: "(0)> abandon")
    try terminal.type("\u{3}")
    try terminal.wait(for: "(0)> abandon^C\ninterrupted")
    try terminal.wait(forLine: "(0)>")
    try terminal.type("\u{4}")
    #expect(try terminal.waitForEnd() == .code(0))
    #expect(terminal.screen.text.hasSuffix("\nend"))
    #expect(terminal.isCooked)
  }

  @Test("lets Ctrl-C stop a command, not the program")
  func stopsACommand() throws {
    let terminal = try start()
    try terminal.type("work\n")
    try terminal.wait(for: "working")
    #expect(terminal.isCooked)
    try terminal.type("\u{3}")
    try terminal.wait(for: "stopped")
    try terminal.wait(forLine: "(0)>")
    try leave(terminal)
  }

  @Test("completes what candidates have in common, then lists them with their help")
  func completes() throws {
    let terminal = try start(columns: 30)
    try terminal.type("p\t")
    try terminal.wait(forLine: "(0)> pr")
    try terminal.type("\t")
    try terminal.wait(forLine: "(0)> pr")
    let listed = """
      (0)> pr
      prev   goes back
      print  shows a value
      (0)> pr
      """
    try terminal.wait(for: "the list") { $0.text == listed }
    try terminal.type("i\t")
    try terminal.wait(forLine: "(0)> print")
    try terminal.type("x\t")
    try terminal.wait(for: "the bell") { $0.bells == 1 }
    try terminal.type("\u{15}日\t!\n")
    try terminal.wait(for: "got [日本語 !]")
    try leave(terminal)
  }

  @Test("runs the program's keys, which may change the prompt in place or accept a line")
  func runsKeys() throws {
    let terminal = try start()
    try terminal.type("abc\u{1B}[1;3C")
    try terminal.wait(forLine: "(1)> abc")
    #expect(terminal.screen.cell(row: 0, column: 1).style == "0;1;32")
    try terminal.type("\u{14}")
    try terminal.wait(forLine: "(1)> <abc>")
    try terminal.type("\u{1B}[D\u{15}\u{B}")
    try terminal.wait(forLine: "(1)>")
    try terminal.type("\u{1B}[D")
    try terminal.wait(for: "(1)> back\ngot [back]")
    try leave(terminal, prompt: "(1)>")
  }

  @Test("hands a paste out line by line, and never acts upon it")
  func pastes() throws {
    let terminal = try start()
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
    try leave(terminal)
    #expect(!terminal.screen.modes.contains(2004))
  }

  @Test("drops the rest of a paste when a command is stopped with Ctrl-C")
  func interruptsAPaste() throws {
    let terminal = try start()
    try terminal.paste("work\nsecond\nthird")
    try terminal.wait(for: "working")
    try terminal.type("\u{3}")
    try terminal.wait(for: "stopped")
    try terminal.wait(forLine: "(0)>")
    try leave(terminal)
    #expect(!terminal.screen.text.contains("second"))
  }

  @Test("shows text of another thread above a line of several rows, which stays as it is")
  func followsAbove() throws {
    let folder = try TemporaryFolder()
    let terminal = try start(columns: 20)
    let pipe = folder.path("pipe")
    let isMade = unsafe mkfifo(pipe, 0o600) == 0
    #expect(isMade)
    // Typed in one row, as the folder's name is long.
    try terminal.resize(columns: 200, rows: 24)
    try terminal.type("follow \(pipe)\n")
    try terminal.wait(forLine: "(0)>")
    try terminal.resize(columns: 20, rows: 24)
    try terminal.type("a line that is longer than a row")
    try terminal.wait(for: "both rows") {
      $0.text.hasSuffix("(0)> a line that is\nlonger than a row")
    }
    let notes = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
    try notes.write(contentsOf: Data("first note\n".utf8))
    let expected = "first note\n(0)> a line that is\nlonger than a row"
    try terminal.wait(for: "the note") { $0.text.hasSuffix(expected) }
    try terminal.type("!\n")
    try terminal.wait(for: "than a row!]")
    try leave(terminal)
    try notes.close()
  }

  @Test("keeps the history of its user, finds in it, and lets arrows leave the search")
  func searchesHistory() throws {
    let folder = try TemporaryFolder()
    let environment = ["PROGRAM_HISTORY": folder.path("state/history")]
    let first = try start(environment)
    try first.type("one\n")
    try first.wait(for: "got [one]")
    try first.type("zwei 二\n")
    try first.wait(for: "got [zwei 二]")
    try first.type(" secret\n")
    try first.wait(for: "got [ secret]")
    try leave(first)

    let second = try start(environment)
    try second.type("\u{1B}[A\u{1B}[A")
    try second.wait(forLine: "(0)> zwei 二")
    try second.type("\u{1B}[B\u{12}on")
    try second.wait(for: "the search") { $0.text.contains("(0)> one\nbck:on") }
    try second.type("\u{1B}[F!")
    try second.wait(forLine: "(0)> one!")
    try second.type("\n")
    try second.wait(for: "got [one!]")
    try leave(second)
    #expect(try folder.text(of: "state/history") == "one\nzwei 二\nquit\none!\nquit\n")
  }

  @Test("edits in the manner of vi where the user's settings say so, arrows and all")
  func editsLikeVi() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      # vi
      bind -v
      nonsense
      program:bind ^T ed-move-to-beg
      """, to: "editrc")
    let terminal = try start(["EDITRC": folder.path("editrc")], columns: 200)
    #expect(
      terminal.screen.lines[0]
        == folder.path("editrc") + ":3: not understood and passed over: nonsense (see editrc(5))")
    try terminal.type("worlx\u{1B}")
    // In vi an escape by itself changes to commands, without waiting for the next key.
    try terminal.wait(for: "the cursor on x") { $0.cursor.column == 9 }
    try terminal.type("rd")
    try terminal.type("Ihello \u{14}>\u{1B}[C\u{1B}[3~\n")
    try terminal.wait(for: "got [>hllo world]")
    try leave(terminal)
  }

  @Test("shows wide characters and emoji in their columns, and wraps them whole")
  func showsWideCharacters() throws {
    let terminal = try start(columns: 10)
    try terminal.type("日本語🎉")
    try terminal.wait(for: "two rows") { $0.text == "(0)> 日本\n語🎉" && $0.cursor.column == 4 }
    try terminal.type("\u{1B}[D\u{1B}[D\u{1B}[Dx\n")
    try terminal.wait(for: "got [日x本\n語🎉]")
    try leave(terminal)
  }

  @Test("takes bytes that are not UTF-8 for what they are, and goes on")
  func survivesInvalidInput() throws {
    let terminal = try start()
    try terminal.type(bytes: [0x61, 0xFF, 0xC3, 0x28, 0x62, 0x0A])
    try terminal.wait(for: "got [a\u{FFFD}\u{FFFD}(b]")
    try leave(terminal)
  }

  @Test("draws anew at another size")
  func resizes() throws {
    let terminal = try start(columns: 40)
    try terminal.type("one two three four")
    try terminal.wait(forLine: "(0)> one two three four")
    try terminal.resize(columns: 60, rows: 20)
    try terminal.type("!")
    try terminal.wait(forLine: "(0)> one two three four!")
    try terminal.type("\u{15}width\n")
    try terminal.wait(for: "60 columns")
    try leave(terminal)
  }

  @Test("stops with Ctrl-Z, gives the terminal back, and goes on where it was")
  func stopsAndGoesOn() throws {
    let program = BuiltProduct.path("line-editor-program")
    let script =
      "set -m; '\(program)'; stty -a | grep -o '[-]*icanon'; read x; fg >/dev/null; echo over $?"
    let terminal = try Terminal(["/bin/sh", "-c", script])
    try terminal.wait(forLine: "(0)>")
    try terminal.type("half")
    try terminal.wait(forLine: "(0)> half")
    try terminal.type("\u{1A}")
    try terminal.wait(for: "the mode of shells") { $0.lines.contains("icanon") }
    #expect(!terminal.screen.modes.contains(2004))
    try terminal.type("\n")
    try terminal.wait(for: "the line again") { $0.line == "(0)> half" && $0.modes.contains(2004) }
    try terminal.type("\u{1B}[D!\n")
    try terminal.wait(for: "got [hal!f]")
    try terminal.type("quit\n")
    try terminal.wait(for: "over 0")
    #expect(try terminal.waitForEnd() == .code(0))
  }

  @Test(
    "gives the terminal back however the program ends",
    arguments: [
      ("crash", nil, Terminal.Ending.signal(Self.trap)), ("exit", nil, .code(7)),
      ("overflow", nil, .signal(SIGSEGV)), (nil, SIGTERM, .signal(SIGTERM)),
      (nil, SIGHUP, .signal(SIGHUP)),
      (nil, SIGSEGV, .signal(SIGSEGV)), (nil, SIGQUIT, .signal(SIGQUIT)),
    ] as [(String?, Int32?, Terminal.Ending)])
  func restores(_ command: String?, _ signal: Int32?, _ ending: Terminal.Ending) throws {
    let terminal = try start(["SWIFT_BACKTRACE": "enable=no"])
    #expect(!terminal.isCooked)
    if let command { try terminal.type(command + "\n") }
    if let signal {
      try terminal.type("half")
      try terminal.wait(forLine: "(0)> half")
      terminal.signal(signal)
    }
    #expect(try terminal.waitForEnd() == ending)
    #expect(terminal.isCooked)
    #expect(!terminal.screen.modes.contains(2004))
  }

  @Test("shows a right prompt as long as there is room for it")
  func showsRightPrompt() throws {
    let terminal = try Terminal(
      [BuiltProduct.path("line-editor-program")], environment: ["PROGRAM_RIGHT": "right"],
      columns: 20)
    try terminal.wait(for: "both") { $0.lines[0] == "(0)>         right" }
    #expect(terminal.screen.cell(row: 0, column: 13).style == "0;2")
    try terminal.type("word")
    try terminal.wait(for: "both") { $0.lines[0] == "(0)> word    right" }
    try terminal.type("s words")
    try terminal.wait(forLine: "(0)> words words")
    try terminal.type("\u{15}quit\n")
    #expect(try terminal.waitForEnd() == .code(0))
  }

  @Test("is the only one of its process")
  func isAlone() throws {
    let terminal = try start(columns: 100)
    try terminal.type("second\n")
    try terminal.wait(
      for: "there is a line editor already, and a process has one terminal: close the first")
    try leave(terminal)
  }

  @Test("is not made where there is no terminal", arguments: ["xterm", "dumb", ""])
  func needsATerminal(_ name: String) {
    #expect(throws: LineEditorError.notATerminal) {
      try LineEditor(name: "program", input: -1, output: -1, environment: ["TERM": name])
    }
  }

  @Test("reads single keys, and takes lines again afterwards")
  func browses() throws {
    let terminal = try start()
    try terminal.type("browse\n")
    try terminal.wait(for: "browsing")
    try terminal.waitUntilCooked(false)
    try terminal.type("\u{1B}[5~")
    try terminal.wait(for: "pageUp")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "escape")
    try terminal.type("\u{3}q")
    try terminal.wait(forLine: "(0)>")
    try leave(terminal)
  }

  @Test("shows long text through the user's pager, from which Ctrl-C does not end the program")
  func pages() throws {
    // Reads little, so that it leaves while more is written, and takes its time over a key.
    let terminal = try start(["PAGER": "head -n 2; read key </dev/tty; true"])
    try terminal.type("page\n")
    try terminal.wait(for: "row 1\nrow 2")
    try terminal.type("\n")
    try terminal.wait(for: "paged")
    try terminal.wait(forLine: "(0)>")
    try terminal.type("page\n")
    try terminal.wait(for: "twice") { $0.text.split(separator: "\n").count { $0 == "row 2" } == 2 }
    try terminal.type("\u{3}")
    try terminal.wait(for: "paged twice") { $0.text.contains("\n^Cpaged") }
    try terminal.wait(forLine: "(0)>")
    try leave(terminal)
  }

  /// The signal that a trap of Swift's ends with.
  private static var trap: Int32 {
    #if arch(x86_64) || arch(i386)
      SIGILL
    #else
      SIGTRAP
    #endif
  }

  private func start(
    _ environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> Terminal {
    let terminal = try Terminal(
      [BuiltProduct.path("line-editor-program")],
      environment: environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given },
      columns: columns, rows: rows)
    try terminal.wait(forLine: "(0)>")
    return terminal
  }

  /// Every test ends with the program's own command, and a screen that knew all it was sent.
  private func leave(_ terminal: Terminal, prompt: String = "(0)>") throws {
    try terminal.wait(forLine: prompt)
    try terminal.type("quit\n")
    #expect(try terminal.waitForEnd() == .code(0))
    #expect(terminal.isCooked)
    #expect(terminal.screen.unknown == [])
  }
}

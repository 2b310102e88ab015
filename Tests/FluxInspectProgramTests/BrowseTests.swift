import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("browse on the whole screen", .waiting)
struct BrowseTests {
  private let folder: TemporaryFolder
  private let prompt = "(TodoMVC start/5)"

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
  }

  /// Opens the log, and waits for the screen.
  private func browse(
    arguments: [String] = [], environment: [String: String] = [:], columns: Int = 80,
    rows: Int = 12
  ) throws -> Terminal {
    let terminal = try folder.open(
      arguments: arguments, environment: environment, columns: columns, rows: rows)
    try terminal.type("browse\n")
    try terminal.wait(for: "n next stop")
    return terminal
  }

  @Test("walks with keys, and leaves the lines of the session as they were")
  func walks() throws {
    let terminal = try browse(environment: ["NO_COLOR": "1"])
    #expect(terminal.screen.modes == [1000, 1006, 1049])
    try terminal.type("\u{1B}[B\u{1B}[B\u{1B}[B")
    try terminal.wait(for: "TodoMVC 3/5 todo/add")
    #expect(
      terminal.screen.text == #"""
        TodoMVC 3/5 todo/add +1.25s
        ─[Steps]────────────────────────┬─ Changes ─────────────────────────────────────
                   start                │ 3 todo/add {"title":"日本 🎉"} +1.25s
          1  0.500 todo/add {"title":"m…│   changed: todos
          2  1.000   todo/saved         │ from step 2 to step 3
        > 3  1.250 todo/add {"title":"… │ + /todos/items/1: {"done":false,"title":"日本…
          4  3.000 todo/toggle {"id":2} ├─ State  3-6 of 8 ─────────────────────────────
          5 10.000 todo/clear           │       - 0: {2}
                                        │           done: false
                                        │           title: "milk"
                                        │  ~    - 1: {2}
        ? help  q leave  Tab pane  / search  b break  d form  n next stop
        """#)
    #expect((0..<12).allSatisfy { terminal.screen.cell(row: $0, column: 1).style.count <= 1 })
    try terminal.type("b\u{1B}[Hn")
    try terminal.wait(for: "breakpoint 1: todo/add")
    try terminal.type("q")
    try terminal.wait(forLine: "(TodoMVC 1/5 todo/add)")
    #expect(
      terminal.screen.text.hasSuffix(
        """
        (TodoMVC start/5) browse
        1 todo/add {"title":"milk"} +0.5s
          changed: todos
        (TodoMVC 1/5 todo/add)
        """))
    #expect(terminal.screen.text.contains("'help' lists the commands"))
    try terminal.run("breakpoints", prompt: "(TodoMVC 1/5 todo/add)")
    #expect(terminal.screen.text.contains("1 breakpoint todo/add"))
    try terminal.quit(prompt: "(TodoMVC 1/5 todo/add)")
  }

  @Test("draws again at another size, down to 20 columns and 5 rows")
  func resizes() throws {
    let terminal = try browse()
    try terminal.resize(columns: 20, rows: 5)
    try terminal.wait(for: "the small screen") {
      $0.lines == [
        "TodoMVC start/5", "─[Steps]─ Changes ─…", ">   start", "  1 todo/add {\"titl…",
        "? help  q leave  Ta…",
      ]
    }
    try terminal.resize(columns: 100, rows: 30)
    try terminal.wait(for: " State")
    try terminal.type("q")
    try terminal.quit(prompt: prompt)
  }

  @Test("has colors unless they are forbidden")
  func colors() throws {
    let terminal = try browse()
    #expect(terminal.screen.cell(row: 0, column: 0).style == "0;7")
    #expect(terminal.screen.cell(row: 3, column: 2).style == "0;38;5;130")
    try terminal.type("q")
    try terminal.quit(prompt: prompt)
    let sixteen = try browse(environment: ["TERM": "xterm"])
    #expect(sixteen.screen.cell(row: 3, column: 2).style == "0;33")
    try sixteen.type("q")
    try sixteen.quit(prompt: prompt)
    let plain = try browse(arguments: ["--color", "never"])
    #expect(plain.screen.cell(row: 0, column: 0).style == "0")
    try plain.type("q")
    try plain.quit(prompt: prompt)
  }

  @Test(
    "the screen is given back whatever ends it",
    arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT])
  func restores(_ signal: Int32) throws {
    // The Thread Sanitizer, if the program is built with it, would take SIGSEGV for a fault of its own.
    let terminal = try browse(
      environment: ["SWIFT_BACKTRACE": "enable=no", "TSAN_OPTIONS": "handle_segv=0"])
    terminal.signal(signal)
    #expect(try terminal.waitForEnd() == .signal(signal))
    terminal.expectReturned()
    #expect(terminal.screen.text.hasSuffix("\(prompt) browse"))
  }

  @Test("Ctrl-Z gives the screen back, and it goes on where it was")
  func stopsAndGoesOn() throws {
    let program = BuiltProduct.path("flux-inspect")
    let script =
      "set -m; '\(program)' '\(folder.path("log.jsonl"))'; stty -a | grep -o '[-]*icanon'; read x; "
      + "fg >/dev/null; echo over $?"
    let terminal = try Terminal(["/bin/sh", "-c", script], environment: folder.userFolders)
    try terminal.wait(forLine: prompt)
    try terminal.type("browse\n")
    try terminal.wait(for: "n next stop")
    try terminal.type("\u{1B}[B")
    try terminal.wait(for: "TodoMVC 1/5 todo/add")
    try terminal.type("\u{1A}")
    try terminal.wait(for: "the mode of shells") { $0.lines.contains("icanon") }
    #expect(terminal.screen.modes == [7, 25])
    #expect(!terminal.screen.text.contains("State"))
    try terminal.type("\n")
    try terminal.wait(for: "the screen again") {
      $0.text.contains("TodoMVC 1/5 todo/add") && $0.modes == [1000, 1006, 1049]
    }
    try terminal.type("q")
    try terminal.wait(forLine: "(TodoMVC 1/5 todo/add)")
    try terminal.type("quit 3\n")
    try terminal.wait(for: "over 3")
    #expect(try terminal.waitForEnd() == .code(0))
  }

  @Test("the mouse goes to a step, and the wheel goes on from there")
  func mouse() throws {
    let terminal = try browse()
    try terminal.type("\u{1B}[<0;10;5M\u{1B}[<0;10;5m")
    try terminal.wait(for: "TodoMVC 2/5 todo/saved")
    try terminal.type("\u{1B}[<65;10;5M")
    try terminal.wait(for: "TodoMVC 5/5 todo/clear")
    try terminal.type("q")
    try terminal.quit(prompt: "(TodoMVC 5/5 todo/clear)")
  }

  @Test("searches while the text is typed")
  func searches() throws {
    let terminal = try browse()
    try terminal.type("/togg")
    try terminal.wait(for: "TodoMVC 4/5 todo/toggle")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "TodoMVC start/5")
    try terminal.type("q")
    try terminal.quit(prompt: prompt)
  }

  @Test("Ctrl-C leaves the screen")
  func interrupts() throws {
    let terminal = try browse()
    try terminal.type("\u{3}")
    try terminal.quit(prompt: prompt)
  }

  @Test("shows new steps of a log that is followed")
  func follows() throws {
    try folder.log([TodoLog.header, TodoLog.steps[0]], "growing.jsonl")
    let terminal = try folder.open(
      "growing.jsonl", arguments: ["--follow"], prompt: "(TodoMVC start/1…)")
    try terminal.type("browse\n")
    try terminal.wait(for: "TodoMVC start/1")
    try folder.append(TodoLog.steps[1] + "\n", to: "growing.jsonl")
    try terminal.wait(for: "the new step") { $0.text.contains("todo/saved") }
    try terminal.type("q")
    try terminal.wait(for: "the notice") { $0.text.contains("2 todo/saved +1.000000s") }
    try terminal.quit(prompt: "(TodoMVC start/2…)")
  }
}

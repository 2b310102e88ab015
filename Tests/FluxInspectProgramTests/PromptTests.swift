import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("flux-inspect at a terminal", .waiting)
struct PromptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
  }

  @Test("greets, and shows in the prompt where the session stands")
  func prompts() throws {
    let terminal = try folder.open()
    try terminal.type("goto 4\n")
    try terminal.wait(forLine: "(TodoMVC 4/5 todo/toggle)")
    #expect(
      terminal.screen.text == """
        \(folder.path("log.jsonl")): TodoMVC
        'help' lists the commands; Tab completes; Alt-Left and Alt-Right step through the log
        (TodoMVC start/5) goto 4
        4 todo/toggle {"id":2} +3s
          changed: todos
        (TodoMVC 4/5 todo/toggle)
        """)
    try terminal.type("back\n\n")
    try terminal.wait(forLine: "(TodoMVC 2/5 todo/saved)")
    try terminal.quit(prompt: "(TodoMVC 2/5 todo/saved)")
  }

  @Test("repeats a move for Enter right after it, but not for pasted lines, and not after fg")
  func repeats() throws {
    let terminal = try folder.open()
    try terminal.run("step", prompt: "(TodoMVC 1/5 todo/add)")
    try terminal.paste("step\n\n\nstep\n\n")
    try terminal.wait(forLine: "(TodoMVC 3/5 todo/add)")
    try terminal.run("count *", prompt: "(TodoMVC 3/5 todo/add)")
    try terminal.type("\n")
    try terminal.run("# no move", prompt: "(TodoMVC 3/5 todo/add)")
    try terminal.run("back", prompt: "(TodoMVC 2/5 todo/saved)")
    terminal.signal(SIGSTOP)
    terminal.signal(SIGCONT)
    try terminal.type("\n")
    try terminal.run("# still here", prompt: "(TodoMVC 2/5 todo/saved)")
    try terminal.type("\n")
    try terminal.wait(forLine: "(TodoMVC 1/5 todo/add)")
    try terminal.quit(prompt: "(TodoMVC 1/5 todo/add)")
  }

  @Test(
    "has colours unless they are forbidden, from the start or later",
    arguments: [
      ([:], [], true), (["NO_COLOR": "1"], [], false), ([:], ["--color", "never"], false),
    ]
      as [([String: String], [String], Bool)])
  func colours(
    _ environment: [String: String], _ arguments: [String], _ isColoured: Bool
  ) throws {
    let terminal = try folder.open(arguments: arguments, environment: environment)
    let number = terminal.screen.cell(row: terminal.screen.cursor.row, column: 9)
    #expect(number.text == "s")
    #expect(number.style.contains("33") == isColoured)
    try terminal.type("set color \(isColoured ? "never" : "always")\n")
    try terminal.wait(for: "the prompt in other colours") { screen in
      screen.line == "(TodoMVC start/5)"
        && screen.cell(row: screen.cursor.row, column: 9).style.contains("33") != isColoured
    }
    try terminal.quit(prompt: "(TodoMVC start/5)")
  }

  @Test("shows wide characters and emoji in their columns, and draws anew at another size")
  func showsWideCharacters() throws {
    let terminal = try folder.open(columns: 60)
    try terminal.type("goto 3\n")
    try terminal.wait(for: #"3 todo/add {"title":"日本 🎉"} +1.25s"#)
    try terminal.wait(forLine: "(TodoMVC 3/5 todo/add)")
    try terminal.type("# 日本🎉")
    try terminal.wait(forLine: "(TodoMVC 3/5 todo/add) # 日本🎉")
    #expect(terminal.screen.cursor.column == 31)
    try terminal.resize(columns: 100, rows: 30)
    try terminal.type("\u{1B}[D!")
    try terminal.wait(for: "the line at another size") {
      $0.line == "(TodoMVC 3/5 todo/add) # 日本!🎉" && $0.cursor.column == 30
    }
    try terminal.type("\n")
    try terminal.quit(prompt: "(TodoMVC 3/5 todo/add)")
  }

  @Test("never lets a value of the log drive the terminal")
  func spellsControlsOut() throws {
    try folder.log(
      [
        TodoLog.header,
        #"{"n":1,"t":1.0,"action":{"type":"a\u001b[2Jb\u0007","payload":"\u001b]0;t\u0007\u009b31m"},"states":{"todos":"\u001b[?25l\u202e"}}"#,
        #"{"end":{"steps":1,"ok":true}}"#,
      ], "evil.jsonl")
    let terminal = try folder.open("evil.jsonl", prompt: "(TodoMVC start/1)")
    let prompt = #"(TodoMVC 1/1 a\u{1b}[2Jb\u{7})"#
    try terminal.run("step", prompt: prompt)
    for command in ["action", "state", "list", "types", "print $", "set format ndjson", "state"] {
      try terminal.run(command, prompt: prompt)
    }
    try terminal.type("goto a\t")
    try terminal.wait(forLine: "\(prompt) goto \"a^[[2Jb^G#\"")
    try terminal.type("\u{3}")
    try terminal.quit(prompt: prompt)
    #expect(terminal.screen.bells == 0)
    #expect(terminal.screen.modes.contains(25))
  }

  @Test("shows new steps of a log that is followed above the line that is typed")
  func follows() throws {
    try folder.log([TodoLog.header, TodoLog.steps[0]], "growing.jsonl")
    let terminal = try folder.open(
      "growing.jsonl", arguments: ["--follow"], prompt: "(TodoMVC start/1…)")
    try terminal.type("coun")
    try terminal.wait(forLine: "(TodoMVC start/1…) coun")
    try folder.append(TodoLog.steps[1] + "\n", to: "growing.jsonl")
    try terminal.wait(for: "the step above the line") { screen in
      screen.text.contains("\n2 todo/saved +1.000000s\n")
        && screen.line == "(TodoMVC start/2…) coun"
    }
    try folder.append(#"{"end":{"steps":2,"ok":true}}"# + "\n", to: "growing.jsonl")
    try terminal.wait(for: "the log was closed")
    try terminal.type("t *\n")
    try terminal.quit(prompt: "(TodoMVC start/2)")
  }

  @Test("tells that another recording is at the path of a log that is followed")
  func replaced() throws {
    try folder.log([TodoLog.header, TodoLog.steps[0]], "growing.jsonl")
    let terminal = try folder.open(
      "growing.jsonl", arguments: ["--follow"], prompt: "(TodoMVC start/1…)")
    try FileManager.default.moveItem(
      at: folder.url("growing.jsonl"), to: folder.url("growing~1.jsonl"))
    let other = #"{"flux":"1.1","log":"other","created":"2026-11-20T12:00:00.000000Z","stores":{}}"#
    try folder.log([other], "growing.jsonl")
    try terminal.wait(for: "another recording is at ")
    try terminal.quit(prompt: "(TodoMVC start/1…)")
  }

  @Test("tells that a log that is followed was removed, and then that another is at its path")
  func removed() throws {
    try folder.log([TodoLog.header, TodoLog.steps[0]], "growing.jsonl")
    let terminal = try folder.open(
      "growing.jsonl", arguments: ["--follow"], prompt: "(TodoMVC start/1…)")
    try FileManager.default.removeItem(at: folder.url("growing.jsonl"))
    try terminal.wait(for: "growing.jsonl was removed; what it had can be read here")
    try folder.log([TodoLog.header], "growing.jsonl")
    try terminal.wait(for: "another file is at ")
    try terminal.quit(prompt: "(TodoMVC start/1…)")
  }

  @Test("tells that a newer copy is at the path of a log that is followed")
  func replacedByCopy() throws {
    try folder.log([TodoLog.header, TodoLog.steps[0]], "growing.jsonl")
    let terminal = try folder.open(
      "growing.jsonl", arguments: ["--follow"], prompt: "(TodoMVC start/1…)")
    try folder.replace("growing.jsonl", with: folder.bytes(of: "log.jsonl"))
    try terminal.wait(for: "another file is at ")
    try terminal.quit(prompt: "(TodoMVC start/1…)")
  }

  @Test("goes on where the last step of a log that is followed is none any more")
  func losesStep() throws {
    try folder.log([TodoLog.header, TodoLog.steps[0]], "growing.jsonl")
    try folder.append(TodoLog.steps[1], to: "growing.jsonl")
    let terminal = try folder.open(
      "growing.jsonl", arguments: ["--follow"], prompt: "(TodoMVC start/2…)")
    try folder.append(" x\n", to: "growing.jsonl")
    try terminal.wait(forLine: "(TodoMVC start/1…)")
    try terminal.quit(prompt: "(TodoMVC start/1…)")
  }

  @Test("shows what is longer than the screen in the user's pager, unless that is off")
  func pages() throws {
    try folder.log(TodoLog.long(100), "long.jsonl")
    let prompt = "(TodoMVC start/100)"
    let terminal = try folder.open(
      "long.jsonl", environment: ["PAGER": "wc -l"], prompt: prompt)
    try terminal.type("list ..\n")
    try terminal.wait(for: "the number of lines") { $0.lines.contains("100") }
    try terminal.run("list 1..2", prompt: prompt)
    #expect(
      terminal.screen.lines.contains {
        $0.hasPrefix("    2 tick ") && $0.hasSuffix(" +2.000000s")
      })
    try terminal.run("set pager off", prompt: prompt)
    try terminal.run("list 1..100", prompt: prompt)
    #expect(
      terminal.screen.lines.contains {
        $0.hasPrefix("  100 tick ") && $0.hasSuffix(" +100.000000s")
      })
    try terminal.run("set pager on", prompt: prompt)
    try terminal.quit(prompt: prompt)
  }
}

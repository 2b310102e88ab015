import FluxTerminal
import TerminalTesting
import TestFixtures
import Testing

@testable import flux_inspect

@Suite("The menu of a folder", .waiting)
struct LogMenuTests {
  private func menu(rows: Int = 24) -> LogMenu {
    LogMenu(
      folder: "logs",
      paths: [
        "logs/cart.jsonl", "logs/cart-crash.jsonl", "logs/ci/買い物は.jsonl", "logs/login.jsonl",
      ],
      size: TerminalSize(columns: 20, rows: rows))
  }

  @Test("It has a row for each log, cut to the screen")
  func rows() {
    #expect(
      menu().rows == [
        "  1  cart.jsonl", "  2  cart-crash.jso…", "  3  ci/買い物は.js…", "  4  login.jsonl",
      ])
    #expect(menu(rows: 5).rows == ["  1  cart.jsonl", "  2  cart-crash.jso…", "  …2 more"])
  }

  @Test("A number, a name, or a part of a name picks a log")
  func answers() {
    let menu = menu()
    #expect(menu.answer("2") == .log("logs/cart-crash.jsonl"))
    #expect(menu.answer("cart.jsonl") == .log("logs/cart.jsonl"))
    #expect(menu.answer(" LOGIN ") == .log("logs/login.jsonl"))
    #expect(menu.answer("cart") == .several(["  1  cart.jsonl", "  2  cart-crash.jso…"]))
    #expect(menu.answer("5") == .none)
    #expect(menu.answer("chat") == .none)
  }

  @Test("At a terminal, the program asks which log to open")
  func asks() throws {
    let folder = try TemporaryFolder()
    try folder.log(TodoLog.lines, "a.jsonl")
    try folder.log(TodoLog.lines, "b.jsonl")
    let question = "log (its number or a part of its name):"
    let terminal = try folder.open("", prompt: question)
    try terminal.type("c\n")
    try terminal.wait(for: "no log has that number, or a name with c")
    try terminal.wait(forLine: question)
    try terminal.type("b\t\n")
    try terminal.wait(forLine: "(TodoMVC start/5)")
    #expect(
      terminal.screen.text.replacing(folder.path(""), with: "LOGS/") == """
        2 logs in LOGS/
          1  a.jsonl
          2  b.jsonl
        \(question) c
        no log has that number, or a name with c
        \(question) b.jsonl
        LOGS/b.jsonl: TodoMVC
        'help' lists the commands; Tab completes; Alt-Left and Alt-Right step through the log
        (TodoMVC start/5)
        """)
    try terminal.quit(prompt: "(TodoMVC start/5)")
    for (key, code) in [("\u{3}", 130), ("\u{4}", 0)] as [(String, Int32)] {
      let terminal = try folder.open("", prompt: question)
      try terminal.type(key)
      #expect(try terminal.waitForEnd() == .code(code))
    }
  }
}

import TerminalTesting
import TestFixtures
import Testing

@Suite("Typing at the prompt", .waiting)
struct TypingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
  }

  @Test("An open bracket continues on the next line, and an empty line submits")
  func continues() throws {
    let terminal = try folder.open()
    try terminal.paste("print todos[\n\n  'items'\n \n]\n")
    try terminal.wait(for: "the value") { $0.text.contains("\n[]\n(TodoMVC start/5)") }
    #expect(
      terminal.screen.text.contains(
        "a bracket is open: an empty line runs the command as it is, and Ctrl-C drops it"))
    try terminal.type("print todos[\n\n")
    try terminal.wait(for: "error: print: column 7")
    // Between two prompts the terminal echoes Ctrl-C itself, before the second one.
    try terminal.wait(forLine: "(TodoMVC start/5)")
    try terminal.type("print todos[\n")
    try terminal.wait(forLine: "…")
    try terminal.type("\u{3}")
    try terminal.wait(forLine: "(TodoMVC start/5)")
    try terminal.type("\u{1B}[A\u{1B}[A")
    try terminal.wait(forLine: "(TodoMVC start/5) print todos[ 'items' ]")
    try terminal.type("\u{15}")
    try terminal.quit(prompt: "(TodoMVC start/5)")
  }

  @Test("Ctrl-R searches the history, and Enter runs the line that it has found")
  func searches() throws {
    let terminal = try folder.open()
    try terminal.run("goto 3", prompt: "(TodoMVC 3/5 todo/add)")
    try terminal.run("goto 1", prompt: "(TodoMVC 1/5 todo/add)")
    try terminal.run("back", prompt: "(TodoMVC start/5)")
    try terminal.type("\u{12}goto")
    try terminal.wait(for: "(TodoMVC start/5) goto 1")
    try terminal.type("\u{12}")
    try terminal.wait(for: "(TodoMVC start/5) goto 3")
    try terminal.type("\n")
    try terminal.wait(forLine: "(TodoMVC 3/5 todo/add)")
    try terminal.quit(prompt: "(TodoMVC 3/5 todo/add)")
  }
}

import TerminalTesting
import TestFixtures
import Testing

@Suite("Replaying at a terminal", .waiting)
struct ReplayPromptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("An app that hangs is given up by Ctrl-C, one that dies is told, and the session goes on")
  func faults() throws {
    try folder.log(CounterLog.hanging)
    let start = "(Counter start/2)"
    // Wide enough for the path of the app, wherever it was built: lines that wrap are not found.
    let terminal = try folder.open(
      arguments: ["--app", BuiltProduct.path("CounterHost")],
      environment: ["SWIFT_BACKTRACE": "enable=no"], columns: 1_000, prompt: start)
    try terminal.type("verify\n")
    try terminal.wait(for: "waiting for the app (Ctrl-C stops)")
    try terminal.type("\u{3}")
    try terminal.wait(forLine: start)
    #expect(terminal.screen.text.contains("interrupted"))
    try terminal.run("fork 1", prompt: "(Counter 1+0 fork 1)")
    try terminal.run(#"dispatch {"type":"counter/exit"}"#, prompt: "(Counter 1+0 fork 1)")
    #expect(terminal.screen.text.contains("step 2, counter/exit: the app exited with status 7"))
    try terminal.run(
      #"dispatch {"type":"counter/add","payload":{"amount":1}}"#, prompt: "(Counter 1+1 fork 1)")
    #expect(terminal.screen.text.contains("~ /counter/count: 2 -> 3"))
    // Alt-Left and Alt-Right move over the steps of the fork, and the prompt follows.
    try terminal.type("\u{1B}[1;3D")
    try terminal.wait(forLine: "(Counter 1+0 fork 1)")
    try terminal.type("\u{1B}[1;3C")
    try terminal.wait(forLine: "(Counter 1+1 fork 1)")
    try terminal.quit(prompt: "(Counter 1+1 fork 1)")
  }
}

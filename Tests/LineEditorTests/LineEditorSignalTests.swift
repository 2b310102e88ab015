import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("A line editor and signals", .waiting)
struct LineEditorSignalTests {
  @Test("drops a line on Ctrl-C, and ends on Ctrl-D")
  func interruptsAndEnds() throws {
    let terminal = try TestProgram.start()
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

  @Test("lets Ctrl-C stop a command but not the program")
  func stopsACommand() throws {
    let terminal = try TestProgram.start()
    try terminal.type("work\n")
    try terminal.wait(for: "working")
    #expect(terminal.isCooked)
    try terminal.type("\u{3}")
    try terminal.wait(for: "stopped")
    try terminal.wait(forLine: "(0)>")
    try TestProgram.leave(terminal)
  }

  @Test("drops the rest of a paste when a command is stopped with Ctrl-C")
  func interruptsAPaste() throws {
    let terminal = try TestProgram.start()
    try terminal.paste("work\nsecond\nthird")
    try terminal.wait(for: "working")
    try terminal.type("\u{3}")
    try terminal.wait(for: "stopped")
    try terminal.wait(forLine: "(0)>")
    try TestProgram.leave(terminal)
    #expect(!terminal.screen.text.contains("second"))
  }

  @Test("redraws at another size")
  func resizes() throws {
    let terminal = try TestProgram.start(columns: 40)
    try terminal.type("one two three four")
    try terminal.wait(forLine: "(0)> one two three four")
    try terminal.resize(columns: 60, rows: 20)
    try terminal.type("!")
    try terminal.wait(forLine: "(0)> one two three four!")
    try terminal.type("\u{15}width\n")
    try terminal.wait(for: "60 columns")
    try TestProgram.leave(terminal)
  }

  @Test("stops on Ctrl-Z, restores the terminal, and continues at the same place")
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
    "restores the terminal, however the program ends",
    arguments: [
      ("crash", nil, Terminal.Ending.signal(TestProgram.trap)), ("exit", nil, .code(7)),
      ("overflow", nil, .signal(SIGSEGV)), (nil, SIGTERM, .signal(SIGTERM)),
      (nil, SIGHUP, .signal(SIGHUP)),
      (nil, SIGSEGV, .signal(SIGSEGV)), (nil, SIGQUIT, .signal(SIGQUIT)),
    ] as [(String?, Int32?, Terminal.Ending)])
  func restores(_ command: String?, _ signal: Int32?, _ ending: Terminal.Ending) throws {
    let terminal = try TestProgram.start(["SWIFT_BACKTRACE": "enable=no"])
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
}

import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("The whole screen", .waiting)
struct FullScreenTests {
  /// Starts the program, and lets it take the screen.
  private func start(_ environment: [String: String] = [:]) throws -> Terminal {
    let terminal = try TestProgram.start(environment, columns: 40, rows: 8)
    try terminal.type("browse\n")
    try terminal.wait(for: "  browsing!")
    return terminal
  }

  @Test("shows frames for keys, then the lines that were there before")
  func keys() throws {
    let terminal = try start()
    #expect(terminal.screen.lines == ["", "", "", "", "  browsing!", "", "", ""])
    #expect(terminal.screen.modes == [1000, 1006, 1049])
    #expect(terminal.screen.cell(row: 4, column: 10).style == "0;7")
    try terminal.type("\u{1B}[5~")
    try terminal.wait(for: "  pageUp!")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "  escape!")
    try terminal.type("\u{3}")
    try terminal.wait(for: #"  character("c")!"#)
    try terminal.type("\u{1B}[<0;3;5M")
    // The row and the column are beyond the edge of this screen; the decoder's tests have them.
    try terminal.wait(for: "  mouse(")
    try terminal.type("q")
    try terminal.wait(forLine: "(0)>")
    #expect(terminal.screen.text == "(0)> browse\n(0)>")
    try TestProgram.leave(terminal)
  }

  @Test("draws again at another size")
  func resizes() throws {
    let terminal = try start()
    try terminal.resize(columns: 20, rows: 4)
    try terminal.wait(for: "  20 by 4!")
    #expect(terminal.screen.lines == ["", "", "  20 by 4!", ""])
    try terminal.type("q")
    try TestProgram.leave(terminal)
  }

  @Test(
    "restores the screen, however the program ends",
    arguments: [
      (nil, SIGTERM, .signal(SIGTERM)), (nil, SIGHUP, .signal(SIGHUP)),
      (nil, SIGQUIT, .signal(SIGQUIT)), (nil, SIGSEGV, .signal(SIGSEGV)),
      ("x", nil, .signal(TestProgram.trap)),
    ] as [(String?, Int32?, Terminal.Ending)])
  func restores(_ key: String?, _ signal: Int32?, _ ending: Terminal.Ending) throws {
    let terminal = try start(["SWIFT_BACKTRACE": "enable=no"])
    if let key { try terminal.type(key) }
    if let signal { terminal.signal(signal) }
    #expect(try terminal.waitForEnd() == ending)
    #expect(terminal.isCooked)
    #expect(terminal.screen.modes == [7, 25])
    #expect(terminal.screen.lines.first == "(0)> browse")
    #expect(terminal.screen.unknown == [])
  }

  @Test("gives the screen back on Ctrl-Z, and takes it again")
  func stopsAndGoesOn() throws {
    let program = BuiltProduct.path("line-editor-program")
    let script =
      "set -m; '\(program)'; stty -a | grep -o '[-]*icanon'; read x; fg >/dev/null; echo over $?"
    let terminal = try Terminal(["/bin/sh", "-c", script], columns: 40, rows: 8)
    try terminal.wait(forLine: "(0)>")
    try terminal.type("browse\n")
    try terminal.wait(for: "  browsing!")
    try terminal.type("\u{1A}")
    try terminal.wait(for: "the mode of shells") { $0.lines.contains("icanon") }
    #expect(terminal.screen.modes == [7, 25])
    #expect(terminal.screen.lines.first == "(0)> browse")
    try terminal.type("\n")
    try terminal.wait(for: "the screen again") {
      $0.text == "  40 by 8!" && $0.modes == [1000, 1006, 1049]
    }
    try terminal.type("q")
    try terminal.wait(forLine: "(0)>")
    try terminal.type("quit\n")
    try terminal.wait(for: "over 0")
    #expect(try terminal.waitForEnd() == .code(0))
  }
}

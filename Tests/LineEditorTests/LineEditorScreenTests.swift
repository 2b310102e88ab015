import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("A line editor and other output on its screen", .waiting)
struct LineEditorScreenTests {
  @Test("shows text of another thread above a line of several rows, which does not change")
  func followsAbove() throws {
    let folder = try TemporaryFolder()
    let terminal = try TestProgram.start(columns: 20)
    let pipe = folder.path("pipe")
    let isMade = unsafe mkfifo(pipe, 0o600) == 0
    #expect(isMade)
    // One row, because the folder's name is long.
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
    try TestProgram.leave(terminal)
    try notes.close()
  }

  @Test("reads single keys, then lines again")
  func keys() throws {
    let terminal = try TestProgram.start()
    try terminal.type("keys\n")
    try terminal.wait(for: "reading keys")
    try terminal.waitUntilCooked(false)
    try terminal.type("\u{1B}[5~")
    try terminal.wait(for: "pageUp")
    try terminal.type("\u{1B}")
    try terminal.wait(for: "escape")
    try terminal.type("\u{3}q")
    try terminal.wait(forLine: "(0)>")
    try TestProgram.leave(terminal)
  }

  @Test("shows long text through the user's pager, in which Ctrl-C does not end the program")
  func pages() throws {
    // The pager reads two lines and leaves while more are written; it ends when a key is pressed.
    let terminal = try TestProgram.start(["PAGER": "head -n 2; read key </dev/tty; true"])
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
    try TestProgram.leave(terminal)
  }
}

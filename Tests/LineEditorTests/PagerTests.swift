import CXNU
import FluxTerminal
import Foundation
import TestFixtures
import Testing

@testable import LineEditor

@Suite("Pager")
struct PagerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "screen")
  }

  /// Shows pieces of text on a screen of five rows; returns what came to the screen and the pager.
  private func show(_ pieces: [String], pager: String?) throws -> (screen: String, paged: [Bool]) {
    let screen = try FileHandle(forWritingTo: URL(filePath: folder.path("screen")))
    let environment = ["PAGER": pager ?? "", "PATH": "/usr/bin:/bin"]
    let pager = Pager(
      command: PagerCommand(environment: environment) {
        FileManager.default.isExecutableFile(atPath: $0)
      }, size: TerminalSize(columns: 20, rows: 5), output: screen.fileDescriptor,
      environment: environment)
    let answers = try pieces.map { try pager.write($0) }
    try pager.finish()
    try screen.close()
    return (try folder.text(of: "screen"), answers)
  }

  @Test("leaves what fits on the screen alone")
  func fits() throws {
    let shown = try show(["one\n", "two\n", "three\n"], pager: "sed s/^/paged:/")
    #expect(shown.screen == "one\ntwo\nthree\n")
  }

  @Test("pages what does not, from its first row")
  func pages() throws {
    let shown = try show(["1\n2\n", "3\n", "4\n", "5\n"], pager: "sed s/^/paged:/")
    #expect(shown.screen == "paged:1\npaged:2\npaged:3\npaged:4\npaged:5\n")
    #expect(shown.paged == [true, true, true, true])
  }

  @Test("shows all of it where there is no pager")
  func withoutPager() throws {
    let shown = try show(["1\n2\n3\n4\n", "5\n"], pager: nil)
    #expect(shown.screen == "1\n2\n3\n4\n5\n")
  }

  @Test("stops where the user leaves the pager")
  func leaves() throws {
    let rows = String(repeating: "row\n", count: 100_000)
    let shown = try show([rows, rows, "more\n"], pager: "head -n 1")
    #expect(shown.screen == "row\n")
    #expect(shown.paged == [false, false, false])
  }

  @Test("waits for the pager if its shell is killed, because both read the keyboard")
  func killedShell() throws {
    // The shell kills itself, and its child shows the text some time after that.
    let shown = try show(
      ["1\n2\n3\n4\n"],
      pager:
        "test 1; exec 8<&0; (while kill -0 $$; do :; done 2>/dev/null; cat <&8) & kill -KILL $$")
    #expect(shown.screen == "1\n2\n3\n4\n")
  }

  @Test(
    "returns from a pager that a signal ended, on XNU too", .enabled(if: xnu_can_simulate()))
  func killedOnXNU() async {
    await #expect(processExitsWith: .success) {
      xnu_simulate()
      // Ends a process that waits for ever.
      alarm(60)
      let shown = try PagerTests().show(["1\n2\n3\n4\n"], pager: "cat; kill -KILL $$")
      #expect(shown.screen == "1\n2\n3\n4\n")
    }
  }
}

import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("How flux-inspect stops and ends", .waiting)
struct EndingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
  }

  @Test("Ctrl-C gives up a line or a command that runs, and Ctrl-D ends the session")
  func interrupts() throws {
    let terminal = try folder.open()
    try terminal.type("half")
    try terminal.wait(forLine: "(TodoMVC start/5) half")
    try terminal.type("\u{3}")
    try terminal.wait(for: "(TodoMVC start/5) half^C\n(TodoMVC start/5)")
    try terminal.type("play 0.001\n")
    try terminal.wait(for: "1 todo/add")
    try terminal.waitUntilCooked()
    try terminal.type("\u{3}")
    try terminal.wait(forLine: "(TodoMVC 1/5 todo/add)")
    #expect(terminal.screen.text.contains("interrupted"))
    try terminal.type("\u{4}")
    #expect(try terminal.waitForEnd() == .code(0))
    terminal.expectReturned()
  }

  @Test("a standard stream that it was started without is an error, and no other file")
  func closedStreams() throws {
    func run(_ arguments: String..., closing: String) throws -> ProgramRun {
      try ProgramRun(
        arguments, through: ["/bin/sh", "-c", "exec \"$0\" \"$@\" \(closing)"], in: folder)
    }
    #expect(
      try run("log.jsonl", closing: "<&-")
        == ProgramRun(
          3, errors: "error: standard input: cannot read: Bad file descriptor\n"))
    #expect(
      try run("log.jsonl", "-e", "types", closing: ">&-")
        == ProgramRun(3, errors: "error: cannot write: Bad file descriptor\n"))
  }

  @Test("a parent that ignores SIGCHLD takes no exit codes of shell commands away")
  func ignoredChildSignal() throws {
    let run = try ProgramRun(
      ["log.jsonl", "-e", "!exit 3"],
      through: ["/bin/bash", "-c", "trap '' CHLD; exec \"$0\" \"$@\""], in: folder)
    #expect(
      run == ProgramRun(3, errors: "error: the shell command ended with status 3: exit 3\n"))
  }

  @Test(
    "a command that sets the terminal not to block leaves no output out",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fdinfo")))
  func unblockedTerminal() throws {
    let terminal = try folder.open()
    // The digit of O_NONBLOCK in the octal flags.
    let tell = "grep -q 'flags:.*[4-7]...$' /proc/self/fdinfo/1 && echo set || echo clear"
    try terminal.type("!\(tell)\n")
    try terminal.wait(for: "\nclear\n(TodoMVC start/5)")
    try terminal.type("!dd if=/dev/null oflag=nonblock status=none; \(tell)\n")
    try terminal.wait(for: "\nset\n(TodoMVC start/5)")
    try terminal.type("!\(tell); echo again\n")
    try terminal.wait(for: "\nclear\nagain\n(TodoMVC start/5)")
    try terminal.type("quit\n")
    #expect(try terminal.waitForEnd() == .code(0))
  }

  @Test("quit ends it with the code that it is given")
  func quits() throws {
    let terminal = try folder.open()
    try terminal.type("quit 7\n")
    #expect(try terminal.waitForEnd() == .code(7))
    terminal.expectReturned()
  }

  @Test("Ctrl-Z stops it with the terminal given back, and it goes on where it was")
  func stopsAndGoesOn() throws {
    let program = BuiltProduct.path("flux-inspect")
    let script =
      "set -m; '\(program)' '\(folder.path("log.jsonl"))'; stty -a | grep -o '[-]*icanon'; read x; "
      + "fg >/dev/null; echo over $?"
    let terminal = try Terminal(["/bin/sh", "-c", script], environment: folder.userFolders)
    try terminal.wait(forLine: "(TodoMVC start/5)")
    try terminal.type("count")
    try terminal.wait(forLine: "(TodoMVC start/5) count")
    try terminal.type("\u{1A}")
    try terminal.wait(for: "the mode of shells") { $0.lines.contains("icanon") }
    #expect(!terminal.screen.modes.contains(2004))
    try terminal.type("\n")
    try terminal.wait(for: "the line again") {
      $0.line == "(TodoMVC start/5) count" && $0.modes.contains(2004)
    }
    try terminal.type(" *\n")
    try terminal.wait(for: "\n5\n")
    try terminal.type("quit 3\n")
    try terminal.wait(for: "over 3")
    #expect(try terminal.waitForEnd() == .code(0))
  }

  @Test("SIGQUIT ends it at once, without a backtrace", arguments: [false, true])
  func quitSignal(_ runs: Bool) throws {
    let backtrace = "enable=yes,interactive=yes,timeout=1000"
    let terminal = try folder.open(environment: ["SWIFT_BACKTRACE": backtrace])
    if runs {
      try terminal.type("play 0.001\n")
      try terminal.wait(for: "1 todo/add")
      try terminal.waitUntilCooked()
    }
    terminal.signal(SIGQUIT)
    #expect(try terminal.waitForEnd() == .signal(SIGQUIT))
    terminal.expectReturned()
    #expect(!terminal.screen.text.lowercased().contains("backtrace"))
  }

  @Test(
    "the terminal is given back whatever ends it, while a line is typed and while a command runs",
    arguments: [SIGTERM, SIGHUP, SIGSEGV, SIGTRAP, SIGABRT], [false, true])
  func restores(_ signal: Int32, _ runs: Bool) throws {
    // The Thread Sanitizer, if the program is built with it, would take SIGSEGV for a fault of its own.
    let terminal = try folder.open(
      environment: ["SWIFT_BACKTRACE": "enable=no", "TSAN_OPTIONS": "handle_segv=0"])
    if runs {
      try terminal.type("play 0.001\n")
      try terminal.wait(for: "1 todo/add")
      try terminal.waitUntilCooked()
    } else {
      try terminal.type("half")
      try terminal.wait(forLine: "(TodoMVC start/5) half")
    }
    terminal.signal(signal)
    #expect(try terminal.waitForEnd() == .signal(signal))
    terminal.expectReturned()
  }

  @Test(
    "a terminal that can only print has a plain prompt, goes on after an error, and has no colours",
    arguments: ["dumb", ""])
  func printsOnly(kind: String) throws {
    let terminal = try Terminal(
      [BuiltProduct.path("flux-inspect"), folder.path("log.jsonl")],
      environment: folder.userFolders.merging(["TERM": kind]) { $1 }, columns: 120)
    try terminal.wait(for: "'help' lists the commands\n(TodoMVC start/")
    try terminal.type("bogus\n")
    try terminal.wait(
      for: "error: no command bogus\nhint: 'help' lists the commands\n(TodoMVC start/")
    // A prompt stays as it is printed, with the mark of a log that is not read to its end yet.
    func wait(forPrompt prompt: String) throws {
      try terminal.wait(for: prompt) { $0.line.replacing("…", with: "") == prompt }
    }
    try terminal.type("goto 3\n")
    try wait(forPrompt: "(TodoMVC 3/5 todo/add)")
    // Enter alone repeats no move here.
    try terminal.type("\nstep\n")
    try wait(forPrompt: "(TodoMVC 4/5 todo/toggle)")
    try terminal.type("\u{4}")
    #expect(try terminal.waitForEnd() == .code(0))
    #expect(terminal.screen.unknown == [])
  }
}

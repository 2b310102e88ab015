import Foundation
import TerminalTesting
import TestFixtures
import Testing

/// The program that the tests drive at a terminal.
enum TestProgram {
  /// The signal of a Swift trap.
  static var trap: Int32 {
    #if arch(x86_64) || arch(i386)
      SIGILL
    #else
      SIGTRAP
    #endif
  }

  /// Starts the program and waits for its prompt.
  static func start(
    _ environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> Terminal {
    let terminal = try Terminal(
      [BuiltProduct.path("line-editor-program")],
      environment: environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given },
      columns: columns, rows: rows)
    try terminal.wait(forLine: "(0)>")
    return terminal
  }

  /// Ends the program with its own command, and checks that the screen knew all sequences.
  static func leave(_ terminal: Terminal, prompt: String = "(0)>") throws {
    try terminal.wait(forLine: prompt)
    try terminal.type("quit\n")
    #expect(try terminal.waitForEnd() == .code(0))
    #expect(terminal.isCooked)
    #expect(terminal.screen.unknown == [])
  }
}

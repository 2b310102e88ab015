import TerminalTesting
import TestFixtures
import Testing

extension TemporaryFolder {
  /// Opens a log for a session at a terminal, and waits for its prompt.
  func open(
    _ log: String = "log.jsonl", arguments: [String] = [], environment: [String: String] = [:],
    columns: Int = 120, rows: Int = 24, prompt: String = "(TodoMVC start/5)"
  ) throws -> Terminal {
    let terminal = try Terminal(
      [BuiltProduct.path("flux-inspect"), path(log)] + arguments,
      environment: userFolders.merging(environment) { _, given in given }, columns: columns,
      rows: rows)
    try terminal.wait(forLine: prompt)
    return terminal
  }
}

extension Terminal {
  /// Runs a command at a prompt, which it ends at too.
  func run(_ command: String, prompt: String) throws {
    try wait(for: "a prompt") { $0.line.hasPrefix("(") && $0.line.hasSuffix(")") }
    func runs(on screen: Screen) -> Int {
      (screen.scrolledOff + screen.lines).count { $0.hasSuffix(") \(command)") }
    }
    // The prompt of before is there until the first character is echoed, so an earlier run of the command does not count.
    let earlier = runs(on: screen)
    try type(command + "\n")
    try wait(for: "the prompt \(prompt) after \(command)") { screen in
      screen.line == prompt && runs(on: screen) > earlier
    }
  }

  /// Ends the session with its own command: the terminal is as it was, and was sent nothing that this one
  /// does not know.
  func quit(prompt: String) throws {
    try wait(forLine: prompt)
    try type("quit\n")
    let end = try waitForEnd()
    #expect(end == .code(0), "\(screen.text)")
    expectReturned()
  }

  /// The program has given the terminal back.
  func expectReturned() {
    #expect(isCooked)
    #expect(!screen.modes.contains(2004))
    #expect(screen.modes.isSuperset(of: [7, 25]))
    #expect(!screen.modes.contains(1049))
    #expect(screen.unknown == [])
  }
}

import Foundation
import TerminalTesting
import TestFixtures

/// A shell at a terminal, in a folder that looks like the project's.
///
/// It has the recordings, and the programs that `swift build` made. Nothing done there changes the project.
final class ShellSession {
  private let folder: URL
  private let terminal: Terminal

  /// Opens a shell.
  ///
  /// - Parameters:
  ///   - columns: The width of the terminal.
  ///   - rows: The height of the terminal.
  /// - Throws: An error if the folder cannot be created or the shell cannot be started.
  init(columns: Int, rows: Int = 200) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "flux-documents-\(UUID().uuidString)")
    let products = URL(filePath: BuiltProduct.path("flux-inspect")).deletingLastPathComponent()
    try Self.furnish(folder, products: products)
    terminal = try Terminal(
      ["/bin/sh", "-c", "cd '\(folder.path())' && exec /bin/sh -i"],
      environment: [
        "PATH": "\(products.path()):/usr/bin:/bin", "HOME": folder.path(), "PS1": "$ ",
        "ENV": "\(folder.path())/profile",
        "LC_ALL": "C.UTF-8",
      ], columns: columns, rows: rows)
    try terminal.wait(forLine: "$ ")
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("could not remove \(folder.path()): \(error)")
    }
  }

  private static func furnish(_ folder: URL, products: URL) throws {
    let files = FileManager.default
    let built = folder.appending(path: ".build/debug")
    try files.createDirectory(at: built, withIntermediateDirectories: true)
    try files.copyItem(
      at: Project.root.appending(path: "Recordings"), to: folder.appending(path: "Recordings"))
    try files.createDirectory(
      at: folder.appending(path: "Examples"), withIntermediateDirectories: true)
    try files.copyItem(
      at: Project.root.appending(path: "Examples/Rules"),
      to: folder.appending(path: "Examples/Rules"))
    for program in try files.contentsOfDirectory(atPath: products.path()) {
      guard program == "flux-inspect" || program.hasSuffix("-example") else { continue }
      // The program words its suggestions by its own place, which a symbolic link would give away.
      do {
        try files.linkItem(
          at: products.appending(path: program), to: built.appending(path: program))
      } catch {
        // The temporary folder is on another file system. A process of its own makes the copy: no other test's child
        // can inherit the descriptor that it writes to, which would keep the program from running.
        let copies = [products, built].map { $0.appending(path: program).path() }
        try Process.run(URL(filePath: "/bin/cp"), arguments: copies).waitUntilExit()
      }
    }
    // These tests run within a build, so `swift run PROGRAM` runs a program that is built already. A function, because an
    // executable that was just written cannot run while another test's child process still has it open.
    try Data("swift() { shift; program=$1; shift; \".build/debug/$program\" \"$@\"; }\n".utf8)
      .write(to: folder.appending(path: "profile"))
  }

  /// Types a line at the prompt and waits for the next prompt, of the shell or of a session.
  func run(_ line: String) throws {
    let prompt = terminal.screen.line
    try terminal.type(line)
    try terminal.wait(forLine: prompt + " " + line)
    let row = terminal.screen.cursor.row
    try terminal.type("\n")
    try terminal.wait(for: "a prompt after \(line)") { screen in
      screen.cursor.row > row && Self.isPrompt(screen.line)
    }
  }

  /// Types keys at a program that has the whole screen, and waits until the screen has a text.
  func press(_ keys: String, until text: String) throws {
    try terminal.type(keys)
    try terminal.wait(for: text)
  }

  /// Checks if the line is only a prompt.
  ///
  /// Dots in a prompt mean that the log's index is not complete yet.
  private static func isPrompt(_ line: String) -> Bool {
    line == "$" || line.hasPrefix("(") && line.hasSuffix(")") && !line.contains("…")
  }

  /// The screen of the terminal.
  var screen: Screen { terminal.screen }

  /// The rows above the prompt that waits for a line.
  var rows: [String] { Array(terminal.screen.lines.prefix(terminal.screen.cursor.row)) }
}

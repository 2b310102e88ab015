import Foundation
import TerminalTesting
import TestFixtures

/// A shell at a terminal, in a folder that looks like the project's.
///
/// Its recordings are there, and the programs as `swift build` leaves them; nothing that is done there changes the
/// project.
final class ShellSession {
  private let folder: URL
  private let terminal: Terminal

  /// Opens a shell.
  ///
  /// - Parameter columns: The width of the terminal.
  /// - Throws: What keeps the folder from being made, or the shell from being started.
  init(columns: Int) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "flux-documents-\(UUID().uuidString)")
    let products = URL(filePath: BuiltProduct.path("flux-inspect")).deletingLastPathComponent()
    try Self.furnish(folder, products: products)
    terminal = try Terminal(
      ["/bin/sh", "-c", "cd '\(folder.path())' && exec /bin/sh -i"],
      environment: [
        "PATH": "\(folder.path())/bin:\(products.path()):/usr/bin:/bin", "HOME": folder.path(),
        "PS1": "$ ",
        "LC_ALL": "C.UTF-8",
      ], columns: columns, rows: 200)
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
    for name in [".build", "bin"] {
      try files.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    try files.copyItem(
      at: Project.root.appending(path: "Recordings"), to: folder.appending(path: "Recordings"))
    try files.createSymbolicLink(
      at: folder.appending(path: ".build/debug"), withDestinationURL: products)
    // `swift run PROGRAM` runs what is built already: these tests run within a build.
    let swift = folder.appending(path: "bin/swift")
    try Data("#!/bin/sh\nshift\nexec \"$@\"\n".utf8).write(to: swift)
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift.path())
  }

  /// Types a line at the prompt, and waits until the next prompt is there: the shell's, or that of a session.
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

  /// Whether nothing but a prompt stands in the line; with dots in it, a log's index is not complete yet.
  private static func isPrompt(_ line: String) -> Bool {
    line == "$" || line.hasPrefix("(") && line.hasSuffix(")") && !line.contains("…")
  }

  /// What the terminal shows.
  var screen: Screen { terminal.screen }

  /// The rows above the prompt that waits for a line.
  var rows: [String] { Array(terminal.screen.lines.prefix(terminal.screen.cursor.row)) }
}

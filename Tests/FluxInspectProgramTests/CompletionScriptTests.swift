import Foundation
import TerminalTesting
import TestFixtures
import Testing

/// Runs the completions in the shells themselves.
///
/// The gate installs bash, zsh and fish. On a machine without one of them, its tests are skipped.
@Suite("Completions in shells", .waiting)
struct CompletionScriptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in [
      "Recordings/cart.jsonl", "Recordings/my todo.jsonl", "Recordings/notes.txt",
      "Recordings/old.jsonl.gz", "Recordings/shop.rules", "Recordings/session.json",
    ] {
      try FileManager.default.createDirectory(
        at: folder.url("Recordings"), withIntermediateDirectories: true)
      try folder.write("", to: name)
    }
    try folder.write("", to: "app")
  }

  private static func has(_ shell: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
  }

  /// A started command line, and what completes its last word.
  struct Case: CustomTestStringConvertible, Sendable {
    let words: [String]
    let candidates: [String]

    init(_ line: String, _ candidates: [String]) {
      words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      self.candidates = candidates
    }

    var testDescription: String { words.joined(separator: " ") }
  }

  private static let cases = [
    Case("flux-inspect Rec", ["Recordings"]),
    Case("flux-inspect ve", ["verify"]),
    Case("flux-inspect Recordings/c", ["Recordings/cart.jsonl"]),
    Case("flux-inspect Recordings/n", []),
    Case("flux-inspect Recordings/cart.jsonl --a", ["--app"]),
    Case("flux-inspect --app a", ["app"]),
    Case("flux-inspect Recordings/cart.jsonl --format nd", ["ndjson"]),
    Case("flux-inspect open Recordings/cart.jsonl --ba", ["--batch"]),
    Case("flux-inspect verify --ju", ["--junit"]),
    Case("flux-inspect verify Recordings/cart.jsonl Recordings/m", ["Recordings/my todo.jsonl"]),
    Case("flux-inspect repair Recordings/cart.jsonl --ou", ["--output"]),
    Case("flux-inspect help di", ["diff"]),
    Case("flux-inspect stats Recordings/o", ["Recordings/old.jsonl.gz"]),
    Case("flux-inspect review Recordings/o", ["Recordings/old.jsonl.gz"]),
    Case("flux-inspect rules Recordings/s", ["Recordings/shop.rules"]),
    Case("flux-inspect rules Recordings/shop.rules Recordings/c", ["Recordings/cart.jsonl"]),
    Case("flux-inspect import Recordings/s", ["Recordings/session.json"]),
    Case("flux-inspect trust Rec", ["Recordings"]),
    Case("flux-inspect trust Recordings/c", []),
    Case("flux-inspect attach Rec", []),
  ]

  /// The program's script for each shell.
  private static let scripts = Result {
    let folder = try TemporaryFolder()
    return try Dictionary(
      uniqueKeysWithValues: ["bash", "fish", "zsh"].map { shell in
        let run = try ProgramRun(["--generate-completion-script", shell], in: folder)
        #expect(run.code == 0)
        #expect(run.errors == "")
        return (shell, run.output)
      })
  }

  /// Writes the program's script for a shell into the folder.
  private func writeScript(_ shell: String, to name: String) throws {
    try folder.write(#require(try Self.scripts.get()[shell]), to: name)
  }

  /// The lines that a command writes, sorted.
  private func lines(_ arguments: [String]) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: arguments[0])
    process.arguments = Array(arguments.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path(""))
    process.environment = folder.userFolders
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
  }

  @Test("bash completes logs and options", .enabled(if: has("bash")), arguments: cases)
  func bash(_ example: Case) throws {
    try writeScript("bash", to: "script")
    try folder.write(
      """
      source ./script
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      _flux_inspect
      if [ ${#COMPREPLY[@]} -gt 0 ]; then printf '%s\\n' "${COMPREPLY[@]}"; fi
      """, to: "complete")
    #expect(
      try lines(["/usr/bin/bash", "--norc", "complete"] + example.words) == example.candidates)
  }

  @Test("bash completes a value behind an equals sign", .enabled(if: has("bash")))
  func bashEqualsSign() throws {
    try bash(Case("flux-inspect log --color = al", ["always"]))
    try bash(Case("flux-inspect log --color =", ["always", "auto", "never"]))
  }

  @Test("fish completes logs and options", .enabled(if: has("fish")), arguments: cases)
  func fish(_ example: Case) throws {
    try writeScript("fish", to: "script")
    let found = try lines([
      "/usr/bin/fish", "--no-config", "-c", "source ./script; complete -C \"$argv\"",
      example.words.joined(separator: " "),
    ])
    let words = found.map { line in
      let word = String(line.prefix { $0 != "\t" })
      return word.hasSuffix("/") ? String(word.dropLast()) : word
    }
    #expect(words == example.candidates)
  }

  /// One shell completes all lines, because its start takes longer than all of them.
  @Test("zsh completes logs and options", .enabled(if: has("zsh")))
  func zsh() throws {
    try writeScript("zsh", to: "script")
    let shell = try Terminal(
      ["/bin/sh", "-c", "cd '\(folder.path(""))' && exec zsh -f -i"],
      environment: folder.userFolders.merging(["PS1": "% "]) { $1 }, columns: 120)
    try shell.type("autoload -Uz compinit; compinit -u -D; source ./script; PS1='ready> '\n")
    try shell.wait(forLine: "ready> ")
    for example in Self.cases where example.candidates.count == 1 {
      try shell.type("\(example.testDescription)\t")
      let completed = example.words.dropLast() + [example.candidates[0].replacing(" ", with: "\\ ")]
      try shell.wait(for: "the completed line: \(example.testDescription)") { screen in
        let shown = screen.lines[screen.cursor.row]
        let wanted = "ready> " + completed.joined(separator: " ")
        // zsh goes on with the folder, or with the value of the option.
        return [wanted, wanted + "/", wanted + "="].contains(shown)
      }
      // Ctrl-U removes the line.
      try shell.type("\u{15}")
      try shell.wait(forLine: "ready> ")
    }
  }

  @Test("a shell that is not known is refused")
  func unknownShell() throws {
    let run = try ProgramRun(["--generate-completion-script", "tcsh"], in: folder)
    #expect(run.code != 0)
    #expect(run.output == "")
    #expect(run.errors.contains("tcsh"))
  }
}

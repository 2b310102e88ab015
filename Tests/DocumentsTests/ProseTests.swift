import Foundation
import TestFixtures
import Testing

@Suite struct ProseTests {
  /// The folders whose doc comments begin well, with all folders inside them.
  ///
  /// A folder joins the list when it is clean.
  private static let cleanFolders = [
    "Examples/Chat", "Examples/Comments", "Examples/Counter", "Examples/CrashProgram",
    "Examples/Info",
    "Examples/Search", "Examples/Shop", "Examples/ShopInspector", "Examples/TextEditor",
    "Examples/TodoMVC", "Sources/FluxAgent",
    "Sources/FluxCommands", "Sources/FluxCore", "Sources/FluxCorpus", "Sources/FluxEditor",
    "Sources/FluxExchange", "Sources/FluxHost", "Sources/FluxInspector", "Sources/FluxJSON",
    "Sources/FluxPage", "Sources/FluxRecorder",
    "Sources/FluxRecordings", "Sources/FluxReplay", "Sources/FluxRules", "Sources/FluxScreen",
    "Sources/FluxSubcommands", "Sources/FluxSystem", "Sources/FluxTerminal",
    "Sources/FluxTesting", "Sources/FluxXCTest", "Sources/LineEditor", "Sources/flux-verify",
    "Tests/ArchitectureTests", "Tests/DocumentsTests", "Tests/ExamplesTests", "Tests/FluxCoreTests",
    "Tests/FluxInspectorTests", "Tests/FluxReplayTests", "Tests/HostSubjects",
    "Tests/LineEditorTests", "Tests/ReplayHostTests", "Tests/TerminalTesting",
  ]

  @Test("pages are free of bad habits", arguments: Project.allPages)
  func pages(_ page: String) throws {
    var text = try Project.text(of: page)
    if page == "CHANGELOG.md" { text = Self.unreleased(text) }
    for finding in try Habit.findings(in: Prose(markdown: text), of: page) {
      Issue.record("\(finding)")
    }
  }

  @Test("the program's help is free of bad habits")
  func help() throws {
    let help = try JSONDecoder().decode(Help.self, from: dumpedHelp())
    let texts = help.command.texts(path: [])
    #expect(texts.contains { $0.source.hasPrefix("flux-inspect verify --") })
    for (source, text) in texts {
      for finding in try Habit.findings(in: Prose(help: text), of: source) {
        Issue.record("\(finding)")
      }
    }
  }

  @Test("doc comments begin with the noun or the verb that matters", arguments: cleanFolders)
  func docComments(_ folder: String) throws {
    let files = try Project.files(below: folder, endingIn: ".swift")
    #expect(!files.isEmpty)
    for file in files {
      // These tests quote comments that do not.
      guard !file.hasSuffix("/HabitTests.swift") else { continue }
      for finding in Habit.findings(inDocCommentsOf: try Project.text(of: file), of: file) {
        Issue.record("\(finding)")
      }
    }
  }

  @Test("of the changelog only what is not released yet is read")
  func unreleased() {
    #expect(
      Self.unreleased("# Changelog\n\n## 2.0, unreleased\nNew.\n\n## 1.0\nOld.\n")
        == "\n\n## 2.0, unreleased\nNew.\n\n\n\n")
    #expect(Self.unreleased("# Changelog\n## Unreleased\nNew.") == "\n## Unreleased\nNew.")
  }

  /// The changelog with empty lines in place of the history, so that the numbers of lines stay.
  private static func unreleased(_ changelog: String) -> String {
    var isKept = false
    return changelog.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("## ") { isKept = line.lowercased().contains("unreleased") }
      return isKept ? String(line) : ""
    }.joined(separator: "\n")
  }

  /// The help of all subcommands, as the argument parser dumps it.
  private struct Help: Decodable {
    let command: Command

    struct Command: Decodable {
      let commandName: String
      let abstract: String?
      let discussion: String?
      let arguments: [Argument]?
      let subcommands: [Command]?

      /// The texts of the command and of its subcommands, each with its place.
      func texts(path: [String]) -> [(source: String, text: String)] {
        let path = path + [commandName]
        let name = path.joined(separator: " ")
        let own = [abstract, discussion].compactMap(\.self).map { (source: name, text: $0) }
        let arguments = (arguments ?? []).flatMap { argument in
          [argument.abstract, argument.discussion].compactMap(\.self).map {
            (source: "\(name) \(argument.name)", text: $0)
          }
        }
        return own + arguments + (subcommands ?? []).flatMap { $0.texts(path: path) }
      }
    }

    struct Argument: Decodable {
      let abstract: String?
      let discussion: String?
      let valueName: String?
      let preferredName: Name?

      struct Name: Decodable {
        let kind: String
        let name: String
      }

      var name: String {
        guard let preferredName else { return "<\(valueName ?? "")>" }
        return (preferredName.kind == "short" ? "-" : "--") + preferredName.name
      }
    }
  }

  private func dumpedHelp() throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProduct.path("flux-inspect"))
    process.arguments = ["--experimental-dump-help"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let help = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return help
  }
}

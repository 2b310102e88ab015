import Foundation
import Testing

/// Checks in the sources that dependencies point one way.
///
/// Both graphs are printed: that of the modules, and that of the folders of each module.
@Suite(.serialized) struct ArchitectureTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let sources = root.appending(path: "Sources")

  /// The modules of this package that each module may import.
  private static let allowed: [String: Set<String>] = [
    "FluxCore": [],
    "FluxSystem": ["CPlatform"],
    "FluxJSON": ["CTokens"],
    "FluxLog": ["CChecksum", "CTokens", "FluxJSON", "FluxSystem"],
    "FluxRules": ["FluxJSON", "FluxLog", "FluxSystem"],
    "FluxReplay": ["FluxJSON", "FluxLog", "FluxSystem"],
    "FluxHost": ["FluxJSON", "FluxLog", "FluxReplay", "FluxSystem"],
    "FluxRecorder": ["FluxCore", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem"],
    "FluxRecordings": [
      "FluxCore", "FluxJSON", "FluxLog", "FluxRecorder", "FluxReplay", "FluxRules", "FluxSystem",
    ],
    "FluxTesting": ["FluxCore", "FluxRecorder", "FluxRecordings", "FluxReplay", "FluxRules"],
    "FluxXCTest": ["FluxCore", "FluxRecorder", "FluxRecordings", "FluxReplay", "FluxRules"],
    "FluxInspector": ["FluxJSON", "FluxLog", "FluxReplay", "FluxRules", "FluxSystem"],
    "FluxExchange": ["FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem"],
    "FluxCommands": [
      "FluxExchange", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxRules",
      "FluxSystem",
    ],
    "FluxCorpus": [
      "FluxCommands", "FluxExchange", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay",
      "FluxRules", "FluxSystem",
    ],
    "FluxPage": [
      "CPageFiles", "CZlib", "FluxCommands", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay",
      "FluxSystem",
    ],
    "FluxEditor": [
      "FluxCommands", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem",
    ],
    "FluxAgent": [
      "FluxExchange", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxRules",
      "FluxSystem",
    ],
    "FluxTerminal": ["CTerminal", "FluxSystem"],
    "LineEditor": ["CLibEdit", "CTerminal", "FluxSystem", "FluxTerminal"],
    "FluxScreen": ["FluxCommands", "FluxInspector", "FluxJSON", "FluxLog", "FluxTerminal"],
    "FluxSubcommands": [
      "CZlib", "FluxCommands", "FluxCorpus", "FluxExchange", "FluxHost", "FluxInspector",
      "FluxJSON", "FluxLog", "FluxPage", "FluxReplay", "FluxRules", "FluxSystem", "FluxTerminal",
    ],
    "flux-inspect": [
      "FluxAgent", "FluxCommands", "FluxCorpus", "FluxEditor", "FluxExchange", "FluxHost",
      "FluxInspector", "FluxJSON", "FluxLog", "FluxPage", "FluxReplay", "FluxScreen",
      "FluxSubcommands", "FluxSystem", "FluxTerminal", "LineEditor",
    ],
    "flux-verify": ["FluxSubcommands"],
  ]

  /// The files of each Swift module in Sources, which all tests share.
  private static let files: [String: [FolderGraph.File]] = {
    do {
      let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      return try Dictionary(uniqueKeysWithValues: modules.map { ($0, try files(of: $0)) })
        .filter { !$0.value.isEmpty }
    } catch {
      Issue.record(error)
      return [:]
    }
  }()

  private static let modules = files.keys.sorted()

  private static func files(of module: String) throws -> [FolderGraph.File] {
    let folder = sources.appending(path: module)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try names.sorted().filter { $0.hasSuffix(".swift") }.map { name in
      let parts = name.split(separator: "/")
      return FolderGraph.File(
        folder: parts.count > 1 ? String(parts[0]) : ".", name: String(parts.last ?? ""),
        text: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
  }

  /// The modules that a source imports.
  private static func imports(_ file: FolderGraph.File) -> [String] {
    zip(file.tokens, file.tokens.dropFirst()).compactMap { token, next in
      if token == .word("import"), case .word(let name) = next { name } else { nil }
    }
  }

  @Test("a module imports only what it may know", arguments: modules)
  func moduleGraph(_ module: String) throws {
    let files = try #require(Self.files[module])
    let own = Set(Self.allowed.keys).union(Self.allowed.values.joined())
    let imported = Set(files.flatMap(Self.imports)).intersection(own)
    print("\(module) -> \(imported.sorted().joined(separator: ", "))")
    let allowed = try #require(Self.allowed[module], "give \(module) a line in the table above")
    #expect(imported.subtracting(allowed) == [], "\(module) must not know these")
  }

  /// The libraries that also run on phones and watches.
  private static let portable = [
    "FluxCore", "FluxSystem", "FluxJSON", "FluxLog", "FluxRules", "FluxReplay", "FluxRecorder",
    "FluxRecordings", "FluxTesting", "FluxXCTest", "FluxInspector", "FluxExchange", "FluxCommands",
    "FluxPage",
  ]

  /// A part of the world that modules must not know, with words that no code without it has.
  struct Unknown: Sendable, CustomTestStringConvertible {
    let subject: String
    let words: Set<String>
    let modules: [String]

    var testDescription: String { subject }
  }

  private static let boundaries = [
    Unknown(
      subject: "processes and home folders",
      words: [
        "posix_spawn", "execv", "execve", "Process", "sigaltstack",
        "homeDirectoryForCurrentUser",
      ], modules: portable),
    Unknown(
      subject: "files", words: ["FileManager", "FileHandle", "Descriptor", "fopen"],
      modules: ["FluxCore", "FluxInspector", "FluxCommands"]),
    Unknown(
      subject: "sockets",
      words: [
        "Descriptor", "Waker", "ClientListener", "ClientServer", "LocalListener", "NetworkListener",
        "NetworkAddress", "NetworkDoor", "LiveFolder", "StandardStreams", "poll", "socket", "dup2",
      ], modules: ["FluxCore", "FluxJSON", "FluxRules", "FluxReplay", "FluxInspector"]),
    Unknown(
      subject: "terminals", words: ["isatty", "ioctl", "tcgetattr", "winsize"],
      modules: portable + ["FluxCorpus", "FluxEditor", "FluxAgent"]),
    Unknown(
      subject: "standard input and output",
      words: ["readLine", "stdin", "stdout", "STDIN_FILENO", "STDOUT_FILENO", "FileHandle"],
      modules: [
        "FluxInspector", "FluxExchange", "FluxCommands", "FluxCorpus", "FluxPage", "FluxAgent",
      ]),
    Unknown(
      subject: "HTTP", words: ["HTTP", "PageHTTP", "URLSession"],
      modules: [
        "FluxInspector", "FluxExchange", "FluxCommands", "FluxCorpus", "FluxEditor", "FluxTerminal",
        "LineEditor", "FluxScreen",
      ]),
  ]

  @Test("a module knows nothing of what is not its own", arguments: boundaries)
  func boundary(_ unknown: Unknown) throws {
    for module in unknown.modules {
      for file in try #require(Self.files[module]) {
        let found = file.tokens.compactMap { token -> String? in
          if case .word(let word) = token, unknown.words.contains(word) { word } else { nil }
        }
        #expect(found == [], "\(module)/\(file.name)")
      }
    }
  }

  @Test("the folders of a module form a ladder", arguments: modules)
  func folderGraph(_ module: String) throws {
    let graph = FolderGraph(try #require(Self.files[module]))
    print("\(module)\n\(graph.description)")
    #expect(graph.cycles == [], "\(module) has folders that use each other")
  }
}

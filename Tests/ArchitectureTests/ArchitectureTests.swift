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
    "FluxRules": ["FluxJSON", "FluxLog"],
    "FluxReplay": ["FluxJSON", "FluxLog", "FluxSystem"],
    "FluxHost": ["FluxJSON", "FluxLog", "FluxReplay", "FluxSystem"],
    "FluxRecorder": ["FluxCore", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem"],
    "FluxRecordings": [
      "FluxCore", "FluxJSON", "FluxLog", "FluxRecorder", "FluxReplay", "FluxRules", "FluxSystem",
    ],
    "FluxTesting": ["FluxCore", "FluxRecorder", "FluxRecordings", "FluxReplay", "FluxRules"],
    "FluxXCTest": ["FluxCore", "FluxRecorder", "FluxRecordings", "FluxReplay", "FluxRules"],
    "FluxInspector": ["FluxJSON", "FluxLog", "FluxReplay", "FluxRules", "FluxSystem"],
    "FluxPage": [
      "CPageFiles", "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem",
    ],
    "FluxDebugAdapter": ["FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxSystem"],
    "FluxAgent": [
      "FluxInspector", "FluxJSON", "FluxLog", "FluxReplay", "FluxRules", "FluxSystem",
    ],
    "FluxTerminal": ["CTerminal", "FluxSystem"],
    "LineEditor": ["CLibEdit", "CTerminal", "FluxSystem", "FluxTerminal"],
    "FluxScreen": ["FluxInspector", "FluxJSON", "FluxLog", "FluxTerminal"],
    "ScriptCommands": [
      "FluxHost", "FluxInspector", "FluxJSON", "FluxLog", "FluxPage", "FluxReplay", "FluxRules",
      "FluxSystem",
      "FluxTerminal",
    ],
    "flux-inspect": [
      "FluxAgent",
      "FluxDebugAdapter", "FluxHost", "FluxInspector", "FluxJSON", "FluxLog", "FluxPage",
      "FluxReplay", "FluxScreen", "FluxSystem",
      "FluxTerminal", "LineEditor", "ScriptCommands",
    ],
    "flux-verify": ["ScriptCommands"],
  ]

  /// The Swift modules in Sources.
  static let modules: [String] = {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().filter {
        try !files(of: $0).isEmpty
      }
    } catch {
      Issue.record(error)
      return []
    }
  }()

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
    let tokens = SourceTokens(file.text).tokens
    return tokens.indices.dropLast().compactMap { index in
      guard tokens[index] == .word("import"), case .word(let name) = tokens[index + 1] else {
        return nil
      }
      return name
    }
  }

  @Test("a module imports only what it may know", arguments: modules)
  func moduleGraph(_ module: String) throws {
    let files = try Self.files(of: module)
    let own = Set(Self.allowed.keys).union(Self.allowed.values.joined())
    let imported = Set(files.flatMap(Self.imports)).intersection(own)
    print("\(module) -> \(imported.sorted().joined(separator: ", "))")
    let allowed = try #require(Self.allowed[module], "give \(module) a line in the table above")
    #expect(imported.subtracting(allowed) == [], "\(module) must not know these")
  }

  @Test(
    "no library for phones and watches starts a process or uses the home folder",
    arguments: [
      "FluxCore", "FluxSystem", "FluxJSON", "FluxLog", "FluxRules", "FluxReplay", "FluxRecorder",
      "FluxRecordings", "FluxTesting", "FluxXCTest", "FluxInspector", "FluxPage",
    ])
  func phones(_ module: String) throws {
    let refused: Set = [
      "posix_spawn", "execv", "execve", "Process", "sigaltstack",
      "homeDirectoryForCurrentUser", "InlineArray",
    ]
    for file in try Self.files(of: module) {
      let found = SourceTokens(file.text).tokens.compactMap { token -> String? in
        if case .word(let word) = token, refused.contains(word) { word } else { nil }
      }
      #expect(found == [], "\(module)/\(file.name)")
    }
  }

  @Test("the folders of a module form a ladder", arguments: modules)
  func folderGraph(_ module: String) throws {
    let graph = FolderGraph(try Self.files(of: module))
    print("\(module)\n\(graph.description)")
    #expect(graph.cycles == [], "\(module) has folders that use each other")
  }
}

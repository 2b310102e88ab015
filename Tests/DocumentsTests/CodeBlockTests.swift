import FluxJSON
import FluxLog
import Foundation
import TestFixtures
import Testing

@Suite struct CodeBlockTests {
  /// Pages whose blocks have tests of their own: examples of commands, the program's definitions, a session of an agent, an
  /// exchange with a host, Spark and SQL.
  private static let testedElsewhere: Set = [
    "docs/agents.md", "docs/app-protocol.md", "docs/command-line.md", "docs/commands.md",
    "docs/scale.md",
  ]

  @Test("every block of code is of a kind that is tested", arguments: Project.allPages)
  func kinds(_ page: String) throws {
    for block in try Project.document(page).blocks where !Self.testedElsewhere.contains(page) {
      #expect(
        ["swift", "console", "sh", "json", "yaml", "ruby", "javascript"].contains(block.language),
        "\(page):\(block.number)")
    }
  }

  @Test("the view in the page about Xcode is that of the example")
  func badge() throws {
    let block = try #require(
      try blocks("swift", "docs/xcode.md").first {
        $0.lines.first?.contains("InspectorBadge") == true
      })
    let example = try Project.text(of: "Examples/SwiftUI/App/InspectorBadge.swift")
    #expect(block.lines.count == 9)
    let text = block.lines.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    #expect(example.contains(text))
  }

  @Test("every line of JavaScript is in an example, which a test runs", arguments: Project.allPages)
  func javascript(_ page: String) throws {
    let files = ["reducer.mjs", "replay-host.mjs", "todos.mjs"]
    let lines = try files.flatMap { file in
      try Project.text(of: "Examples/ReduxHost/\(file)").components(separatedBy: "\n")
    }
    for block in try blocks("javascript", page) {
      for line in block.lines {
        #expect(lines.contains(line), "\(page):\(block.number): in no example: \(line)")
      }
    }
  }

  @Test("every block of JSON can be read", arguments: Project.allPages)
  func json(_ page: String) throws {
    for block in try blocks("json", page) {
      _ = try JSON.parse(block.lines.joined(separator: "\n"))
    }
  }

  @Test(
    "every command for a shell is a target of the Makefile, a plugin, or a tool of the system",
    arguments: Project.allPages)
  func shell(_ page: String) throws {
    guard !Self.testedElsewhere.contains(page) else { return }
    let makefile = try Project.text(of: "Makefile").split(separator: "\n")
    let manifest = try Project.text(of: "Package.swift")
    for line in try blocks("sh", page).flatMap(\.lines) {
      let words = line.split { $0 == " " || $0 == "#" }
      switch words.first {
      case "make":
        #expect(makefile.contains { $0.hasPrefix("\(words[1]):") }, "\(page): \(line)")
      case "swift" where words[1] == "package":
        #expect(manifest.contains("verb: \"\(words[2])\""), "\(page): \(line)")
      case "flux-inspect":
        // What serves a page does not end by itself, so it is no session whose output is compared.
        #expect(["attach", "report", "serve", "verify"].contains(words[1]), "\(page): \(line)")
      case let tool:
        #expect(["apt-get", "mint", "tar"].contains(tool), "\(page): \(line)")
      }
    }
  }

  @Test("every option in a workflow is one that verify has", arguments: Project.allPages)
  func workflow(_ page: String) throws {
    let lines = try blocks("yaml", page).flatMap(\.lines).filter { $0.contains("--keep-going") }
    guard !lines.isEmpty else { return }
    let help = try helpOfVerify()
    for line in lines {
      for option in line.matches(of: /--[a-z]+/) {
        #expect(help.contains("\(option.output)"), "\(page): \(line)")
      }
    }
  }

  @Test("the plugin passes on the options of verify, and knows which of them take a value")
  func plugin() throws {
    let source = try Project.text(of: "Plugins/VerifyRecordings/VerifyRecordings.swift")
    func names(_ list: String) throws -> Set<String> {
      let start = try #require(source.range(of: "let \(list): Set = ["))
      let names = source[start.upperBound...].prefix { $0 != "]" }
      return Set(names.matches(of: /"(-.+?)"/).map { String($0.output.1) })
    }
    let option = /(?m)^  (?:-h, )?(?<name>--[a-z-]+)(?<value> <)?/
    let options = try helpOfVerify().matches(of: option).filter { $0.output.name != "--app" }
    let valued = options.filter { $0.output.value != nil }.map { String($0.output.name) }
    let flags = options.filter { $0.output.value == nil }.map { String($0.output.name) }
    #expect(try names("valued") == Set(valued))
    #expect(try names("flags") == Set(flags + ["-h"]))
  }

  /// The output of `flux-inspect verify --help`.
  private func helpOfVerify() throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProduct.path("flux-inspect"))
    process.arguments = ["verify", "--help"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let help = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: help, as: UTF8.self)
  }

  private func blocks(_ language: String, _ page: String) throws -> [Document.Block] {
    try Project.document(page).blocks.filter { $0.language == language }
  }
}

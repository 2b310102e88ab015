import FluxLog
import Foundation
import TestFixtures
import Testing

@Suite struct CodeBlockTests {
  /// All pages, those of the libraries too.
  static let pages: [String] = {
    do {
      return Project.pages + (try Project.files(below: "Sources", endingIn: ".md"))
    } catch {
      Issue.record(error)
      return []
    }
  }()

  /// Pages whose other blocks have tests of their own.
  ///
  /// The examples of commands, an exchange with a host, and what needs Spark and a database.
  private static let testedElsewhere: Set = [
    "docs/commands.md", "docs/replay-host.md", "docs/scale.md",
  ]

  @Test("every block of code is of a kind that is tested", arguments: pages)
  func kinds(_ page: String) throws {
    for block in try Project.document(page).blocks where !Self.testedElsewhere.contains(page) {
      #expect(
        ["swift", "console", "sh", "json", "yaml"].contains(block.language),
        "\(page):\(block.number)")
    }
  }

  @Test("every line of Swift is compiled in a test or an example", arguments: pages)
  func swift(_ page: String) throws {
    for block in try blocks("swift", page) where !block.isOutside {
      for line in block.lines.map(Self.trimmed) where !Self.compiled.contains(line) {
        Issue.record("\(page):\(block.number): in no test and no example: \(line)")
      }
    }
  }

  @Test("every block of JSON can be read", arguments: pages)
  func json(_ page: String) throws {
    for block in try blocks("json", page) {
      _ = try JSON.parse(block.lines.joined(separator: "\n"))
    }
  }

  @Test("every command for a shell is a target of the Makefile", arguments: pages)
  func shell(_ page: String) throws {
    guard !Self.testedElsewhere.contains(page) else { return }
    let makefile = try Project.text(of: "Makefile").split(separator: "\n")
    for line in try blocks("sh", page).flatMap(\.lines) {
      let words = line.split { $0 == " " || $0 == "#" }
      #expect(words.first == "make", "\(page): \(line)")
      #expect(makefile.contains { $0.hasPrefix("\(words[1]):") }, "\(page): \(line)")
    }
  }

  @Test("every option in a workflow is one that verify has", arguments: pages)
  func workflow(_ page: String) throws {
    let help = try helpOfVerify()
    for line in try blocks("yaml", page).flatMap(\.lines) where line.contains("--keep-going") {
      for option in line.matches(of: /--[a-z]+/) {
        #expect(help.contains("\(option.output)"), "\(page): \(line)")
      }
    }
  }

  /// The lines of all tests and examples, without their indentation.
  private static let compiled: Set<String> = {
    do {
      let files = try ["Tests", "Examples"].flatMap {
        try Project.files(below: $0, endingIn: ".swift")
      }
      return Set(
        try files.flatMap { try Project.text(of: $0).split(separator: "\n").map(trimmed) } + [""])
    } catch {
      Issue.record(error)
      return []
    }
  }()

  /// What `flux-inspect verify --help` says.
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

  private static func trimmed(_ line: some StringProtocol) -> String {
    line.trimmingCharacters(in: .whitespaces)
  }
}

import Foundation
import Testing

@testable import FluxAgent

/// docs/agents.md lists the tools as they are.
@Suite struct DocumentTests {
  private static let page = URL(filePath: AgentClient.recordings)
    .deletingLastPathComponent().appending(path: "docs/agents.md")

  @Test("the table of docs/agents.md is that of the tools")
  func table() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `--") }
    let expected = Toolbox.all.map { tool in
      var sentence = tool.about.components(separatedBy: ". ")[0]
      if sentence.last == "." { sentence.removeLast() }
      let arguments = ToolArguments(tool.name, tool.input).list
      return "| `\(tool.name)` | \(arguments.isEmpty ? "" : "`\(arguments)`") | \(sentence) |"
    }
    #expect(rows.map(String.init) == expected)
  }
}

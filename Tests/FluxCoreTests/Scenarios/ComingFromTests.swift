import Foundation
import Testing

/// The "Coming from" pages contain only code that is compiled and run.
@Suite struct ComingFromTests {
  static let systems = [
    "Dispatch", "Mobius", "ReSwift", "ReduxToolkit", "TCA", "UniFlow", "WordPressFlux",
  ]

  @Test("every block of code on a page stands in its test", arguments: systems)
  func blocks(system: String) throws {
    let (page, test) = try texts(system)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let isCompiled = test.contains(packed(block))
      #expect(isCompiled, "not in ComingFrom\(system)Tests.swift:\n\(block)")
    }
  }

  @Test("every line to write here in a page's table stands in its test", arguments: systems)
  func table(system: String) throws {
    let (page, test) = try texts(system)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
    #expect(rows.count > 10)
    for row in rows {
      let cells = row.components(separatedBy: " | ")
      #expect(cells.count == 2, "two columns: \(row)")
      for code in codeSpans(cells.last ?? "") {
        let isCompiled = test.contains(packed(code))
        #expect(isCompiled, "not in ComingFrom\(system)Tests.swift: \(code)")
      }
    }
  }

  /// The text between single backticks; double backticks enclose links, which docc checks.
  private func codeSpans(_ cell: String) -> [String] {
    let withoutLinks = cell.components(separatedBy: "``").enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
    return withoutLinks.components(separatedBy: "`").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
  }

  private func texts(_ system: String) throws -> (page: String, test: String) {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let root = folder.appending(path: "../../..").standardized
    let page = root.appending(path: "Sources/FluxCore/FluxCore.docc/ComingFrom\(system).md")
    let test = folder.appending(path: "ComingFrom\(system)Tests.swift")
    return (
      try String(contentsOf: page, encoding: .utf8),
      packed(try String(contentsOf: test, encoding: .utf8))
    )
  }

  /// The text without blanks, so that line breaks and indentation may differ.
  private func packed(_ text: String) -> String {
    text.filter { !$0.isWhitespace }
  }
}

import Foundation
import Testing

@Suite struct WordingTests {
  private static let file = "Tests/DocumentsTests/wording.txt"

  /// `FLUX_UPDATE=1` lowers the budgets of pages that got better, and adds new pages.
  @Test("no page exceeds its budget of patterns that sound translated, and budgets only fall")
  func budgets() throws {
    let isUpdate = ProcessInfo.processInfo.environment["FLUX_UPDATE"] == "1"
    var budgets: [String: Wording] = [:]
    for line in try Project.text(of: Self.file).split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1)
      let budget = try #require(parts.count == 2 ? Wording(line: parts[1]) : nil, "\(line)")
      budgets[String(parts[0])] = budget
    }
    var lines: [String] = []
    for page in Project.allPages {
      let found = try Wording(markdown: Project.text(of: page))
      let budget = budgets[page] ?? (isUpdate ? found : Wording([:]))
      let least = Dictionary(
        uniqueKeysWithValues: Wording.Pattern.allCases.map { ($0, min(found[$0], budget[$0])) })
      if !Wording(least).line.isEmpty { lines.append("\(page): \(Wording(least).line)") }
      for pattern in Wording.Pattern.allCases {
        #expect(
          found[pattern] <= budget[pattern],
          "\(page): \(pattern.rawValue): \(found[pattern]), at most \(budget[pattern])")
        guard !isUpdate else { continue }
        #expect(
          found[pattern] >= budget[pattern],
          "\(page): \(pattern.rawValue) got better; FLUX_UPDATE=1 swift test --filter WordingTests")
      }
    }
    guard isUpdate else { return }
    try Data((lines.joined(separator: "\n") + "\n").utf8)
      .write(to: Project.root.appending(path: Self.file))
  }

  @Test(
    "each pattern is found",
    arguments: [
      ("It ends. That is all there is to say.", "short 1"),
      ("[Commands](a.md) has them all, and a page has the words you need to read it.", "has 2"),
      ("The app shows the step that you go to when it is asked.", "that 1"),
      ("Every store has a file of its own in the folder.", "of-its-own 1"),
      ("## The parts of a session", "heading 1"),
      ("The file stands beside the log, in the form of today.", "odd 3"),
      ("The app jumps to the step you select in the list.", ""),
      ("- an item\n- `code`\n\n## Session parts", ""),
    ])
  func found(_ markdown: String, _ line: String) throws {
    #expect(try Wording(markdown: markdown).line == line)
  }

  @Test("a budget is read as it is written, and nothing else is")
  func lines() {
    #expect(Wording(line: "short 3, odd 1") == Wording([.short: 3, .odd: 1]))
    #expect(Wording(line: "short 3, odd 1")?.line == "short 3, odd 1")
    #expect(Wording(line: "short three") == nil)
    #expect(Wording(line: "brief 3") == nil)
  }
}

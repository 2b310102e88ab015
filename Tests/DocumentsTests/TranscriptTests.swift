import Foundation
import Testing

@Suite struct TranscriptTests {
  /// `FLUX_UPDATE=1` writes the outputs in the pages again.
  @Test("a terminal shows what the pages show", arguments: pages)
  func transcripts(_ page: String) throws {
    let isUpdate = ProcessInfo.processInfo.environment["FLUX_UPDATE"] == "1"
    var lines = try Project.text(of: page).components(separatedBy: "\n")
    // From the last block to the first one, so that the numbers of lines stay right.
    for block in try Self.transcripts(page).reversed() {
      let typed = Self.typed(block.lines)
      #expect(!typed.isEmpty, "\(page):\(block.number): shows no command")
      let shell = try ShellSession(columns: 140)
      for line in typed { try shell.run(line) }
      if isUpdate {
        let first = block.number - 1
        lines.replaceSubrange(first..<first + block.lines.count, with: shell.rows)
      } else {
        #expect(
          shell.rows.joined(separator: "\n") == block.lines.joined(separator: "\n"),
          "\(page):\(block.number): FLUX_UPDATE=1 swift test --filter TranscriptTests")
      }
    }
    guard isUpdate else { return }
    try Data(lines.joined(separator: "\n").utf8).write(to: Project.root.appending(path: page))
  }

  @Test("commands are typed at the prompt of a shell, and at that of a session")
  func commands() {
    #expect(
      Self.typed(["$ ls", "(a file)", "(Shop 2/3 cart/add) back", "(Shop start/3) quit"])
        == ["ls", "back", "quit"])
  }

  /// The pages that show a terminal.
  static let pages: [String] = {
    do {
      return try Project.allPages.filter { !(try transcripts($0)).isEmpty }
    } catch {
      Issue.record(error)
      return []
    }
  }()

  private static func transcripts(_ page: String) throws -> [Document.Block] {
    try Project.document(page).blocks.filter { $0.language == "console" && !$0.isOutside }
  }

  /// The commands that were typed, at a shell's prompt or at that of a session on a log.
  private static func typed(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      if line.hasPrefix("$ ") { return String(line.dropFirst(2)) }
      return line.firstMatch(of: /^\([A-Z][^()]*\) (?<command>.+)$/).map {
        String($0.output.command)
      }
    }
  }
}

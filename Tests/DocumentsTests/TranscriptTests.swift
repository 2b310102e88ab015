import Testing

@Suite struct TranscriptTests {
  /// A block that shows a terminal.
  struct Transcript: CustomTestStringConvertible, Sendable {
    let page: String
    let number: Int
    let lines: [String]

    var testDescription: String { "\(page):\(number)" }

    /// What was typed: at a shell's prompt, or at that of a session on a log.
    var typed: [String] {
      lines.compactMap { line in
        if line.hasPrefix("$ ") { return String(line.dropFirst(2)) }
        return line.firstMatch(of: /^\([A-Z][^()]*\) (?<command>.+)$/).map {
          String($0.output.command)
        }
      }
    }
  }

  static let transcripts: [Transcript] = {
    do {
      return try Project.pages.flatMap { page in
        try Project.document(page).blocks.filter { $0.language == "console" && !$0.isOutside }
          .map { Transcript(page: page, number: $0.number, lines: $0.lines) }
      }
    } catch {
      Issue.record(error)
      return []
    }
  }()

  @Test("a terminal shows what the documents say that it shows", arguments: transcripts)
  func transcript(_ transcript: Transcript) throws {
    let shell = try ShellSession(columns: 130)
    for line in transcript.typed { try shell.run(line) }
    #expect(shell.rows.joined(separator: "\n") == transcript.lines.joined(separator: "\n"))
  }
}

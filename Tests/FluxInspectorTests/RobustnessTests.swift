import FluxJSON
import FluxLog
import TestFixtures
import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct RobustnessTests {
  private static let pieces =
    CommandRegistry.standard.table.commands.flatMap { [$0.name] + $0.aliases + $0.examples } + [
      " ", " ", " ", " ", "|", ">", "'", "\"", "(", ")", "[", "]", "{", "}", "..", "#", "$", "%",
      "@",
      "-", "+", "if", "in", "!", "&&", "||", "==", "5", "-5", "+99", "18446744073709551615", "0",
      "*",
      "todos", "todos.items", "todos.items[0].done", "/todos/items/0", "$.action", "$.n > 3",
      "todo/add",
      "é", "\u{1B}[2J", "\u{9B}", "\\", "\t", "\r", "\u{0}", "--patch", "-r", "-x", "--all",
      "--store",
      "gap", "rejected", "length(", "match(", "changed(", "@12:00:03", "50%", "start", "end",
    ]

  @Test(
    "No command line crashes a session or makes it write what is not one line of JSON",
    arguments: [TodoLog.lines, TodoLog.withGap, TodoLog.withDamage, [TodoLog.header]])
  func nonsense(lines: [String]) throws {
    var random = SeededGenerator()
    var inspection = try Inspection(lines, services: RecordedWorld().services)
    for _ in 0..<1500 {
      let count = Int.random(in: 1...7, using: &random)
      let line = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &random) }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      inspection.console.settings.format = .ndjson
      guard let begun = inspection.console.run(line) else { continue }
      var written: [UInt8] = []
      let output = try OutputFormatName.ndjson.format().write(
        begun, to: ByteSink { written += $0 }, diagnostics: ByteSink { _ in })
      let comment = Comment(rawValue: "\(line.debugDescription), seed \(SeededGenerator.seed)")
      #expect(written.last == 0x0A && !written.dropLast().contains { $0 < 0x20 }, comment)
      let document = try JSON.parse(Array(written.dropLast()))
      #expect(document["ok"]?.bool == (output.error == nil), comment)
      #expect((0...255).contains(output.exitCode), comment)
      #expect(inspection.session.timeline.positions.contains(inspection.session.position), comment)
      if output.error == nil {
        try OutputFormatName.text.format().write(
          output, to: ByteSink { _ in }, diagnostics: ByteSink { _ in })
      }
    }
  }
}

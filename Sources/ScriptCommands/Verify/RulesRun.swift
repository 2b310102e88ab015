import FluxInspector
import FluxJSON
import FluxReplay
import FluxRules
import FluxSystem
import FluxTerminal
import Foundation
import SystemPackage

/// One run of `rules`: from the arguments to the reports.
struct RulesRun {
  private let arguments: RulesCommand
  private let printer: Printer
  private let interruption: Interruption
  private let input: LogInput

  init(_ arguments: RulesCommand, _ printer: Printer) {
    self.arguments = arguments
    self.printer = printer
    Interruption.watch()
    interruption = Interruption()
    input = LogInput(Services(printer.command))
  }

  /// Checks the rules, and writes every report that is asked for; returns the code to end with.
  ///
  /// - Throws: `Errno` if standard output cannot be written to.
  func run() throws -> Int32 {
    let suite: RuledSuite
    let isEmptyShard: Bool
    do {
      let rules = try RuleSet(reading: arguments.file, from: SystemFiles())
      let all = RuleCheck.recordings(
        of: try LogCollection(arguments.logs).paths, place: input.place(of:))
      let recordings = select(from: all)
      isEmptyShard = recordings.isEmpty && !all.isEmpty
      suite = check(rules, recordings)
      if let file = arguments.junit {
        let report = JUnitReport(ReportedRun(suite), host: ProcessInfo.processInfo.hostName)
        try SystemFiles().write(file, log: "", replacesExisting: true) {
          try $0(Array(report.text.utf8))
        }
      }
    } catch let error as CommandError {
      try printer.complain("error", error)
      return error.exitCode
    }
    try write(suite)
    if isEmptyShard {
      try printer.complain(
        "note", "this shard has no logs, because there are fewer logs than shards; that is a pass")
    } else if suite.logs.isEmpty, !arguments.allowEmpty {
      try printer.complain(
        "error", "there is no log to check; name logs or folders, or pass with --allow-empty")
    }
    if interruption.isRequested { return 130 }
    return suite.exitCode(
      keepsGoing: arguments.keepGoing, allowsEmpty: arguments.allowEmpty || isEmptyShard)
  }

  private func select(from recordings: [[String]]) -> [[String]] {
    guard let shard = arguments.shard else { return recordings }
    let chosen = shard.select(from: recordings.compactMap(\.first))
    return chosen.compactMap { path in recordings.first { $0.first == path } }
  }

  private func check(_ rules: RuleSet, _ recordings: [[String]]) -> RuledSuite {
    let interruption = interruption
    var corpus = CorpusRules(rules)
    corpus.jobs = arguments.jobs ?? ProcessInfo.processInfo.activeProcessorCount
    corpus.keepsGoing = arguments.keepGoing
    corpus.isStrict = arguments.strict
    corpus.place = { [input] in try input.place(of: $0) }
    corpus.invocation = CommandLine.invocation
    corpus.isInterrupted = { interruption.isRequested }
    let bar = ProgressBar(total: recordings.count, printer.environment)
    defer { bar.clear() }
    return corpus.run(recordings) { bar.advance() }
  }

  private func write(_ suite: RuledSuite) throws {
    let output = FileDescriptor.standardOutput
    let report = ReportedRun(suite)
    if arguments.tap {
      try output.writeAll(TAPReport(report).text.utf8)
    } else {
      try output.writeAll(text(suite).utf8)
    }
    if arguments.github {
      let report = GitHubReport(report)
      try output.writeAll(report.annotations.utf8)
      try printer.appendSummary(report.summary)
    }
    try FileDescriptor.standardError.writeAll("\(suite.summary)\n".utf8)
  }

  private func text(_ suite: RuledSuite) -> String {
    switch arguments.output.format {
    case .text: return suite.logs.map(\.text).joined()
    case .json: return (JSON(message: suite).pretty() + "\n").printableLines(as: .json)
    case .ndjson:
      let results = suite.results.map { JSON(message: $0) }
      let errors = suite.logs.compactMap(RuledLogFailure.init).map { JSON(message: $0) }
      return (results + errors).map { $0.description.printable(as: .json) + "\n" }.joined()
    }
  }
}

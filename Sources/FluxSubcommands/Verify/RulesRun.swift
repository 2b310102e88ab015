import FluxCommands
import FluxCorpus
import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxRules
import FluxSystem
import Foundation

/// One run of `rules`: from the arguments to the reports.
struct RulesRun {
  private let arguments: RulesCommand
  private let printer: Printer
  private let input: LogInput

  init(_ arguments: RulesCommand, _ printer: Printer) {
    self.arguments = arguments
    self.printer = printer
    input = LogInput(Services(printer.command))
  }

  /// Checks the rules, and writes every report that is asked for; returns the code to end with.
  ///
  /// - Throws: `CommandError`, and ``LostOutput`` if standard output cannot be written to.
  func run() throws -> Int32 {
    let rules = try RuleSet(reading: arguments.file, from: SystemFiles())
    let logs = LogCollection(arguments.logs).paths
    try arguments.corpus.protect(logs)
    // A session to import is a recording of one segment, so it is imported by the check alone.
    let all = RuleCheck.recordings(of: logs) { try input.unpacked($0) }
    let recordings = select(from: all)
    let isEmptyShard = recordings.isEmpty && !all.isEmpty
    let suite = check(rules, recordings)
    // A file that cannot be written keeps no result from the streams.
    let file = Result { try arguments.corpus.writeFile(ReportedRun(suite)) }
    try arguments.corpus.write(ReportedRun(suite), printer, arguments.output.format) { text(suite) }
    try file.get()
    try arguments.corpus.explain(
      isEmpty: suite.logs.isEmpty, isEmptyShard: isEmptyShard, "check", printer)
    if printer.command.isInterrupted { return 130 }
    return suite.logs.map(\.exitCode).exitCode(
      keepsGoing: arguments.corpus.keepGoing,
      allowsEmpty: arguments.corpus.allowEmpty || isEmptyShard)
  }

  private func select(from recordings: [[String]]) -> [[String]] {
    guard let shard = arguments.corpus.shard else { return recordings }
    let chosen = shard.select(from: recordings.compactMap(\.first))
    return chosen.compactMap { path in
      recordings.first { $0.first?.hasSameBytes(as: path) == true }
    }
  }

  private func check(_ rules: RuleSet, _ recordings: [[String]]) -> RuledSuite {
    var corpus = CorpusRules(rules)
    corpus.jobs = arguments.corpus.jobs.count
    corpus.keepsGoing = arguments.corpus.keepGoing
    corpus.isStrict = arguments.corpus.strict
    corpus.place = { [input] in try input.place(of: $0) }
    corpus.invocation = CommandLine.invocation
    corpus.isInterrupted = { [command = printer.command] in command.isInterrupted }
    let bar = ProgressBar(total: recordings.count, printer.environment)
    defer { bar.clear() }
    return corpus.run(recordings) { bar.advance() }
  }

  private func text(_ suite: RuledSuite) -> String {
    switch arguments.output.format {
    case .text: return suite.logs.map(\.text).joined()
    case .json: return JSON(message: suite).printedLines
    case .ndjson:
      let results = suite.results.map { JSON(message: $0) }
      let errors = suite.logs.compactMap(RuledLogFailure.init).map { JSON(message: $0) }
      return (results + errors).map(\.printedLine).joined()
    }
  }
}

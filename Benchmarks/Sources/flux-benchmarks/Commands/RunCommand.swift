import ArgumentParser
import Foundation
import Harness

/// Measures the figures, and prints them as a table.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Measures the figures, and prints them as a table.")

  @OptionGroup var options: ConditionOptions

  @Option(
    help: """
      Keeps the figures in this file, after each suite; those that it has already and that are not \
      measured now stay.
      """)
  var json: String?

  @Flag(help: "Only the figures that the file has not, or has of shared cores only.")
  var again = false

  @Flag(help: "Ends with status 1 where a target is missed.")
  var strict = false

  func validate() throws {
    guard !again || json != nil else {
      throw ValidationError("--again looks at what a file has: name it with --json")
    }
  }

  func run() throws {
    print("seed \(options.seed), \(Machine.current)")
    var report = Report(
      machine: .current, isQuick: options.quick, seed: options.seed, rows: [])
    let missing = try options.use { conditions in try measure(conditions, into: &report) }
    print(report.table.text)
    print(report.summary)
    for name in missing { print("NOT MEASURED: \(name)") }
    let isMissed = strict && report.rows.contains { $0.isMet == false }
    if isMissed || !missing.isEmpty { throw ExitCode(1) }
  }

  /// Measures the suites, and returns the names of the figures that none has come to.
  private func measure(_ conditions: Conditions, into report: inout Report) throws -> [String] {
    let order = Self.titles(of: allSuites(conditions))
    var wanted = options.suites(conditions)
    guard !wanted.isEmpty else {
      throw ValidationError("no figure has \(options.filter) in its name")
    }
    let file = try json.map { try ReportFile(URL(filePath: $0), like: report, order: order) }
    if again, let file {
      let unsettled = try file.unsettled(Self.titles(of: wanted))
      wanted = wanted.map { $0.only(unsettled) }.filter { !$0.figures.isEmpty }
    }
    var missing: [String] = []
    // Half a second: what a core reads is learned once, by a process that may meet a whole one, and handed on.
    var whole = Control(first: 2_500).whole
    for suite in wanted {
      let rows = try measure(suite, conditions, whole)
      whole = rows.compactMap(\.rounds?.whole).reduce(whole, min)
      report.rows += rows
      try file?.take(rows)
      let names = Set(rows.map(\.name))
      missing += suite.figures.map { suite.title(of: $0) }.filter { !names.contains($0) }
    }
    return missing
  }

  private static func titles(of suites: [Suite]) -> [String] {
    suites.flatMap { suite in suite.figures.map { suite.title(of: $0) } }
  }

  /// Measures a suite in a process of its own: it does not meet the memory that another has left.
  private func measure(_ suite: Suite, _ conditions: Conditions, _ whole: Double) throws -> [Row] {
    let figures = again ? Self.titles(of: [suite]) : []
    return try MeasuringProcess(
      options.measuring(suite, in: conditions, only: figures) + ["--whole-core", "\(whole)"]
    ).rows()
  }
}

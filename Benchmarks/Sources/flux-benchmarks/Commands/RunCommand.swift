import ArgumentParser
import Foundation
import Harness

/// Measures the figures, and prints them as a table.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Measures the figures, and prints them as a table.")

  @OptionGroup var options: ConditionOptions

  @Option(
    help:
      "Keeps the figures in this file; those that it has already and that are not measured now stay."
  )
  var json: String?

  @Flag(help: "Ends with status 1 where a target is missed.")
  var strict = false

  func run() throws {
    print("seed \(options.seed), \(Machine.current)")
    let order = try options.use { conditions in
      allSuites(conditions).flatMap { suite in suite.figures.map { suite.title(of: $0) } }
    }
    let outcome = try options.use { conditions in try measure(conditions) }
    var report = Report(
      machine: .current, isQuick: options.quick, seed: options.seed, rows: outcome.rows)
    print(report.table.text)
    print(report.summary)
    for name in outcome.missing { print("NOT MEASURED: \(name)") }
    if let json {
      let url = URL(filePath: json)
      if FileManager.default.fileExists(atPath: json) {
        let earlier = try Report(contentsOf: url)
        guard earlier.isQuick == report.isQuick else {
          throw ValidationError(
            "\(json) has figures of a \(earlier.isQuick ? "quick" : "thorough") run; name another file"
          )
        }
        report.rows = earlier.rows
      }
      report.merge(outcome.rows, order: order)
      try report.write(to: url)
    }
    let isMissed = strict && outcome.rows.contains { $0.isMet == false }
    if isMissed || !outcome.missing.isEmpty { throw ExitCode(1) }
  }

  /// Measures each suite in a process of its own: none meets the memory that another has left.
  private func measure(_ conditions: Conditions) throws -> (rows: [Row], missing: [String]) {
    var rows: [Row] = []
    var missing: [String] = []
    for suite in allSuites(conditions).map({ $0.filtered(by: options.filter) }) {
      guard !suite.figures.isEmpty else { continue }
      var arguments = ["measure", suite.name, "--inputs", conditions.folder.filePath]
      arguments += ["--seed", "\(options.seed)", "--filter", options.filter]
      if options.quick { arguments.append("--quick") }
      let measured = try MeasuringProcess(arguments).rows()
      let names = Set(measured.map(\.name))
      rows += measured
      missing += suite.figures.map { suite.title(of: $0) }.filter { !names.contains($0) }
    }
    return (rows, missing)
  }
}

import ArgumentParser
import Foundation
import Harness

/// Measures this program and that of another commit in turns, and compares them.
struct PairsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pairs",
    abstract: "Measures an earlier build of this program and this one in turns, and compares them.")

  @Argument(help: "The earlier build, a copy of flux-benchmarks.") var program: String
  @OptionGroup var options: ConditionOptions
  @Option(help: "How often each is measured.") var pairs = 7

  func validate() throws {
    guard pairs > 0 else { throw ValidationError("there has to be a pair at least") }
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw ValidationError("\(program) is no program; name a copy of an earlier flux-benchmarks")
    }
  }

  func run() throws {
    print("seed \(options.seed), \(Machine.current), \(pairs) pairs")
    let lines = try options.use { conditions in
      try options.suites(conditions).flatMap { try compare($0, conditions) }
    }
    guard !lines.isEmpty else {
      throw ValidationError("no figure of both programs has \(options.filter) in its name")
    }
    print(PairedComparison(lines: lines).table.text, terminator: "")
  }

  private func compare(
    _ suite: Suite, _ conditions: Conditions
  ) throws -> [PairedComparison.Line] {
    let arguments = options.measuring(suite, in: conditions)
    let before = MeasuringProcess(arguments, of: URL(filePath: program))
    let after = MeasuringProcess(arguments)
    return PairedComparison(
      try (0..<pairs).map { pair in
        // Each comes first as often as the other.
        guard pair.isMultiple(of: 2) else {
          let rows = try after.rows()
          return (try before.rows(), rows)
        }
        return (try before.rows(), try after.rows())
      }
    ).lines
  }
}

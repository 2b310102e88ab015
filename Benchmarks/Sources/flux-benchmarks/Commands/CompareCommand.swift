import ArgumentParser
import Foundation
import Harness

/// Compares the figures of two commits.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compares the figures of two commits, kept with --json.")

  @Argument(help: "The file of the earlier one.") var before: String
  @Argument(help: "The file of the later one.") var after: String

  func run() throws {
    let (earlier, later) = (
      try Report(contentsOf: URL(filePath: before)), try Report(contentsOf: URL(filePath: after))
    )
    if earlier.machine != later.machine {
      print("before: \(earlier.machine)\nafter: \(later.machine)")
    }
    guard (earlier.isQuick, earlier.seed) == (later.isQuick, later.seed) else {
      throw ValidationError(
        "the two are of other seeds, or one is of a quick run: measure both alike")
    }
    print(ReportComparison(earlier, later).table.text)
  }
}

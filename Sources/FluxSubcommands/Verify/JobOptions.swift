import ArgumentParser
import FluxInspector
import FluxSystem
import Foundation

/// The number of logs that a command works on at a time.
package struct JobOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The number of logs to check at a time (default: one for each processor core)",
      valueName: "n"))
  var jobs: Int?

  package init() {}

  package func validate() throws {
    if let jobs, jobs < 1 {
      throw ValidationError("--jobs: expected a number, at least 1, found \(jobs)")
    }
  }

  /// The number of logs at a time.
  package var count: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}

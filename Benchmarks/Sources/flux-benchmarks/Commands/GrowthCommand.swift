import ArgumentParser
import FluxJSON
import FluxLog
import Foundation
import Harness
import Inputs

/// Measures what costs become as logs get longer and states larger.
struct GrowthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "Measures what costs become as logs get longer and states larger.")

  @Argument(help: "The file that the figures are kept in.") var file: String
  @Flag(help: "Logs of at most a million steps.") var quick = false

  func run() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(
      path: "flux-growth-\(ProcessInfo.processInfo.processIdentifier)")
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let measured = Result { try measure(in: folder) }
    try manager.removeItem(at: folder)
    let report = try measured.get()
    print(GrowthReport.table(report.bySteps, over: "steps").text)
    print(GrowthReport.table(report.byState, over: "state, B").text)
    print(report.exponents.text)
    try report.write(to: URL(filePath: file))
    for line in report.exceeded { print("GROWS TOO FAST: \(line)") }
    guard report.exceeded.isEmpty else { throw ExitCode(1) }
  }

  private func measure(in folder: URL) throws -> GrowthReport {
    let lengths = [1_000, 10_000, 100_000, 1_000_000] + (quick ? [] : [10_000_000])
    let bySteps = try lengths.map {
      try GrowthReport.Point.measured(size: $0, steps: $0, todos: 2, in: folder)
    }
    // 142 bytes each: from 200 bytes to 2 megabytes.
    let byState = try [1, 10, 100, 1_000, 14_000].map { todos in
      let state = TodoStore(count: todos, seed: Conditions.usualSeed).initialState
      return try GrowthReport.Point.measured(
        size: LogEncoder().bytes(of: state).count, steps: 2_000, todos: todos, in: folder)
    }
    return GrowthReport(machine: .current, bySteps: bySteps, byState: byState)
  }
}

import ArgumentParser
import Foundation
import Harness

/// What is measured, and how thoroughly.
struct ConditionOptions: ParsableArguments {
  @Flag(help: "Smaller inputs and fewer samples: two minutes for everything.")
  var quick = false

  @Option(help: "What all inputs are generated from.")
  var seed = Conditions.usualSeed

  @Option(help: "Only the figures whose name has this text in it.")
  var filter = ""

  @Option(name: .customLong("figure"), help: "Only the figures of these names.")
  var figures: [String] = []

  @Option(
    help:
      "Where inputs that take long to generate are kept for the next run, 6 GB; otherwise they are removed."
  )
  var inputs: String?

  /// The suites of these conditions, without those that have no figure left.
  func suites(_ conditions: Conditions) -> [Suite] {
    allSuites(conditions).map { suite in
      let suite = suite.filtered(by: filter)
      return figures.isEmpty ? suite : suite.only(figures)
    }.filter { !$0.figures.isEmpty }
  }

  /// The arguments of a process that measures a suite under these conditions, or only some of its figures.
  func measuring(
    _ suite: Suite, in conditions: Conditions, only figures: [String] = []
  ) -> [String] {
    ["measure", suite.name, "--inputs", conditions.folder.filePath, "--seed", "\(seed)"]
      + ["--filter", filter] + figures.flatMap { ["--figure", $0] } + (quick ? ["--quick"] : [])
  }

  /// Runs with these conditions, and removes what need not be kept.
  func use<R>(_ body: (Conditions) throws -> R) throws -> R {
    let manager = FileManager.default
    let temporary = manager.temporaryDirectory.appending(
      path: "flux-benchmarks-\(ProcessInfo.processInfo.processIdentifier)")
    let folder = inputs.map { URL(filePath: $0) } ?? temporary
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let conditions = Conditions(isQuick: quick, seed: seed, folder: folder)
    let result = Result { try body(conditions) }
    if inputs == nil { try manager.removeItem(at: folder) }
    return try result.get()
  }
}

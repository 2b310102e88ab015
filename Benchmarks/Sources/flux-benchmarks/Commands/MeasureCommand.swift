import ArgumentParser
import Foundation
import Harness

/// Measures one suite in this process, for the command that started it.
struct MeasureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Measures one suite, a row of JSON a figure.",
    shouldDisplay: false)

  @Argument var suite: String
  @OptionGroup var options: ConditionOptions
  @Option(help: "What the control reads of a whole core, as far as is known.") var wholeCore:
    Double?

  func run() throws {
    // A second thread is alive all the while, as in any app: atomic operations of a process with one
    // thread flatter.
    Thread { while true { Thread.sleep(forTimeInterval: 3_600) } }.start()
    let control = Control(whole: wholeCore)
    try options.use { conditions in
      guard let suite = options.suites(conditions).first(where: { $0.name == suite }) else {
        throw ValidationError("there is no suite \(suite) with such a figure")
      }
      for figure in suite.figures {
        measure(figure, of: suite, conditions.sampling, control)
      }
    }
  }

  /// Writes the row of a figure; one that fails is told, and does not keep the others from being measured.
  private func measure(_ figure: Figure, of suite: Suite, _ sampling: Sampling, _ control: Control)
  {
    do {
      let row = try suite.measure(figure, sampling, control)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      try FileHandle.standardOutput.write(contentsOf: encoder.encode(row) + Data("\n".utf8))
      let value = "\(Readable.number(row.series.median)) \(row.unit.rawValue)"
      let load = row.rounds.map { ", load \($0.text)" } ?? ""
      FileHandle.standardError.write(Data("\(row.name): \(value)\(load)\n".utf8))
    } catch {
      FileHandle.standardError.write(
        Data("\(suite.title(of: figure)): failed: \(error)\n".utf8))
    }
  }
}

import ArgumentParser
import Foundation
import Harness

/// Writes the tables and drawings of a page from what is kept in files.
struct DocumentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "document", abstract: "Writes the tables and drawings of the page on performance.")

  @Option(help: "The figures.") var figures: String
  @Option(help: "What they become as logs and states grow.") var growth: String
  @Option(help: "The counts of instructions.") var instructions: String
  @Option(help: "The page.") var page: String
  @Option(help: "The folder of the drawings.") var images: String

  func run() throws {
    let report = try Report(contentsOf: URL(filePath: figures))
    let growth = try GrowthReport(contentsOf: URL(filePath: growth))
    let counts = try InstructionCounts(
      text: String(contentsOf: URL(filePath: instructions), encoding: .utf8))
    var document = MarkedDocument(
      try String(contentsOf: URL(filePath: page), encoding: .utf8))
    try document.replace("machine", with: machine(of: report))
    try document.replace("figures", with: report.table.markdown)
    try document.replace("missed", with: report.missed)
    try document.replace(
      "by steps", with: GrowthReport.table(growth.bySteps, over: "steps").markdown)
    try document.replace(
      "by state", with: GrowthReport.table(growth.byState, over: "state, B").markdown)
    try document.replace("exponents", with: growth.exponents.markdown)
    try document.replace("instructions", with: counts.table.markdown)
    try Data(document.text.utf8).write(to: URL(filePath: page))
    try draw(growth)
  }

  private func machine(of report: Report) -> String {
    "Measured on a machine with \(report.machine); inputs from seed \(report.seed)"
      + (report.isQuick ? "; a quick run of smaller inputs.\n" : ".\n")
  }

  private func draw(_ growth: GrowthReport) throws {
    let folder = URL(filePath: images)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let plots: [(String, LinePlot)] = [
      (
        "growth-steps-time",
        GrowthReport.plot(
          "Time by the length of the log, us", GrowthMeasure.times, growth.bySteps, over: "steps")
      ),
      (
        "growth-steps-memory",
        GrowthReport.plot(
          "Memory by the length of the log, MB", GrowthMeasure.peaks, growth.bySteps,
          over: "steps")
      ),
      (
        "growth-state-time",
        GrowthReport.plot(
          "Time by the size of the state, us", GrowthMeasure.times, growth.byState,
          over: "bytes of state")
      ),
      (
        "growth-state-memory",
        GrowthReport.plot(
          "Memory by the size of the state, MB", GrowthMeasure.peaks, growth.byState,
          over: "bytes of state")
      ),
    ]
    for (name, plot) in plots {
      try Data(plot.svg.utf8).write(to: folder.appending(path: "\(name).svg"))
    }
  }
}

import ArgumentParser
import FluxInspector

/// `flux-inspect stats LOG...`: what logs hold, in numbers.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Counts the steps of logs by the types of their actions.")

  @Argument(help: "The logs.", completion: .file(extensions: ["jsonl"]))
  var logs: [String]

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  func run() throws {
    try StatsScript(logs).run(output)
  }
}

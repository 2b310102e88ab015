package import ArgumentParser
import FluxInspector

/// `flux-inspect stats LOG...`: counts the steps of logs.
package struct StatsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Count the steps of logs by action type")

  @Argument(help: "The logs to count", completion: .file(extensions: ["jsonl"]))
  var logs: [String]

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  package init() {}

  package func run() throws {
    try StatsScript(logs).run(output)
  }
}

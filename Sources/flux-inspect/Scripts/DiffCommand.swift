import ArgumentParser
import FluxInspector

/// `flux-inspect diff A B`: what differs between two logs.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compares two logs: their actions, then the states they led to.",
    discussion: "Exits with 1 where they differ.")

  @Argument(help: "The log to compare with.", completion: .file(extensions: ["jsonl"]))
  var old: String

  @Argument(help: "The log that is compared.", completion: .file(extensions: ["jsonl"]))
  var new: String

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  func run() throws {
    try CompareScript(old, new).run(output)
  }
}

package import ArgumentParser
import FluxInspector

/// `flux-inspect diff A B`: compares two logs.
package struct DiffCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two logs: actions first, then states",
    discussion: "Exits with 1 if the logs differ.")

  @Argument(help: "The log to compare with", completion: .file(extensions: ["jsonl"]))
  var old: String

  @Argument(help: "The log to compare", completion: .file(extensions: ["jsonl"]))
  var new: String

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  package init() {}

  package func run() throws {
    try CompareScript(old, new).run(output)
  }
}

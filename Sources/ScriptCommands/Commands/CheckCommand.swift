package import ArgumentParser
import FluxInspector

/// `flux-inspect check LOG...`: validates logs against the format.
package struct CheckCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate logs against the format",
    discussion: """
      Prints each finding on a line: its place, its kind and a message. Exits with 4 if a log is damaged \
      or cannot be read. A truncated last line or a missing end alone is a note.
      """)

  @Argument(help: "The logs to check", completion: .file(extensions: ["jsonl"]))
  var logs: [String]

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  package init() {}

  package func run() throws {
    try CheckScript(logs).run(output, format: .ndjson)
  }
}

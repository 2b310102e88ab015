import ArgumentParser
import FluxInspector

/// `flux-inspect check LOG...`: what is wrong with logs.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Holds logs against every rule of the format.",
    discussion: """
      Each finding is one line: where it is, of which kind, and a message. Exits with 4 where a log is \
      damaged or cannot be read; a torn or missing end alone is a note.
      """)

  @Argument(help: "The logs.", completion: .file(extensions: ["jsonl"]))
  var logs: [String]

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  func run() throws {
    try CheckScript(logs).run(output, format: .ndjson)
  }
}

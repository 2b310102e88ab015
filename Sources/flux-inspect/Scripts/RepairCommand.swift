import ArgumentParser
import FluxInspector

/// `flux-inspect repair LOG -o OUT`: a copy of a log without its damage.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Copies the usable steps of a damaged log.",
    discussion: """
      Usable steps are copied byte for byte, and what is between them becomes gaps. Neither the log nor \
      any other file that is there is overwritten.
      """)

  @Argument(help: "The log.", completion: .file(extensions: ["jsonl"]))
  var log: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The repaired log.", valueName: "out"), completion: .file())
  var copy: String

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  func run() throws {
    try RepairScript(log, to: copy).run(output)
  }
}

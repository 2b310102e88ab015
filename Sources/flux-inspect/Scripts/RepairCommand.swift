import ArgumentParser
import FluxHost
import FluxInspector
import FluxReplay

/// `flux-inspect repair LOG -o OUT`: a copy of a log without its damage.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Copies the usable steps of a damaged log.",
    discussion: """
      Usable steps are copied byte for byte, and what is between them becomes gaps. Neither the log nor \
      any other file that is there is overwritten. After a crash, with the app, the steps whose lines \
      were not written yet are rebuilt by replay.
      """)

  @Argument(help: "The log.", completion: .file(extensions: ["jsonl"]))
  var log: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The repaired log.", valueName: "out"), completion: .file())
  var copy: String

  @Option(
    help: "The app's executable, for the steps that a crash left unwritten.", completion: .file())
  var app: String?

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  func run() throws {
    try RepairScript(log, to: copy, app: app.map { HostApp(executable: $0) }).run(output)
  }
}

package import ArgumentParser
import FluxHost
import FluxInspector
import FluxReplay

/// `flux-inspect repair LOG -o OUT`: recovers the readable steps of a damaged log.
package struct RepairCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Recover the readable steps of a damaged log",
    discussion: """
      Copies readable steps byte for byte, and marks what is missing between them as gaps. Never \
      overwrites a file. If the app crashed, --app rebuilds by replay the steps that were committed \
      and not written yet.
      """)

  @Argument(help: "The damaged log", completion: .file(extensions: ["jsonl"]))
  var log: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The repaired log", valueName: "out"), completion: .file())
  var copy: String

  @Option(
    help: "The app's executable, to rebuild steps that a crash left unwritten", completion: .file())
  var app: String?

  @OptionGroup(title: "Output")
  var output: ScriptOptions

  package init() {}

  package func run() throws {
    try RepairScript(log, to: copy, app: app.map { HostApp(executable: $0) }).run(output)
  }
}

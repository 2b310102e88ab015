import ArgumentParser
import FluxInspector
import FluxLog

/// `flux-inspect [open] LOG`: a session with a log.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Opens a log for a session, or for a batch of commands.",
    discussion: "In a session, 'help' lists the commands.")

  @Argument(help: "The log.", completion: .file(extensions: ["jsonl"]))
  var log: String

  @Option(
    name: .customShort("e"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Runs a command and ends; may be given several times.", valueName: "command")
  )
  var commands: [String] = []

  @Option(
    name: .customShort("x"),
    help: ArgumentHelp(
      "Runs the commands of a file, after those of -e, and ends.", valueName: "file"),
    completion: .file())
  var script: String?

  @Option(
    name: .customShort("g"), parsing: .unconditional,
    help: ArgumentHelp("Begins at this position: 42, 50%, end, todo/add#3.", valueName: "position"))
  var position: String?

  @Flag(help: "Reads commands from standard input without a prompt, also from a terminal.")
  var batch = false

  @Flag(help: "Goes on after a command that failed; the largest exit code counts.")
  var keepGoing = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  func run() throws {
    let code = try Batch.run(self)
    if code != 0 { throw ExitCode(code) }
  }
}

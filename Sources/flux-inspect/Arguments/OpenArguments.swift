import ArgumentParser
import FluxInspector
import ScriptCommands

/// The arguments that open a log: those of `open`, and of the program without a subcommand.
struct OpenArguments: ParsableArguments {
  @Argument(help: "The log to open, a folder of logs, or - for standard input", completion: .log)
  var log: String

  @Option(
    help: ArgumentHelp(
      "The app's executable, which replays actions in fresh stores (for verify, fork, dispatch, "
        + "redispatch and shrink)", valueName: "path"),
    completion: .file())
  var app: String?

  @Option(
    name: .customShort("e"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run this command, then exit; may be repeated", valueName: "command"))
  var commands: [String] = []

  @Option(
    name: .customShort("x"),
    help: ArgumentHelp(
      "Run the commands in this file, after those of -e, then exit", valueName: "file"),
    completion: .file())
  var script: String?

  @Option(
    name: .customShort("g"), parsing: .unconditional,
    help: ArgumentHelp("Start at this position: 42, 50%, end, todo/add#3", valueName: "position"))
  var position: String?

  @Flag(help: "Read commands from standard input without a prompt, even on a terminal")
  var batch = false

  @Flag(help: "Continue after a command fails; the largest exit code is returned")
  var keepGoing = false

  @Flag(help: "Skip the commands in flux-inspect/init of the configuration folder")
  var noInit = false

  @Flag(help: "Follow a log that is still being written, and show new steps as they arrive")
  var follow = false

  @OptionGroup(title: "Output")
  var output: OutputOptions

  func validate() throws {
    guard log != LogInput.standardInput || hasCommands else {
      throw ValidationError(
        "the log is read from standard input, so commands must come from -e or -x")
    }
    guard follow, batch || hasCommands else { return }
    throw ValidationError(
      "--follow needs a session with a prompt; remove it, or remove --batch, -e and -x")
  }

  var hasCommands: Bool { script != nil || !commands.isEmpty }

  var settings: Settings {
    var settings = output.settings
    settings.keepsGoing = keepGoing
    return settings
  }
}

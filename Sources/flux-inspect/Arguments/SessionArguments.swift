import ArgumentParser
import FluxInspector
import FluxSubcommands

/// The arguments of a session, with whatever log: those of `open` and `attach`.
struct SessionArguments: ParsableArguments {
  @Option(
    name: .customShort("e"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run this command, then exit; may be repeated", valueName: "command"))
  var commands: [String] = []

  @Option(
    name: .customShort("x"),
    help: ArgumentHelp(
      "Run the commands in this file, after any -e commands, then exit", valueName: "file"),
    completion: .file())
  var commandFile: String?

  @Option(
    name: .customShort("g"), parsing: .unconditional,
    help: ArgumentHelp("Start at this position: 42, 50%, end, todo/add#3", valueName: "position"))
  var position: String?

  @Flag(help: "Read commands from standard input without a prompt, even on a terminal")
  var batch = false

  @Flag(help: "Continue after a command fails; the largest exit code is returned")
  var keepGoing = false

  @Flag(help: "Skip the commands in flux-inspect/init in the configuration folder")
  var noInit = false

  var hasCommands: Bool { commandFile != nil || !commands.isEmpty }
}

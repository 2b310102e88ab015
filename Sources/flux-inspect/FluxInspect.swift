import ArgumentParser
import ScriptCommands

/// The program: its subcommands, of which `open` is the default.
@main
struct FluxInspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: MainForm.configuration.commandName, version: ProgramVersion.description,
    subcommands: MainForm.configuration.subcommands, defaultSubcommand: OpenCommand.self)

  static func main() {
    runProgram(answer: ProgramReference.text)
  }
}

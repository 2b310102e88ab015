import ArgumentParser
import ScriptCommands

/// The program: its subcommands, of which `open` is the default.
@main
struct FluxInspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flux-inspect",
    version: ProgramVersion.description,
    subcommands: [
      OpenCommand.self, VerifyCommand.self, CatCommand.self, CheckCommand.self, RepairCommand.self,
      StatsCommand.self, DiffCommand.self,
    ],
    defaultSubcommand: OpenCommand.self)

  /// Runs the program, and never returns.
  static func main() {
    runProgram(answer: ProgramReference.text)
  }
}

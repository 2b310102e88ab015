import ArgumentParser
import FluxJSON
import FluxSubcommands
import Foundation

/// The program: its subcommands, of which `open` is the default.
@main
struct FluxInspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: MainForm.configuration.commandName, version: ProgramVersion.description,
    subcommands: MainForm.configuration.subcommands, defaultSubcommand: OpenCommand.self)

  static func main() {
    runProgram { arguments in
      if let mistake = CommandPlace(arguments) { throw ValidationError(mistake.description) }
      if let first = arguments.first { try checkSpelling(of: first) }
      return try ProgramReference.text(for: arguments)
    }
  }

  /// Refuses a misspelled subcommand, which the parser would take for the path of a log.
  private static func checkSpelling(of name: String) throws {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !name.hasPrefix("-"), !names.contains(name),
      let nearest = Spelling.nearest(to: name, among: names),
      !FileManager.default.fileExists(atPath: name)
    else { return }
    throw ValidationError("no log or subcommand '\(name)'; did you mean '\(nearest)'?")
  }
}

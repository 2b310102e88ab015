import ArgumentParser
import FluxInspector
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
      if let mistake = try CommandPlace(arguments) { throw ValidationError(mistake.description) }
      if let first = arguments.first { try checkSpelling(of: first) }
      if arguments.first == "help", arguments.count > 1 { try checkHelp(on: arguments[1]) }
      return try ProgramReference.text(for: arguments)
    }
  }

  /// Refuses a misspelled subcommand, which the parser would take for the path of a log.
  private static func checkSpelling(of name: String) throws {
    let names = MainForm.subcommandNames + ["help"]
    guard !name.hasPrefix("-"), !names.contains(name),
      let nearest = Spelling.nearest(to: name, among: names),
      !FileManager.default.fileExists(atPath: name)
    else { return }
    throw ValidationError("no log or subcommand '\(name)'; did you mean '\(nearest)'?")
  }

  /// Refuses help on a subcommand that does not exist, which the parser would answer with the help of the program.
  private static func checkHelp(on name: String) throws {
    guard !name.hasPrefix("-"), !MainForm.subcommandNames.contains(name) else { return }
    let question = Spelling.question(name, among: MainForm.subcommandNames)
    throw ValidationError(
      "no subcommand '\(name)'"
        + (question.isEmpty ? "; in a session, 'help' explains the commands" : question))
  }
}

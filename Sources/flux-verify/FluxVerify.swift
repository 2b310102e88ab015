import ArgumentParser
import FluxSubcommands

/// `verify` as a separate program.
///
/// The command plugin runs it: unlike `flux-inspect` it has no line editor, so that building it needs no headers of
/// libedit.
@main
struct FluxVerify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flux-verify", abstract: VerifyCommand.configuration.abstract,
    discussion: VerifyCommand.configuration.discussion, version: ProgramVersion.description)

  @OptionGroup
  var command: VerifyCommand

  /// Runs the program, and never returns.
  static func main() { runProgram() }

  func run() throws { try command.run() }
}

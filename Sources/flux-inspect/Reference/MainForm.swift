import ArgumentParser
import FluxSubcommands

/// The program as its help, its man page and its completions show it: the arguments that open a log, and the
/// subcommands.
///
/// The parser cannot start from this type: the log would take the name of a subcommand. The program's own type parses,
/// with `open` as its default subcommand, which has the same arguments.
struct MainForm: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flux-inspect",
    abstract: "Step through recordings of Flux-style apps, forwards and backwards",
    usage: """
      flux-inspect <log> [--app <path>] [-e <command> ...] [-x <file>] [<options>]
      flux-inspect <subcommand> ...
      """,
    discussion: """
      A recording is a log in JSON Lines: each action, and the state after it. Without a subcommand, \
      flux-inspect opens the log. On a terminal it starts a session with a prompt; otherwise it runs the \
      commands from -e, -x or standard input as a batch.

      Exit codes: \(exitCodes.map { "\($0.code) \($0.meaning)" }.joined(separator: "; ")).
      """,
    version: ProgramVersion.description,
    subcommands: [
      OpenCommand.self, AttachCommand.self, VerifyCommand.self, ReviewCommand.self,
      RulesCommand.self,
      ReportCommand.self, ServeCommand.self, CatCommand.self, CheckCommand.self, RepairCommand.self,
      StatsCommand.self, DiffCommand.self, ImportCommand.self, DebugAdapterCommand.self,
      AgentCommand.self, TrustCommand.self,
    ])

  static var subcommandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  @OptionGroup
  var open: OpenCommand

  /// The exit codes of the program, for its help and its man page.
  static let exitCodes: [(code: Int32, meaning: String)] = [
    (0, "success"), (1, "a divergence, a broken rule, a difference, or no match"),
    (2, "wrong usage"), (3, "a command failed"), (4, "a log that is damaged or unreadable"),
    (5, "nothing could be replayed, compared or checked"), (130, "interrupted"),
  ]
}

import FluxExchange
import FluxInspector

/// A command of a console: its description, a call of the session, and the text of the result.
///
/// A command shares a file with the commands of its subject, and has a line in
/// ``CommandRegistry/commands(exporting:)``.
package struct Command: Sendable {
  /// Runs the command.
  ///
  /// It throws `CommandError`, and errors of the log and of the replay.
  typealias Run = @Sendable (CommandArguments, inout Console) throws -> Reply

  let description: CommandDescription
  let run: Run

  init(
    _ name: String, aliases: [String] = [], group: CommandGroup, synopsis: String? = nil,
    summary: String, help: String, examples: [String] = [], options: [CommandOption] = [],
    arguments: ArgumentStyle = .words(0), completions: [CompletionKind] = [],
    needsTerminal: Bool = false, run: @escaping Run
  ) {
    description = CommandDescription(
      name: name, aliases: aliases, group: group, synopsis: synopsis ?? name, summary: summary,
      help: help, examples: examples, options: options, arguments: arguments,
      completions: completions, needsTerminal: needsTerminal)
    self.run = run
  }
}

/// The commands of a console.
package struct CommandRegistry: Sendable {
  package let table: CommandTable
  private let commands: [String: Command]

  init(_ commands: [Command]) {
    table = CommandTable(commands.map(\.description))
    self.commands = Dictionary(
      uniqueKeysWithValues: commands.map { ($0.description.name, $0) })
  }

  func command(_ description: CommandDescription) throws(CommandError) -> Command {
    guard let command = commands[description.name] else {
      throw CommandError(.usage, "no command \(description.name)")
    }
    return command
  }

  package static let standard = CommandRegistry(commands())

  /// The commands of the inspector that do without a terminal, files and a shell.
  package static let withoutTerminal = CommandRegistry(
    commands().filter { !$0.description.needsTerminal })

  /// The commands of the inspector, a line each.
  static func commands(exporting formats: [ExportFormat] = ExportFormat.all) -> [Command] {
    [
      .step,
      .back,
      .next,
      .prev,
      .cause,
      .down,
      .goto,
      .start,
      .end,
      .undo,
      .redo,
      .continue,
      .reverseContinue,
      .until,
      .last,
      .first,
      .bisect,
      .play,
      .browse,
      .break,
      .tbreak,
      .watch,
      .catch,
      .breakpoints,
      .delete,
      .enable,
      .disable,
      .commands,
      .state,
      .print,
      .action,
      .list,
      .where,
      .effects,
      .diff,
      .display,
      .undisplay,
      .find,
      .count,
      .stats,
      .blame,
      .history,
      .info,
      .stores,
      .types,
      .bookmark,
      .bookmarks,
      .marks,
      .rules,
      .verify,
      .fork,
      .forks,
      .switch,
      .drop,
      .dispatch,
      .redispatch,
      .compare,
      .shrink,
      .save,
      .app,
      .pause,
      .resume,
      .restore,
      .export(formats),
      .test,
      .help,
      .apropos,
      .set,
      .show,
      .alias,
      .source,
      .saveSession,
      .shell,
      .quit,
    ]
  }
}

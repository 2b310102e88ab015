/// A command of a console: its description, a call of the session, and the text of the result.
///
/// A command is a value without state. It shares a file with the commands of its subject, and has a line in
/// ``CommandRegistry/commands(exporting:)``.
protocol Command: Sendable {
  var description: CommandDescription { get }

  /// - Throws: ``CommandError``, and errors of the log and of the replay. The name of the command is put before the
  ///   message of a usage error.
  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply
}

/// The commands of a console.
package struct CommandRegistry: Sendable {
  package let table: CommandTable
  private let commands: [String: any Command]

  init(_ commands: [any Command]) {
    table = CommandTable(commands.map(\.description))
    self.commands = Dictionary(
      uniqueKeysWithValues: commands.map { ($0.description.name, $0) })
  }

  func command(_ description: CommandDescription) throws(CommandError) -> any Command {
    guard let command = commands[description.name] else {
      throw CommandError(.usage, "no command \(description.name)")
    }
    return command
  }

  package static let standard = CommandRegistry(commands())

  /// The commands of the inspector, a line each.
  static func commands(exporting formats: [ExportFormat] = ExportFormat.all) -> [any Command] {
    [
      StepCommand(),
      BackCommand(),
      NextCommand(),
      PrevCommand(),
      GotoCommand(),
      StartCommand(),
      EndCommand(),
      UndoCommand(),
      RedoCommand(),
      ContinueCommand(),
      ReverseContinueCommand(),
      UntilCommand(),
      LastCommand(),
      FirstCommand(),
      BisectCommand(),
      PlayCommand(),
      BrowseCommand(),
      BreakCommand(),
      TbreakCommand(),
      WatchCommand(),
      CatchCommand(),
      BreakpointsCommand(),
      DeleteCommand(),
      EnableCommand(),
      DisableCommand(),
      StateCommand(),
      PrintCommand(),
      ActionCommand(),
      ListCommand(),
      WhereCommand(),
      DiffCommand(),
      DisplayCommand(),
      UndisplayCommand(),
      FindCommand(),
      CountCommand(),
      StatsCommand(),
      BlameCommand(),
      HistoryCommand(),
      InfoCommand(),
      StoresCommand(),
      TypesCommand(),
      BookmarkCommand(),
      BookmarksCommand(),
      VerifyCommand(),
      ForkCommand(),
      ForksCommand(),
      SwitchCommand(),
      DropCommand(),
      DispatchCommand(),
      RedispatchCommand(),
      CompareCommand(),
      ShrinkCommand(),
      SaveCommand(),
      ExportCommand(formats),
      TestCommand(),
      HelpCommand(),
      AproposCommand(),
      SetCommand(),
      ShowCommand(),
      AliasCommand(),
      SourceCommand(),
      ShellCommand(),
      QuitCommand(),
    ]
  }
}

/// A command of a console: its description, a call of the session, and the text of the result.
///
/// A command is a value without state. It has a file of its own, perhaps with its counterpart, and a line in
/// ``CommandRegistry/standard``.
protocol Command: Sendable {
  /// The names, the arguments and the help.
  var description: CommandDescription { get }

  /// Runs the command.
  ///
  /// - Throws: ``CommandError``, and errors of the log and of the replay. The name of the command is put before the
  ///   message of a usage error.
  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply
}

/// The commands, and the way to find one.
package struct CommandRegistry: Sendable {
  /// The descriptions of the commands.
  package let table: CommandTable
  private let commands: [String: any Command]

  init(_ commands: [any Command]) {
    table = CommandTable(commands.map(\.description))
    self.commands = Dictionary(
      uniqueKeysWithValues: commands.map { ($0.description.name, $0) })
  }

  /// Finds a command by its whole name.
  func command(named name: String) throws(CommandError) -> any Command {
    guard let command = commands[name] else { throw CommandError(.usage, "no command \(name)") }
    return command
  }

  /// All commands, a line each.
  package static let standard = CommandRegistry([
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
    ExportCommand(),
    TestCommand(),
    HelpCommand(),
    AproposCommand(),
    SetCommand(),
    ShowCommand(),
    AliasCommand(),
    SourceCommand(),
    ShellCommand(),
    QuitCommand(),
  ])
}

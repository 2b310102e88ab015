extension CommandRegistry {
  /// The commands of a session, a line each.
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
    StateCommand(),
    PrintCommand(),
    ActionCommand(),
    HelpCommand(),
    QuitCommand(),
  ])
}

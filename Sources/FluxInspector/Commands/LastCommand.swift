/// The command `last PATH`.
struct LastCommand: Command {
  let description = CommandDescription(
    "last", group: .move, synopsis: "last PATH",
    summary: "Go to the last step before here that changed a value",
    help: """
      Repeat it to go to the change before that one. No step wrote the initial value: if only that is left, the \
      position does not change and a batch exits with 1.
      """,
    examples: ["last todos.items[0].done"], arguments: .raw, completions: [.path])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.move(toLastWriteOf: try arguments.path()))
  }
}

/// The command `first PATH`.
struct FirstCommand: Command {
  let description = CommandDescription(
    "first", group: .move, synopsis: "first PATH",
    summary: "Go to the first step that changed a value",
    help: """
      No step wrote the initial value. If no step of the log changed it, the position does not change and a \
      batch exits with 1.
      """,
    examples: ["first todos.items[0].done"], arguments: .raw, completions: [.path])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    .move(try console.session.move(toFirstWriteOf: try arguments.path()))
  }
}

import FluxLog

/// The command `until EXPR`.
struct UntilCommand: Command {
  let description = CommandDescription(
    "until", aliases: ["u"], group: .move, synopsis: "until [-r] EXPR",
    summary: "Go to the next step at which an expression holds",
    help: """
      EXPR is a logical expression of RFC 9535. Its paths may begin with the name of a store. There are two more \
      functions: changed(PATH) is true if the step changed the value, and was(PATH) is the value before the step. \
      If no step matches, the position does not change and a batch exits with 1.
      """,
    examples: ["until length(todos.items) > 3", "until -r changed(todos.items[0].done)"],
    options: [CommandOption("-r", "Go to the previous such step")], arguments: .expression,
    completions: [.path])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let direction = arguments.has("-r") ? SearchDirection.backwards : .forwards
    return .move(try console.session.move(until: try arguments.expression(), direction))
  }
}

/// The command `watch PATH [if EXPR]`.
struct WatchCommand: Command {
  let description = CommandDescription(
    "watch", aliases: ["wa"], group: .stop, synopsis: "watch PATH [if EXPR]",
    summary: "Stop at steps that change a value",
    help: """
      A step stops if it creates, changes or removes what PATH selects. With a condition, only steps after which \
      it holds stop.
      """,
    examples: ["watch todos.items[0].done", "watch todos.items if length(todos.items) > 3"],
    arguments: .expression, completions: [.path, .words(["if"]), .path])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let (subject, condition) = try arguments.subjectAndCondition()
    let path = try arguments.path(subject)
    return .stopPoint(try console.session.addStopPoint(.watchpoint(path), if: condition))
  }
}

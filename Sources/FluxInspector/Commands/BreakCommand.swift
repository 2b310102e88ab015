import FluxLog

/// The command `break GLOB [if EXPR]`.
struct BreakCommand: Command {
  let description = CommandDescription(
    "break", aliases: ["b"], group: .stop, synopsis: "break GLOB [if EXPR]",
    summary: "Stop at actions of a type",
    help: """
      GLOB is matched with the type of each action: * matches any characters, also /, and ? matches one \
      character. With a condition, only steps at which it holds stop. continue and reverse-continue stop there.
      """,
    examples: ["break todo/*", "break todo/add if length(todos.items) > 3"],
    arguments: .expression, completions: [.actionType, .words(["if"]), .path])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    try console.session.addBreakpoint(arguments, isTemporary: false)
  }
}

/// The command `tbreak GLOB [if EXPR]`.
struct TbreakCommand: Command {
  let description = CommandDescription(
    "tbreak", group: .stop, synopsis: "tbreak GLOB [if EXPR]",
    summary: "Stop once at an action of a type",
    help: "Like break, but the first move that reaches the breakpoint deletes it.",
    examples: ["tbreak todo/add"],
    arguments: .expression, completions: [.actionType, .words(["if"]), .path])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    try console.session.addBreakpoint(arguments, isTemporary: true)
  }
}

extension Session {
  fileprivate mutating func addBreakpoint(
    _ arguments: CommandArguments, isTemporary: Bool
  ) throws -> Reply {
    let (subject, condition) = try arguments.subjectAndCondition()
    guard !subject.isEmpty else { throw arguments.usage("the type of an action is missing") }
    return .stopPoint(
      try addStopPoint(
        .breakpoint(Glob(subject)), if: condition, isTemporary: isTemporary))
  }
}

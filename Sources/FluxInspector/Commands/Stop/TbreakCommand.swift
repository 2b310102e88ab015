import FluxLog

/// The command `tbreak GLOB [if EXPR]`.
struct TbreakCommand: Command {
  let name = "tbreak"
  let group = CommandGroup.stop
  let synopsis = "tbreak GLOB [if EXPR]"
  let summary = "stop once at an action of a type"
  let help = "Like break, but the breakpoint is deleted when it is reached."
  let examples = ["tbreak todo/add"]
  let arguments = ArgumentStyle.expression
  let completions = [CompletionKind.actionType, .words(["if"]), .path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.addBreakpoint(arguments, isTemporary: true)
  }
}

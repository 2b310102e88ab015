import FluxLog

/// The command `break GLOB [if EXPR]`.
struct BreakCommand: Command {
  let name = "break"
  let aliases = ["b"]
  let group = CommandGroup.stop
  let synopsis = "break GLOB [if EXPR]"
  let summary = "stop at actions of a type"
  let help = """
    GLOB is compared with the action's type: * is any run of characters, / included, and ? is any \
    one. With a condition, only steps stop where it holds. continue and reverse-continue stop there.
    """
  let examples = ["break todo/*", "break todo/add if length(todos.items) > 3"]
  let arguments = ArgumentStyle.expression
  let completions = [CompletionKind.actionType, .words(["if"]), .path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.addBreakpoint(arguments, isTemporary: false)
  }
}

extension Session {
  /// Adds a breakpoint; says so where the log has no action of such a type.
  mutating func addBreakpoint(
    _ arguments: CommandArguments, isTemporary: Bool
  ) throws -> StopPointAnswer {
    let (subject, condition) = try arguments.subjectAndCondition()
    guard !subject.isEmpty else { throw arguments.usage("the type of an action is missing") }
    let glob = Glob(subject)
    if log.isIndexComplete { try noteUnknown(glob) }
    return StopPointAnswer(
      point: stops.add(.breakpoint(glob), if: condition, isTemporary: isTemporary))
  }

  private mutating func noteUnknown(_ glob: Glob) throws {
    guard try log.firstPosition(in: 0..<log.count, typeWhere: glob.matches) == nil else { return }
    let suggestion = try suggestion(for: glob).map { "; \($0)" } ?? ""
    notes.append("no action of the log matches \(glob)\(suggestion)")
  }
}

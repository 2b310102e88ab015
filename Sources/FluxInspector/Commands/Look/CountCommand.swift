import FluxLog

/// The command `count GLOB|EXPR [in RANGE]`.
struct CountCommand: Command {
  let name = "count"
  let group = CommandGroup.look
  let synopsis = "count [-x] GLOB|EXPR [in RANGE]"
  let summary = "count the steps that match"
  let help = """
    The arguments are those of 'find'. Types of actions are counted without reading a line.
    """
  let examples = ["count todo/*", "count $.rejected", "count changed(todos.items) in 100..200"]
  let options = [StepFilterArgument.forcesExpression]
  let arguments = ArgumentStyle.expression
  let completions = [CompletionKind.filter, .path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let argument = try StepFilterArgument(arguments)
    let range = try argument.range.map { try session.resolve($0) }
    if case .glob(let glob) = argument.filter {
      if range == nil { try session.waitForIndex() }
      let counts = try session.log.typeCounts(in: range)
      let count = counts.reduce(0) { $0 + (glob.matches($1.type) ? $1.count : 0) }
      if count == 0 { try session.noteSuggestion(for: argument.filter) }
      return CountAnswer(count: count)
    }
    var search = StepSearch(argument.filter, in: range, of: session)
    var count = 0
    while case let batch = try search.nextBatch(), !batch.isEmpty { count += batch.count }
    return CountAnswer(count: count, unknownSteps: search.unknownSteps)
  }
}

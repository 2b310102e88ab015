import FluxLog

/// The command `find GLOB|EXPR [in RANGE]`.
struct FindCommand: Command {
  let name = "find"
  let aliases = ["f"]
  let group = CommandGroup.look
  let synopsis = "find [-x] GLOB|EXPR [in RANGE]"
  let summary = "list the steps that match"
  let help = """
    GLOB is matched with the types of actions: todo/* matches todo/add, * any run of characters, \
    / included. EXPR is asked of each step: todos.items[0].done == true, \
    $.action.payload.id > 7, changed(todos.items). What has a blank, a quote, or one of \
    ( ) [ ] = < > ! & | @ $ is an expression.

    The whole log is searched, or the steps of RANGE. Steps whose states are not known are counted, \
    and do not match. Where nothing matches, a batch ends with code 1.
    """
  let examples = [
    "find todo/*", "find length(todos.items) > 3", "find $.rejected in 100..200", "find -x search",
  ]
  let options = [StepFilterArgument.forcesExpression]
  let arguments = ArgumentStyle.expression
  let completions = [CompletionKind.filter, .path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let argument = try StepFilterArgument(arguments)
    let range = try argument.range.map { try session.resolve($0) }
    var search = StepSearch(argument.filter, in: range, of: session)
    let found = try search.nextBatch()
    if found.isEmpty { try session.noteSuggestion(for: argument.filter) }
    return FindAnswer(session: session, found: found, search: search)
  }
}

extension Session {
  /// Says what was probably meant by a glob that no action of the log matches.
  mutating func noteSuggestion(for filter: StepFilter) throws {
    guard case .glob(let glob) = filter, let suggestion = try suggestion(for: glob) else { return }
    notes.append(suggestion)
  }
}

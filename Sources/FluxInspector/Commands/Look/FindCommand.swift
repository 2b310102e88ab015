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
  let completions = [CompletionKind.actionType, .path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let argument = try StepFilterArgument(arguments)
    let range = try argument.range.map { try session.resolve($0) }
    var search = StepSearch(argument.filter, in: range, of: session)
    let found = try search.nextBatch()
    if found.isEmpty, let type = try session.suggestion(for: argument.filter) {
      session.notes.append("did you mean \(type)?")
    }
    return FindAnswer(session: session, found: found, search: search)
  }
}

extension Session {
  /// The type of action that was probably meant by a glob without a wildcard that matches none.
  func suggestion(for filter: StepFilter) throws -> String? {
    guard case .glob(let glob) = filter, let literal = glob.literal else { return nil }
    let types = try log.typeCounts().keys
    guard !types.contains(literal) else { return nil }
    return Spelling.nearest(to: literal, among: types.sorted())
  }
}

import FluxInspector

extension Command {
  static let find = Command(
    "find", aliases: ["f"], group: .look, synopsis: "find [-x] GLOB|EXPR|TEXT [in RANGE]",
    summary: "List the steps that match",
    help: """
      GLOB is matched with the types of actions: todo/* matches todo/add, and * matches any characters, also /. \
      EXPR is evaluated at each step: todos.items[0].done == true, $.action.payload.id > 7, \
      changed(todos.items). Text with a quote or one of ( ) [ ] = < > ! & | @ $ is an expression, unless it is the \
      type of an action, such as [Auth] Login.

      Any other TEXT is searched for in the types and payloads of actions, in upper or lower case: add, milk, \
      green tea.

      The whole log is searched, or the steps of RANGE. Steps whose states are unknown do not match; they are \
      counted. If nothing matches, a batch exits with 1.
      """,
    examples: [
      "find todo/*", "find length(todos.items) > 3", "find $.rejected in 100..200",
      "find milk", "find -x search",
    ],
    options: [CommandArguments.forcesExpression], arguments: .expression,
    completions: [.filter, .path]
  ) { arguments, console in
    let (filter, range) = try arguments.filterAndRange(in: console.session)
    let width = console.session.numberWidth
    return Reply(try console.session.steps(matching: filter, in: range)) { step, _, text in
      try text.row(step, numberWidth: width)
    } end: { end, count, text in
      if count == 0 { try text.line("no step matches", .dim) }
      try text.unjudged(end.unknownSteps)
    }.ofRecording("find", console)
  }

  static let count = Command(
    "count", group: .look, synopsis: "count [-x] GLOB|EXPR|TEXT [in RANGE]",
    summary: "Count the steps that match",
    help: """
      The arguments are those of 'find'. Counting by action type reads no lines, so it is fast.
      """,
    examples: ["count todo/*", "count $.rejected", "count changed(todos.items) in 100..200"],
    options: [CommandArguments.forcesExpression], arguments: .expression,
    completions: [.filter, .path]
  ) { arguments, console in
    let (filter, range) = try arguments.filterAndRange(in: console.session)
    return Reply(try console.session.count(matching: filter, in: range)) { result, text in
      try text.line(String(result.count), .count)
      try text.unjudged(result.unknownSteps)
    }.ofRecording("count", console)
  }
}

extension Command {
  static let shrink = Command(
    "shrink", group: .replay, synopsis: "shrink EXPR",
    summary: "Find the few actions that make EXPR true",
    help: """
      Dispatches subsequences of the actions up to here in fresh stores, until one is found after which EXPR \
      holds and from which no single action can be left out. Follow-ups, the actions that a step asks for, stay \
      with that step. The result becomes a fork: save and test write it to a file.

      The result never ends in a rejected action, unless all of the actions do or EXPR reads $.rejected. \
      If you interrupt it, it gives the best result so far. If EXPR does not hold after all of the actions, a \
      batch exits with 1.
      """,
    examples: ["shrink length(todos.items) > 3", "shrink $.rejected.reason == 'invalid'"],
    arguments: .expression, completions: [.path]
  ) { arguments, console in
    // Without an app, nothing else about the command matters.
    _ = try console.session.app()
    return Reply(try console.session.shrink(to: try arguments.expression())) { result, text in
      let actions = result.actionCount.counted("action")
      guard let fork = result.fork else {
        return try text.line("the expression is still false after the \(actions) up to here")
      }
      let numbers =
        result.kept.isEmpty ? "" : ": \(result.kept.map(String.init).joined(separator: ", "))"
      try text.line(
        "\(result.kept.count) of \(actions) left after \(result.runs.counted("run"))\(numbers)",
        .heading)
      let isMinimal = result.isMinimal == nil
      try text.line("fork \(fork) has only these\(isMinimal ? "; none can be left out" : "")")
      if let rejected = result.rejected {
        try text.line(
          "the last one is rejected there: \(rejected.reason): \(rejected.message)", .dim)
      }
    }
  }
}

import FluxLog

extension Command {
  static let until = Command(
    "until", aliases: ["u"], group: .move, synopsis: "until [-r] EXPR",
    summary: "Go to the next step at which EXPR is true",
    help: """
      EXPR is a logical expression of RFC 9535. Its paths may begin with the name of a store. There are two more \
      functions: changed(PATH) is true if the step changed the value, and was(PATH) is the value before the step. \
      If no step matches, the position does not change and a batch exits with 1.
      """,
    examples: ["until length(todos.items) > 3", "until -r changed(todos.items[0].done)"],
    options: [CommandOption("-r", "Go to the previous such step")], arguments: .expression,
    completions: [.path]
  ) { arguments, console in
    let direction = arguments.has("-r") ? SearchDirection.backwards : .forwards
    return .move(try console.session.move(until: try arguments.expression(), direction))
  }

  static let last = Command(
    "last", group: .move, synopsis: "last PATH",
    summary: "Go to the last step before here that changed a value",
    help: """
      Repeat it to go to the change before that one. No step wrote the initial value: if only that is left, the \
      position does not change and a batch exits with 1.
      """,
    examples: ["last todos.items[0].done"], arguments: .raw, completions: [.path]
  ) { arguments, console in
    .move(try console.session.move(toLastWriteOf: try arguments.path()))
  }

  static let first = Command(
    "first", group: .move, synopsis: "first PATH",
    summary: "Go to the first step that changed a value",
    help: """
      No step wrote the initial value. If no step of the log changed it, the position does not change and a \
      batch exits with 1.
      """,
    examples: ["first todos.items[0].done"], arguments: .raw, completions: [.path]
  ) { arguments, console in
    .move(try console.session.move(toFirstWriteOf: try arguments.path()))
  }

  static let bisect = Command(
    "bisect", group: .move, synopsis: "bisect EXPR",
    summary: "Find the step where an expression became true",
    help: """
      Binary search: twenty million steps take twenty-six probes. It finds the step only if the expression became \
      true once and stayed true. If the expression is false at the end of the log, the position does not change and \
      a batch exits with 1.
      """,
    examples: ["bisect length(todos.items) > 3"], arguments: .expression, completions: [.path]
  ) { arguments, console in
    Reply(try console.session.bisect(try arguments.expression())) { bisection, text in
      if let move = bisection.move {
        try text.move(move)
      } else {
        try text.line("the expression is false at the end of the log")
      }
      if !bisection.isMonotone {
        try text.line(
          "it is true at the start: bisect finds where it becomes true, not false", .error)
      }
    }
  }
}

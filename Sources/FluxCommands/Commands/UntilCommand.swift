import FluxInspector
import FluxLog

extension Command {
  static let until = Command(
    "until", aliases: ["u", "advance"], group: .move, synopsis: "until [-r] GLOB|EXPR|TEXT",
    summary: "Go to the next step that matches",
    help: """
      GLOB is the type of an action, and TEXT a part of its type or payload, as for find. EXPR is a logical \
      expression of RFC 9535 whose paths may begin with the name of a store. There are two more functions: \
      changed(PATH) is true if the step changed the value, and was(PATH) is the value before the step. \
      If no step matches, the position does not change and a batch exits with 1.
      """,
    examples: [
      "until length(todos.items) > 3", "until -r changed(todos.items[0].done)", "until todo/*",
    ],
    options: [CommandOption("-r", "Search backwards")], arguments: .expression,
    completions: [.filter, .path]
  ) { arguments, console in
    let direction = arguments.has("-r") ? SearchDirection.backwards : .forwards
    let filter = try arguments.condition(in: console.session)
    return .move(try console.session.move(toNearest: filter, direction))
  }

  static let last = Command(
    "last", group: .move, synopsis: "last VALUE",
    summary: "Go to the last step before here that changed a value",
    help: """
      VALUE is a path, a function call or an expression, as for watch. Repeat the command to go to the change before \
      that one. No step wrote the initial value: if only that is left, the position does not change and a batch exits with 1.
      """,
    examples: ["last todos.items[0].done", "last length(todos.items)"], arguments: .expression,
    completions: [.path]
  ) { arguments, console in
    .move(try console.session.move(toLastChangeOf: try arguments.query()))
  }

  static let first = Command(
    "first", group: .move, synopsis: "first VALUE",
    summary: "Go to the first step that changed a value",
    help: """
      VALUE is a path, a function call or an expression, as for watch. No step wrote the initial value. If no step of the log changed it, the position does not change and a \
      batch exits with 1.
      """,
    examples: ["first todos.items[0].done", "first cart.total > 2000"], arguments: .expression,
    completions: [.path]
  ) { arguments, console in
    .move(try console.session.move(toFirstChangeOf: try arguments.query()))
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

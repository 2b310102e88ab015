import FluxInspector
import FluxLog
import FluxSystem

extension Command {
  static let shrink = Command(
    "shrink", group: .replay, synopsis: "shrink EXPR",
    summary: "Find a minimal set of actions that makes EXPR true",
    help: """
      Replays fewer and fewer of the actions up to here in fresh stores. If the position is start, it begins \
      with the actions up to the first step at which EXPR is true. If the app went back to another model on the way, only \
      the actions since then count. It ends when EXPR is true after the \
      remaining actions, and none of those can be left out. Follow-ups, the actions that a step asks for, stay \
      with that step. The result becomes a fork: save and test write it to a file. On a fork, here is the position at \
      which the session left the recording, so that you can shrink again.

      EXPR is evaluated after the last action and after each of its follow-ups, so changed(PATH), was(PATH), \
      $.before and $.action work.

      The result does not end in a rejected action, unless the full list of actions does or EXPR reads $.rejected. \
      If you interrupt it, it keeps the best result so far. If EXPR is false after all of the actions, a batch \
      exits with 1.
      """,
    examples: ["shrink length(todos.items) > 3", "shrink $.rejected.reason == 'invalid'"],
    arguments: .expression, completions: [.path]
  ) { arguments, console in
    // Without an app, nothing else about the command matters.
    _ = try console.session.app()
    let expression = try arguments.expression()
    let result = try arguments.checking { try console.session.shrink(to: expression) }
    return Reply(result) { result, text in
      let actions = result.actionCount.counted("action")
      guard let fork = result.fork else { return try text.failure(of: result) }
      if let through = result.through, !result.kept.isEmpty {
        try text.line("the expression is first true at step \(through)")
      }
      let numbers =
        result.kept.isEmpty ? "" : ": \(result.kept.map(String.init).joined(separator: ", "))"
      try text.line(
        "\(result.kept.count) of \(actions) left after \(result.runs.counted("run"))\(numbers)",
        .heading)
      let isMinimal = result.isMinimal == nil
      if result.kept.isEmpty {
        try text.line("the expression is true at the start of fork \(fork), so no action is needed")
      } else {
        try text.line(
          "fork \(fork) contains only these\(isMinimal ? "; none can be left out" : "")")
      }
      if let sentence = result.truth?.sentence { try text.line(sentence, .dim) }
      if let rejected = result.rejected {
        try text.line(
          "the last one is rejected there: \(rejected.reason): \(rejected.message)", .dim)
      }
    }
  }
}

extension TextOutput {
  /// Writes why there is nothing to shrink, and what to do.
  fileprivate mutating func failure(of result: Shrunk) throws {
    let actions = result.actionCount.counted("action")
    switch result.reason {
    case .neverTrue: try line("the expression is not true at any step of the log")
    case .notAgain:
      try line(
        "the expression is true at step \(result.through ?? 0), and false after its \(actions) are dispatched again"
      )
      try line("'verify' shows where the app no longer behaves as recorded", .dim)
    case .falseHere, nil:
      try line("the expression is still false after the \(actions) up to here")
      try line("at the start, shrink begins with the first step at which it is true", .dim)
    }
  }
}

extension Shrunk.Truth {
  /// The step, if the last action has follow-ups, so that it is not clear.
  fileprivate var sentence: String? {
    guard let type else { return nil }
    if let cause { return "it is true at step \(step), \(type), a follow-up of step \(cause)" }
    guard isBeforeFollowUps == true else { return nil }
    return "it is true at step \(step), \(type), before its follow-ups"
  }
}

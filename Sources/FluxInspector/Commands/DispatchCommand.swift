/// The command `dispatch JSON`.
struct DispatchCommand: Command {
  let description = CommandDescription(
    "dispatch", group: .replay, synopsis: "dispatch [--to STORE] JSON",
    summary: "Dispatch an action on the fork",
    help: """
      JSON is an action as logs have it: an object with a type, and usually a payload. It is dispatched on the \
      current fork, or on a new fork that starts here. The answer shows the steps that it made, those of its \
      follow-ups (actions that reducers ask for) among them, and what they changed.

      An action that the app cannot decode is an error, and changes nothing.
      """,
    examples: [
      #"dispatch {"type":"todo/add","payload":{"title":"milk"}}"#,
      #"dispatch --to search {"type":"search/open"}"#,
    ],
    options: [
      CommandOption("--to", value: "STORE", "Address it to this store alone", completion: .store)
    ],
    arguments: .raw)

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let action = try arguments.action(arguments.text)
    let result = try console.session.dispatch(action, to: arguments.value(of: "--to"))
    return Reply(result) { result, text in
      try text.line("fork \(result.fork)", .heading)
      for step in result.steps { try text.step(step) }
      for change in result.changes { try text.change(change) }
    }
  }
}

extension TextOutput {
  /// Writes a step of a fork: `5 todo/toggle {"id":2} +3s  todos  repeats 6`.
  mutating func step(_ step: ForkStepSummary) throws {
    action(step.number, step.type, step.payload)
    write(" +\(step.t)s", .dim)
    outcome(changed: step.changed, step.rejected)
    if let cause = step.cause { write("  caused by \(cause)", .dim) }
    if let repeats = step.repeats, repeats != step.number { write("  repeats \(repeats)", .dim) }
    if let effects = step.effects {
      write("  effects that do not run: \(effects.joined(separator: ", "))", .dim)
    }
    try endLine()
  }
}

import FluxInspector

extension Command {
  static let rules = Command(
    "rules", group: .look, synopsis: "rules FILE",
    summary: "Check the log against a rules file",
    help: """
      The file contains one rule per line, such as 'rule total: always cart.total >= 0'. Each rule holds, is \
      violated, is open because the log was not closed, is unknown because steps or states are missing, or was \
      never triggered. A batch exits with 1 if a rule is violated.

      The position does not change. 'catch rule NAME' stops at the step that violates a rule.
      """,
    examples: ["rules shop.rules"], arguments: .words(1), completions: [.file]
  ) { arguments, console in
    let file = try arguments.word("a file of rules")
    return Reply(try console.session.checkRules(in: file)) { result, text in
      for (place, line) in result.text.enumerated() {
        try text.line(line, place == 0 ? .heading : .plain)
      }
    }
  }
}

import FluxJSON
import FluxLog

/// The command `action`.
struct ActionCommand: Command {
  let description = CommandDescription(
    "action", aliases: ["a"], group: .look,
    summary: "Show the action of this step and its origin",
    help: """
      The cause of a step is the earlier step that led to it: by a follow-up, an observer or an effect. A \
      follow-up is an action that a reducer asks for. If the recorder was asked to record source lines, the line \
      of the app that dispatched the action is shown too. On a fork, this is the newest action there.
      """)

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    Reply(try console.session.action()) { report, text in
      try text.line(report.action["type"]?.string ?? "", .action)
      if let payload = report.action["payload"] { try text.value(payload) }
      let origins = [
        ("target", report.target), ("cause", report.cause.map { "step \($0)" }),
        ("effect", report.effect), ("at", report.source),
      ]
      for case (let label, let origin?) in origins {
        text.write("\(label): ", .dim)
        try text.line(origin)
      }
    }
  }
}

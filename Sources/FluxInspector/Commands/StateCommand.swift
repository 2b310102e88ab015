/// The command `state [STORE]`.
struct StateCommand: Command {
  let description = CommandDescription(
    "state", aliases: ["st"], group: .look, synopsis: "state [STORE]",
    summary: "Show the state of one store, or of all",
    help: """
      This is the state after the step here; on a fork, after its newest step. The text is one JSON value, so \
      you can pipe it: state | jq .todos
      """,
    examples: ["state", "state todos", "state > state.json"], arguments: .words(1),
    completions: [.store])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let session = console.session
    let state = try arguments.words.first.map { try session.state(of: $0) } ?? session.model()
    return Reply(state) { try $1.value($0.value) }
  }
}

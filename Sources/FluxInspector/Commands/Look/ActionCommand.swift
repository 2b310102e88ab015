import FluxLog

/// The command `action`.
struct ActionCommand: Command {
  let name = "action"
  let aliases = ["a"]
  let group = CommandGroup.look
  let synopsis = "action"
  let summary = "show the action of this step, and where it came from"
  let help = """
    Its cause is the earlier step that led to it: by a follow-up, an observer or an effect. Where \
    the recorder was asked to note it, the line of the app that dispatched it is shown. On a fork it is the \
    newest action there.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    if let branch = session.branches.current {
      return ActionAnswer(step: try session.newestStep(of: branch))
    }
    guard session.position >= 0 else {
      throw CommandError(
        .badPosition, "there is no action before the first step", hint: "'step' goes to it")
    }
    return ActionAnswer(step: try session.timeline.step(at: session.position))
  }
}

import FluxLog
import FluxReplay

/// The command `shrink EXPR`.
struct ShrinkCommand: Command {
  let name = "shrink"
  let group = CommandGroup.replay
  let synopsis = "shrink EXPR"
  let summary = "find the few actions that lead to something"
  let help = """
    Subsequences of the actions up to here are dispatched in fresh stores, until one is found after \
    which EXPR holds, and of which no single action can be left out. Follow-ups go with the step that \
    asks for them. A fork is made of what is left: save and test write it down.

    Interrupted, it gives the best so far. Where EXPR does not hold after all of the actions, a batch \
    exits with 1.
    """
  let examples = ["shrink length(todos.items) > 3", "shrink $.rejected.reason == 'invalid'"]
  let arguments = ArgumentStyle.expression
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let app = try session.app()
    let expression = try arguments.expression(arguments.text)
    let here = try session.stepHere()
    let shrinker = Shrinker(
      0..<here + 1, of: session.timeline, in: app, timeout: session.replayTimeout)
    let services = session.services
    var runs = 0
    var longest = 0
    let result = try shrinker.run(
      goesOn: { count, shortest in
        (runs, longest) = (count, max(longest, shortest))
        services.progress(
          Progress(activity: "shrinking", done: longest - shortest, total: longest))
        return !services.isInterrupted()
      },
      holds: { try expression.holds(for: $0.document) })
    guard let result else {
      return ShrinkAnswer(kept: [], actions: longest, runs: runs + 1, fork: nil)
    }
    if !result.isMinimal { session.notes.append("interrupted: this is the best so far") }
    let branch = session.branches.add(result.branch)
    return ShrinkAnswer(
      kept: result.kept, actions: result.actions, runs: result.runs, isMinimal: result.isMinimal,
      fork: branch.number)
  }
}

import FluxReplay

/// The command `compare [N]`.
struct CompareCommand: Command {
  let name = "compare"
  let group = CommandGroup.replay
  let synopsis = "compare [N]"
  let summary = "compare a branch with the recording"
  let help = """
    Shown are the first step of fork N, or of the one here, that comes to other states than the \
    recorded step which it repeats, and what differs at the end. On a fork that repeats none, steps \
    of the same number are compared. Where anything differs, a batch exits with 1.
    """
  let examples = ["compare", "compare 1"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.fork]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let branch = try session.branch(try arguments.branchNumber())
    try session.waitForIndex()
    return BranchComparisonAnswer(
      fork: branch.number, comparison: try branch.use { try $0.compare() })
  }
}

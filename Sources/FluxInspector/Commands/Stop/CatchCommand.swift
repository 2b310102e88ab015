import FluxLog

/// The command `catch rejected|gap`.
struct CatchCommand: Command {
  let name = "catch"
  let group = CommandGroup.stop
  let synopsis = "catch rejected|gap"
  let summary = "stop at rejected steps, or where steps are missing"
  let help = """
    catch rejected stops at steps whose transaction did not commit, catch gap at the first step \
    after lines that are missing or damaged.
    """
  let examples = ["catch rejected", "catch gap"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.words(["rejected", "gap"])]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let kinds: [String: StopPoint.Kind] = ["rejected": .rejection, "gap": .gap]
    let word = arguments.words.first ?? ""
    guard let kind = kinds[word] else {
      guard word == "divergence" else { throw arguments.usage("expected rejected or gap") }
      throw arguments.usage(
        "a divergence is found by dispatching the actions again: verify does that")
    }
    return StopPointAnswer(point: session.stops.add(kind))
  }
}

import FluxLog

/// The command `catch rejected|gap|divergence`.
struct CatchCommand: Command {
  let name = "catch"
  let group = CommandGroup.stop
  let synopsis = "catch rejected|gap|divergence"
  let summary = "stop at rejections, gaps, or where a replay differs"
  let help = """
    catch rejected stops at steps whose transaction did not commit, catch gap at the first step \
    after lines that are missing or damaged.

    catch divergence stops at steps whose replay differs from the record, and says how. It takes the \
    app: the first move that could stop there replays the whole log, and goes on after a difference; \
    what follows from one that was told is not told again. A step at which the app fails is the last \
    one that it can stop at.
    """
  let examples = ["catch rejected", "catch gap", "catch divergence"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.words(["rejected", "gap", "divergence"])]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let kinds: [String: StopPoint.Kind] = [
      "rejected": .rejection, "gap": .gap, "divergence": .divergence,
    ]
    guard let kind = kinds[arguments.words.first ?? ""] else {
      throw arguments.usage("expected rejected, gap or divergence")
    }
    if case .divergence = kind {
      // Without an app, no move could ever stop there.
      _ = try session.app()
      // Whoever asks again has another build of the app.
      session.replayed = nil
    }
    return StopPointAnswer(point: session.stops.add(kind))
  }
}

/// The command `catch rejected|gap|divergence`.
struct CatchCommand: Command {
  let description = CommandDescription(
    "catch", group: .stop, synopsis: "catch rejected|gap|divergence",
    summary: "Stop at rejections, gaps or divergences",
    help: """
      catch rejected stops at steps that did not commit. catch gap stops at the first step after lines that are \
      missing or damaged.

      catch divergence stops at steps whose replay diverges from the recording, and shows the difference. It \
      needs the app. The first move that could stop there replays the whole log, also past divergences; what \
      only follows from an earlier divergence is not reported again. If the app fails at a step, that is the \
      last step to stop at.
      """,
    examples: ["catch rejected", "catch gap", "catch divergence"], arguments: .words(1),
    completions: [.words(["rejected", "gap", "divergence"])])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let kinds: [String: StopPoint.Kind] = [
      "rejected": .rejection, "gap": .gap, "divergence": .divergence,
    ]
    guard let kind = kinds[arguments.words.first ?? ""] else {
      throw arguments.usage("expected rejected, gap or divergence")
    }
    return .stopPoint(try console.session.addStopPoint(kind))
  }
}

import FluxReplay

/// The command `verify [RANGE]`.
struct VerifyCommand: Command {
  let name = "verify"
  let group = CommandGroup.replay
  let synopsis = "verify [RANGE]"
  let summary = "dispatch again in fresh stores, and compare"
  let help = """
    The actions of the log, or those of RANGE, are dispatched in fresh stores of the app, with the \
    numbers, times and random numbers that they had. Compared are how each step ended, the states \
    that it left, and the follow-ups that it asks for. The first step that differs ends it; a batch \
    exits with 1 then, and with 5 where nothing could be run.

    The session stays where it is: the report says where to go on.
    """
  let examples = ["verify", "verify 100..200"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.range]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let app = try session.app()
    var options = Verification.Options()
    options.timeout = session.replayTimeout
    if let word = arguments.words.first {
      options.range = try session.resolve(try arguments.range(word))
    }
    try session.waitForIndex()
    var report = try app.verify(
      session.timeline, options: options, progress: session.reporting("replaying"))
    report.inspector = session.services.invocation
    return VerificationAnswer(report: report)
  }
}

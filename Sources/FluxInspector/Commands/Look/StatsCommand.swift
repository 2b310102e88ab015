/// The command `stats`.
struct StatsCommand: Command {
  let name = "stats"
  let group = CommandGroup.look
  let synopsis = "stats"
  let summary = "count the steps by type, and measure the log"
  let help = """
    The duration is the time of the last step, in seconds since the log was created; the bytes are \
    those of the file.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    try session.waitForIndex()
    return try StatisticsAnswer(of: session.log)
  }
}

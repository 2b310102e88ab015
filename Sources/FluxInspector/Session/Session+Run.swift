import FluxLog

extension Session {
  /// Runs one command line.
  ///
  /// A line that is empty or begins with `#` does nothing.
  ///
  /// - Returns: What the command gives; nil for a line that does nothing.
  public mutating func run(_ line: String) -> CommandOutput? {
    let line = CommandLine.trimmed(line)
    guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
    notes = []
    ending = nil
    let outcome: Result<any Answer, CommandError>
    do {
      outcome = .success(try answer(to: line))
    } catch {
      outcome = .failure(CommandError(error, in: timeline))
    }
    return CommandOutput(
      command: line, position: stepNumber, outcome: outcome, notes: notes, ending: ending)
  }

  /// Repeats the last navigation, as an empty line does at a prompt; nil where there was none.
  public mutating func repeatNavigation() -> CommandOutput? {
    lastNavigation.flatMap { run($0) }
  }

  /// What a command gives whose answer could not be made to its end: answers are made while they are
  /// written.
  package func failure(of output: CommandOutput, because error: any Error) -> CommandOutput {
    CommandOutput(
      command: output.command, position: output.position,
      outcome: .failure(CommandError(error, in: timeline)), notes: output.notes,
      ending: output.ending)
  }

  private mutating func answer(to line: String) throws -> any Answer {
    let commandLine = try CommandLine(line, registry: registry, aliases: userAliases)
    let command = commandLine.command
    let answer = try command.run(commandLine.arguments, in: &self)
    if command.group == .move { leaveBranch() }
    // A pipe that fails does not take back a move.
    lastNavigation = command.isNavigation ? line : lastNavigation
    guard let redirection = commandLine.redirection else { return answer }
    return try redirect(answer, of: line, to: redirection)
  }

  // MARK: What commands use

  /// Shows people where a command passes before it ends.
  ///
  /// Programs get one document for each command, and so only its end.
  func emit(_ answer: MoveAnswer, of command: String) throws {
    guard settings.format == .text else { return }
    try services.emit(
      CommandOutput(command: command, position: answer.number, outcome: .success(answer)), settings)
  }

  /// Ends the command where it is interrupted.
  func checkInterruption() throws(CommandError) {
    if services.isInterrupted() { throw .cancelled }
  }

  /// The same for the engine, which calls it often; a closure that outlives the session's change.
  var check: @Sendable () throws -> Void {
    { [services] in if services.isInterrupted() { throw CommandError.cancelled } }
  }

  /// Tells how far a search is, and ends it where it is interrupted.
  func reporting(_ activity: String) -> @Sendable (_ done: Int, _ total: Int) throws -> Void {
    { [services] done, total in
      if services.isInterrupted() { throw CommandError.cancelled }
      services.progress(Progress(activity: activity, done: done, total: total))
    }
  }

  /// Waits until more than `count` steps are indexed, or all; returns whether there are more.
  @discardableResult
  func waitForIndex(beyond count: Int? = nil) throws -> Bool {
    try log.waitForIndex(beyond: count) {
      try checkInterruption()
      let progress = log.progress
      services.progress(
        Progress(activity: "indexing", done: progress.done, total: progress.total))
    }
  }

  /// Looks for something beyond a position, in what is indexed, and then in what follows.
  func searchAhead<Found>(
    from position: Int, _ search: (Range<Int>) throws -> Found?
  ) throws -> Found? {
    var from = position + 1
    while true {
      let count = log.count
      if from < count, let found = try search(from..<count) { return found }
      guard try waitForIndex(beyond: count) else { return nil }
      from = max(from, count)
    }
  }
}

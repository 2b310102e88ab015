import FluxLog

/// The command `where`.
struct WhereCommand: Command {
  let name = "where"
  let aliases = ["bt"]
  let group = CommandGroup.look
  let synopsis = "where"
  let summary = "show the chain of causes of this step"
  let help = """
    A step's cause is the earlier step that led to it: by a follow-up, an observer or an effect. \
    The root is what the app or its user dispatched. A cause that is not in the log ends the chain.
    """
  let arguments = ArgumentStyle.words(0)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    var chain = [try session.stepHere()]
    var missingCause: UInt64?
    while let last = chain.last, let cause = try session.log.step(at: last).cause {
      try session.checkInterruption()
      guard let position = session.log.position(atOrBefore: cause), position < last,
        session.log.number(at: position) == cause
      else {
        missingCause = cause
        break
      }
      chain.append(position)
    }
    return ChainAnswer(session: session, chain: chain, missingCause: missingCause)
  }
}

extension Session {
  /// The position, where it is that of a step.
  func stepHere() throws(CommandError) -> Int {
    guard position >= 0 else {
      throw CommandError(
        .badPosition, "there is no step here: this is the state before the first",
        hint: "'step' goes to it")
    }
    return position
  }
}

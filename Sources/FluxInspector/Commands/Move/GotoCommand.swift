/// The command `goto POS`.
struct GotoCommand: Command {
  let name = "goto"
  let aliases = ["g"]
  let group = CommandGroup.move
  let synopsis = "goto POS"
  let summary = "go to a position"
  let help = """
    POS is a step's number (42), so many steps from here (+5, -5), a part of the recorded steps \
    (50%), start or end, the last step at or before a time in seconds (@12.5) or on the clock of the \
    recording (@12:03:04), the third action that matches (todo/add#3), or a bookmark ($name).

    A relative move is cut off at the ends of the log; a position outside of the log is an error.
    """
  let examples = ["goto 42", "goto -5", "goto 50%", "goto @12.5", "goto todo/add#3"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.position]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let word = arguments.words.first else {
      throw arguments.usage("a position is missing", hint: PositionText.forms)
    }
    let resolved = try session.resolve(try arguments.position(word))
    if let note = resolved.note { session.notes.append(note) }
    return try session.move(to: resolved.position, stopped: resolved.clamped ?? .goto)
  }
}

/// The command `fork [POS]`.
struct ForkCommand: Command {
  let name = "fork"
  let group = CommandGroup.replay
  let synopsis = "fork [POS]"
  let summary = "begin a branch here, in fresh stores"
  let help = """
    Fresh stores of the app take on the states here, or at POS; what is dispatched from then on goes \
    to them, and the recording is never changed. Follow-ups run, effects do not.

    On a fork, state, print, action and diff without a position show its newest step. All other \
    commands look at the recording; a move goes back there, and 'switch N' to the fork again.
    """
  let examples = ["fork", "fork -1", "fork todo/add#3"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.position]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    var position = session.position
    if let word = arguments.words.first {
      let resolved = try session.resolve(try arguments.position(word))
      if let note = resolved.note { session.notes.append(note) }
      position = resolved.position
    }
    return ForkAnswer(try session.fork(at: position), in: session)
  }
}

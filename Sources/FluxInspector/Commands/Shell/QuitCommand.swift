/// The command `quit [CODE]`.
struct QuitCommand: Command {
  let name = "quit"
  let aliases = ["q"]
  let group = CommandGroup.shell
  let synopsis = "quit [CODE]"
  let summary = "end the session"
  let help = "CODE, from 0 to 255, is what the program exits with; 0 where none is given."
  let examples = ["quit", "quit 1"]
  let arguments = ArgumentStyle.words(1)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let word = arguments.words.first ?? "0"
    guard let code = UInt8(word) else {
      throw arguments.usage("expected a code from 0 to 255, found \(word)")
    }
    session.ending = Int32(code)
    return EmptyAnswer()
  }
}

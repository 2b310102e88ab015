/// The command `quit [CODE]`.
struct QuitCommand: Command {
  let name = "quit"
  let aliases = ["q"]
  let group = CommandGroup.shell
  let synopsis = "quit [CODE]"
  let summary = "end the session"
  let help =
    "CODE, from 0 to 255, is what the program exits with. Without it, that is the code of the first command that failed."
  let examples = ["quit", "quit 1"]
  let arguments = ArgumentStyle.words(1)

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let word = arguments.words.first else {
      session.ending = .plain
      return EmptyAnswer()
    }
    guard let code = UInt8(word) else {
      throw arguments.usage("expected a code from 0 to 255, found \(word)")
    }
    session.ending = .code(Int32(code))
    return EmptyAnswer()
  }
}

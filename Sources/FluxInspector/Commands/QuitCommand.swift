/// The command `quit [CODE]`.
struct QuitCommand: Command {
  let description = CommandDescription(
    "quit", aliases: ["q"], group: .shell, synopsis: "quit [CODE]", summary: "End the session",
    help: """
      CODE, from 0 to 255, is the exit code of the program. Without it, that is the code of the first command \
      that failed.
      """,
    examples: ["quit", "quit 1"], arguments: .words(1))

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    let reply = Reply(Done()) { _, _ in }
    guard let word = arguments.words.first else {
      console.ending = .plain
      return reply
    }
    guard let code = UInt8(word) else {
      throw arguments.usage("expected a code from 0 to 255, found \(word)")
    }
    console.ending = .code(Int32(code))
    return reply
  }
}

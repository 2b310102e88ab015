/// The command `undisplay N`.
struct UndisplayCommand: Command {
  let name = "undisplay"
  let group = CommandGroup.look
  let synopsis = "undisplay N"
  let summary = "show a path after moves no more"
  let help = "N is the number that 'display' gave it. The numbers of the others stay."
  let examples = ["undisplay 1"]
  let arguments = ArgumentStyle.words(1)
  let completions = [CompletionKind.display]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard let word = arguments.words.first else { throw arguments.usage("a number is missing") }
    guard let number = Int(word) else {
      throw arguments.usage("expected the number of a display, found \(word)")
    }
    guard let place = session.displays.firstIndex(where: { $0.number == number }) else {
      throw CommandError(.notFound, "no display \(number)", hint: "'display' lists them")
    }
    session.displays.remove(at: place)
    return EmptyAnswer()
  }
}

import FluxLog

/// The command `display PATH`.
struct DisplayCommand: Command {
  let name = "display"
  let group = CommandGroup.look
  let synopsis = "display [PATH]"
  let summary = "show a path now and after every move"
  let help = """
    The path need not select anything yet. Without a path, all displays are shown; 'undisplay' \
    takes one away.
    """
  let examples = ["display todos.items[0]", "display"]
  let arguments = ArgumentStyle.raw
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    guard !arguments.text.isEmpty else {
      let session = session
      return DisplaysAnswer(
        displays: try session.displays.map { try session.displayed($0, at: session.position) })
    }
    let path = try arguments.path(arguments.text)
    let display = Display(number: session.lastDisplayNumber + 1, path: path)
    let value = try session.displayed(display, at: session.position)
    if value.nodes.isEmpty, value.failure == nil, path.isSingular {
      session.notes.append(try session.missing(path).message)
    }
    session.displays.append(display)
    session.lastDisplayNumber = display.number
    return DisplayAnswer(display: value)
  }
}

import FluxLog

/// The command `blame PATH`.
struct BlameCommand: Command {
  let name = "blame"
  let group = CommandGroup.look
  let synopsis = "blame PATH [--all]"
  let summary = "show which step wrote this value"
  let help = """
    Steps up to here count. A step wrote a value where the value, or whether there is one, differs \
    from before the step. With --all, every earlier write follows, the newest first. The initial \
    value is an entry of its own.
    """
  let examples = ["blame todos.items[0].done", "blame search --all"]
  let options = [CommandOption("--all", "every write, the newest first")]
  let arguments = ArgumentStyle.raw
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let path = try arguments.statePath()
    try session.requireWrite(of: path, through: session.position, .backwards)
    return WritesAnswer(
      session: session, path: path, end: session.position, direction: .backwards,
      isOne: !arguments.has("--all"))
  }
}

extension CommandArguments {
  /// The argument as a path that reads nothing but the states after a step.
  func statePath() throws(CommandError) -> Path {
    let path = try path(text)
    guard path.footprint.places.allSatisfy({ $0.tokens.first == "state" }) else {
      throw usage(
        "\(path.text) is not a part of the state", hint: "a path begins with a store: todos.items")
    }
    return path
  }
}

extension Session {
  /// Makes sure that there is something to say of a path, as soon as it is found from that side.
  func requireWrite(of path: Path, through end: Int?, _ direction: SearchDirection) throws {
    var isWritten = false
    try timeline.forEachWrite(
      of: path, through: end, direction, check: check, progress: reporting("searching")
    ) { _ in
      isWritten = true
      return false
    }
    guard !isWritten, path.isSingular else { return }
    throw try missing(path)
  }
}

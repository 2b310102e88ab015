import FluxLog

/// The command `print PATH`.
struct PrintCommand: Command {
  let name = "print"
  let aliases = ["p"]
  let group = CommandGroup.look
  let synopsis = "print PATH"
  let summary = "show what a path selects"
  let help = """
    PATH is a JSONPath query (RFC 9535) that may begin with the name of a store, or a JSON \
    Pointer: todos.items[0].done, todos.items[?@.done == false], /todos/items/0/done. A path that \
    begins with $ is asked of the whole step: $.action.payload, $.before.todos.

    A path that can select one value is printed as that value, and is an error where there is \
    none; any other prints each value that it selects with its place. On a fork it is asked of the \
    newest step there.
    """
  let examples = ["print todos.items[0]", "print todos.items[*].title", "print $.action.payload"]
  let arguments = ArgumentStyle.raw
  let completions = [CompletionKind.path]

  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer {
    let path = try arguments.path(arguments.text)
    let check = session.check
    let nodes = try session.withDocumentHere { try path.nodes(in: $0, check: check) }
    if nodes.isEmpty, path.isSingular { throw try session.missing(path) }
    return NodesAnswer(nodes: nodes, isSingle: path.isSingular)
  }
}

extension Session {
  /// The error that says where a path leaves the document, and what was probably meant.
  func missing(_ path: Path) throws -> CommandError {
    let miss = try withDocumentHere { try path.miss(in: $0) }
    let meant = miss?.suggestion?.shorthand ?? miss.flatMap { stateMeant($0, path) }
    return CommandError(
      .noPath,
      "no path \(path.text) \(placeText)" + (meant.map { "; did you mean \($0)?" } ?? ""))
  }

  /// The path below the states, where one was asked of the step's document that begins with a store.
  private func stateMeant(_ miss: PathMiss, _ path: Path) -> String? {
    guard miss.reached.elements.isEmpty, log.storeNames.contains(miss.missing) else { return nil }
    return "$.state" + path.text.dropFirst()
  }
}

/// The command `print PATH`.
struct PrintCommand: Command {
  let description = CommandDescription(
    "print", aliases: ["p"], group: .look, synopsis: "print PATH",
    summary: "Show what a path selects",
    help: """
      PATH is a JSONPath query (RFC 9535) that may begin with the name of a store, or a JSON Pointer: \
      todos.items[0].done, todos.items[?@.done == false], /todos/items/0/done. A path that begins with $ starts \
      at the whole step: $.action.payload, $.before.todos.

      A path that can select only one value prints that value; it is an error if there is none. Any other path \
      prints each value that it selects with its place. On a fork, the path starts at the newest step there.
      """,
    examples: ["print todos.items[0]", "print todos.items[*].title", "print $.action.payload"],
    arguments: .raw, completions: [.path])

  func run(_ arguments: CommandArguments, in console: inout Console) throws -> Reply {
    Reply(try console.session.values(at: try arguments.path())) { selection, text in
      if selection.isSingular, let only = selection.values.first {
        return try text.value(only.value)
      }
      for value in selection.values { try text.selected(value) }
      if selection.values.isEmpty { try text.line("nothing is selected", .dim) }
    }
  }
}

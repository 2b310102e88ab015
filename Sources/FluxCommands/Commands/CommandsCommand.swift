import FluxInspector

extension Command {
  static let commands = Command(
    "commands", group: .stop, synopsis: "commands [-d] N [CMD]",
    summary: "Run a command whenever a stop point is reached",
    help: """
      N is the number of a stop point, or last for the newest one. Each line adds one command. When a move \
      stops there, its commands run in order, and each shows its output. A command that moves ends the list: \
      with continue as the last one, a stop point reports, and the search continues. The first command that \
      fails ends the list as well.

      Without CMD, the commands of the stop point are listed. 'delete' removes them with the stop point.
      """,
    examples: [
      "commands 1 print todos.items", "commands last continue", "commands 1", "commands -d 1",
    ],
    options: [CommandOption("-d", "Delete the commands of the stop point")], arguments: .line,
    completions: [.stopPoint, .command], needsTerminal: true
  ) { arguments, console in
    let (isDeletion, word, line) = try arguments.deletable()
    guard !word.isEmpty else {
      throw arguments.usage(
        "the number of a stop point is missing", hint: "'breakpoints' lists them")
    }
    let number = try arguments.stopPoint(word, in: console.session)
    if isDeletion {
      return reply(try console.session.setCommands([], ofStopPoint: number))
    }
    let commands = try console.session.commands(ofStopPoint: number)
    guard !line.isEmpty else { return reply(StopCommands(number: number, commands: commands)) }
    // A mistake in it is told now, and not when a move stops there.
    _ = try CommandLine(line, console.registry.table, aliases: console.userAliases)
    return reply(try console.session.setCommands(commands + [line], ofStopPoint: number))
  }

  private static func reply(_ result: StopCommands) -> Reply {
    Reply(result) { result, text in
      if result.commands.isEmpty {
        try text.line("stop point \(result.number) has no commands", .dim)
      }
      for command in result.commands {
        text.write("\(result.number) ", .count)
        try text.line(command)
      }
    }
  }
}

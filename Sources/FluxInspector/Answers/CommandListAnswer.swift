import FluxLog

/// Commands with a line each: `{"commands":[{"name","aliases","synopsis","summary"}]}`.
struct CommandListAnswer: Answer {
  let commands: [any Command]
  /// Whether each group has a heading.
  let isGrouped: Bool

  var exitCode: Int32 { commands.isEmpty ? 1 : 0 }

  func write(to json: inout JSONOutput) throws {
    json.writer.beginObject()
    json.writer.name("commands")
    json.writer.beginArray()
    for command in commands {
      json.writer.beginObject()
      json.writer.summary(of: command)
      json.writer.endObject()
    }
    json.writer.endArray()
    json.writer.endObject()
  }

  func write(to text: inout TextOutput) throws {
    if commands.isEmpty { try text.line("no command mentions it", .dim) }
    guard isGrouped else { return try write(commands, to: &text) }
    for group in CommandGroup.allCases {
      let members = commands.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      try text.line(group.title, .heading)
      try write(members, to: &text)
    }
  }

  private func write(_ commands: [any Command], to text: inout TextOutput) throws {
    let width = self.commands.map(\.label.count).max() ?? 0
    for command in commands {
      text.write("  \(command.label)", .action)
      try text.line(
        String(repeating: " ", count: width - command.label.count + 2) + command.summary)
    }
  }
}

extension Command {
  /// The name and the aliases, as a list has them: `step (s)`.
  fileprivate var label: String {
    aliases.isEmpty ? name : "\(name) (\(aliases.joined(separator: ", ")))"
  }
}

extension JSONWriter {
  /// Writes the members that say what a command is.
  mutating func summary(of command: any Command) {
    member("name", command.name)
    name("aliases")
    strings(command.aliases)
    member("synopsis", command.synopsis)
    member("summary", command.summary)
  }
}

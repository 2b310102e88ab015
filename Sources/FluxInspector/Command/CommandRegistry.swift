import FluxLog

/// The commands that there are, and how they are found.
package struct CommandRegistry: Sendable {
  /// All commands, in the order in which they are listed.
  package let commands: [any Command]

  /// Makes a registry; names and aliases must differ.
  package init(_ commands: [any Command]) {
    let names = commands.flatMap { [$0.name] + $0.aliases }
    precondition(Set(names).count == names.count, "two commands have the same name")
    self.commands = commands
  }

  /// The command of that name or alias; nil where there is none.
  func exactly(_ name: String) -> (any Command)? {
    commands.first { $0.name == name } ?? commands.first { $0.aliases.contains(name) }
  }

  /// Finds a command: by its name, by an alias, by the beginning of its name.
  ///
  /// - Throws: ``CommandError`` of code `usage` that lists the candidates of an ambiguous beginning,
  ///   or suggests what was probably meant.
  func command(named name: String) throws(CommandError) -> any Command {
    if let command = exactly(name) { return command }
    let candidates = name.isEmpty ? [] : commands.filter { $0.name.hasPrefix(name) }
    if candidates.count == 1 { return candidates[0] }
    if candidates.count > 1 {
      throw CommandError(
        .usage,
        "\(name) is ambiguous: \(candidates.map(\.name).sorted().joined(separator: ", "))",
        hint: "write more of the name")
    }
    let nearest = Spelling.nearest(to: name, among: commands.flatMap { [$0.name] + $0.aliases })
    throw CommandError(
      .usage, "no command \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""),
      hint: "'help' lists the commands")
  }
}

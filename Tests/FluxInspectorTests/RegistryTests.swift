import Testing

@testable import FluxCommands
@testable import FluxInspector

@Suite struct RegistryTests {
  private let commands = CommandRegistry.standard.table.commands

  @Test("Every command can be understood from its help")
  func help() {
    for command in commands {
      #expect(!command.summary.isEmpty && !command.summary.hasSuffix("."), "\(command.name)")
      #expect(command.help.hasSuffix(".") || command.help.contains(": "), "\(command.name)")
      #expect(command.synopsis.hasPrefix(command.name), "\(command.name)")
      #expect(command.summary.count <= 54 && command.synopsis.count <= 76, "\(command.name)")
      if command.arguments != .words(0) {
        #expect(!command.examples.isEmpty, "\(command.name) has arguments, and no example")
      }
      for option in command.shownOptions {
        #expect(command.synopsis.contains(option.name), "\(command.name) \(option.name)")
      }
    }
  }

  @Test("Every example is read as the command that it is an example of")
  func examples() throws {
    for command in commands {
      for example in command.examples {
        let line = try CommandLine(example, CommandRegistry.standard.table, aliases: [:])
        #expect(line.command.name == command.name, "\(example)")
      }
    }
  }

  @Test("Every name and alias leads to its command, whatever else begins with it")
  func names() throws {
    for command in commands {
      for name in [command.name] + command.aliases {
        #expect(try CommandRegistry.standard.table.command(named: name).name == command.name)
      }
    }
  }

  @Test("What needs a terminal, files or a shell says so, and is no command of a page")
  func terminal() {
    let names = commands.filter(\.needsTerminal).flatMap { [$0.name] + $0.aliases }
    #expect(
      names.sorted() == [
        "!", "alias", "browse", "commands", "exit", "export", "play", "q", "quit", "save",
        "save-session", "source", "test",
      ])
    let others = CommandRegistry.withoutTerminal.table.commands.flatMap { [$0.name] + $0.aliases }
    #expect(Set(others).isDisjoint(with: names))
    #expect(others.count + names.count == commands.reduce(0) { $0 + 1 + $1.aliases.count })
  }

  @Test(
    "A word of another tool is answered with a command that is there, on a page, too",
    arguments: ["attach", "vimdiff", "cd", "load", "testgen", "commit", "bye"])
  func foreignWords(_ word: String) {
    func hint(_ registry: CommandRegistry) -> String? {
      let error = #expect(throws: CommandError.self) { try registry.table.command(named: word) }
      return error?.advice
    }
    #expect(hint(.standard)?.hasPrefix("here that is: ") == true)
    #expect(hint(.withoutTerminal) == "'help' lists the commands")
  }

  @Test("A move is repeated by an empty line, and only a move")
  func navigation() {
    for command in commands where command.isNavigation {
      #expect(command.group == .move || command.name == "list", "\(command.name)")
    }
  }
}

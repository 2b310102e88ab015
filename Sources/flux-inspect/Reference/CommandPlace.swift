import ArgumentParser
import FluxCommands
import FluxInspector
import FluxReplay
import FluxSubcommands
import Foundation

/// A session command that stands where the program expects a subcommand, a log or an option, or whose arguments do, or a
/// subcommand behind its log, and the line that was meant.
struct CommandPlace {
  /// The mistake, and the line to write instead.
  let description: String

  /// Judges the arguments of the program; nil if the first or the second is no misplaced command or subcommand.
  ///
  /// A file with the name of a command is a log.
  ///
  /// - Throws: `DecodingError` if the argument parser describes the program's options in another form than expected.
  init?(_ arguments: [String]) throws {
    let table = CommandRegistry.standard.table
    let subcommands = MainForm.subcommandNames
    func isCommand(_ word: String) -> Bool {
      table.exactly(word) != nil && !subcommands.contains(word) && word != "help"
        && !FileManager.default.fileExists(atPath: word)
    }
    var rest = arguments
    var log: String?
    if rest.first == "open" { rest.removeFirst() }
    if let first = rest.first, !isCommand(first), !first.hasPrefix("-"),
      FileManager.default.fileExists(atPath: first)
    {
      log = rest.removeFirst()
    }
    if log != nil, let line = Self.quoted(arguments, isCommand) {
      description =
        "-e takes one command, in quotes: \(CommandLine.invocation) \(line)"
      return
    }
    if let log, let name = rest.first, subcommands.contains(name), !Self.takeNoLog.contains(name),
      !FileManager.default.fileExists(atPath: name)
    {
      let others = Array(rest.dropFirst())
      // The file with the rules comes before the logs.
      let words = name == "rules" ? others + [log] : [log] + others
      let line = ([name] + words.map(\.shellWord)).joined(separator: " ")
      description =
        "the subcommand '\(name)' comes before the log: \(CommandLine.invocation) \(line)"
      return
    }
    guard let name = rest.first, isCommand(name) else { return nil }
    let command = table.exactly(name)
    // Options of the program, such as --app, and what comes after them.
    let programOptions = try ProgramReference().command.own.flatMap(\.words)
    let end =
      rest.firstIndex { word in
        let option = Self.option(of: word)
        return programOptions.contains { $0 == option }
          && command?.options.contains { $0.name == option } != true
      } ?? rest.endIndex
    var words = Array(rest[..<end])
    let options = rest[end...]
    if log == nil, let place = words.lastIndex(where: { Self.isLog($0) }) {
      log = words.remove(at: place)
    }
    let asksForHelp = words.dropFirst().contains { $0 == "--help" || $0 == "-h" }
    if asksForHelp {
      words = ["help", name]
    } else if words.count == 1, let argument = command?.requiredArgument {
      words.append(argument)
    }
    let needsApp =
      command?.group == .replay && !asksForHelp
      && !options.contains { Self.option(of: $0) == "--app" }
    let parts =
      [log?.shellPath ?? "LOG"] + (needsApp ? ["--app", "APP"] : []) + options.map(\.shellWord)
      + ["-e", words.joined(separator: " ").shellWord]
    let line = "\(CommandLine.invocation) \(parts.joined(separator: " "))"
    description = "'\(name)' is a command of a session; from a shell it is: \(line)"
  }

  /// The arguments with quotes around a command of -e that has none; nil if no such command is there.
  private static func quoted(_ arguments: [String], _ isCommand: (String) -> Bool) -> String? {
    for place in arguments.indices.dropLast(2) where arguments[place] == "-e" {
      guard isCommand(arguments[place + 1]) else { continue }
      let rest = arguments[(place + 2)...]
      let words = rest.prefix { !$0.hasPrefix("-") }
      guard !words.isEmpty else { continue }
      let command = ([arguments[place + 1]] + words).joined(separator: " ")
      return
        (arguments[...place].map(\.shellWord) + [command.shellWord]
        + rest.dropFirst(words.count).map(\.shellWord)).joined(separator: " ")
    }
    return nil
  }

  private static let takeNoLog: Set = ["attach", "dap", "trust"]

  /// The word up to the value that follows an option, as in `--app=todos`.
  private static func option(of word: String) -> Substring { word.prefix { $0 != "=" } }

  private static func isLog(_ word: String) -> Bool {
    word.contains(".") && FileManager.default.fileExists(atPath: word)
  }
}

extension CommandDescription {
  /// The first argument that the command cannot do without, as its synopsis names it; nil if there is none.
  fileprivate var requiredArgument: String? {
    let words = synopsis.split(separator: " ").dropFirst()
    let required = words.first { !($0.hasPrefix("[") && $0.hasSuffix("]")) }
    guard let required, !required.hasPrefix("[") else { return nil }
    return required.split(separator: "|").first.map(String.init)
  }
}

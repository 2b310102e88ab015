package import FluxInspector
import FluxJSON

/// A command as people see it: its names, its arguments, its help.
package struct CommandDescription: Sendable, Equatable {
  package let name: String
  package let aliases: [String]
  package let group: CommandGroup
  /// The form of a command line: `step [n]`.
  package let synopsis: String
  /// The effect, as an imperative line without a full stop.
  package let summary: String
  /// The details, as paragraphs separated by line ends.
  package let help: String
  package let examples: [String]
  /// The options, with former ones.
  package let options: [CommandOption]
  package let arguments: ArgumentStyle
  /// The kind of each argument, for completion; the last kind is that of all further ones.
  package let completions: [CompletionKind]
  /// `true` if it needs a terminal, files or a shell, which a page does not have.
  package let needsTerminal: Bool

  /// `true` if an empty line repeats the command.
  package var isNavigation: Bool { group == .move }

  /// The options that help and completion show.
  package var shownOptions: [CommandOption] { options.filter { !$0.isFormer } }

  var usageHint: String { "usage: \(synopsis)" }
}

/// The groups of commands, in the order of lists.
package enum CommandGroup: String, Sendable, CaseIterable {
  case move, stop, look, replay, app, out, shell

  package var title: String {
    switch self {
    case .move: "Moving through the log"
    case .stop: "Stopping"
    case .look: "Looking"
    case .replay: "Replaying"
    case .app: "Using a running app"
    case .out: "Writing for other tools"
    case .shell: "The session"
    }
  }
}

package enum ArgumentStyle: Sendable, Equatable {
  /// At most this number of words; blanks separate them, quotes keep them together.
  case words(Int)
  /// One text as it stands: a path, or JSON.
  case raw
  /// One text as it stands that may be an expression, so a `>` in it is no redirection.
  case expression
  /// The rest of the line as it stands, with `|` and `>`.
  case line
}

package struct CommandOption: Sendable, Equatable, Encodable {
  private enum CodingKeys: CodingKey { case name, value, summary }

  /// The option as it is written: `--all`, `-r`.
  package let name: String
  /// The placeholder of its value in the help; nil if it takes none.
  package let value: String?
  /// The effect, as one line without a full stop.
  package let summary: String
  package let completion: CompletionKind?
  /// `true` if its value is taken as it stands, with quotes, as JSON needs it.
  package let isRaw: Bool
  /// `true` if its value is an expression, which needs no quotes and goes to the next option or to the end of the line.
  package let isExpression: Bool
  /// `true` if it is accepted, and no help or completion has it: it says what is done anyway.
  package let isFormer: Bool

  init(
    _ name: String, value: String? = nil, _ summary: String, completion: CompletionKind? = nil,
    isRaw: Bool = false, isExpression: Bool = false, isFormer: Bool = false
  ) {
    (self.name, self.value, self.summary) = (name, value, summary)
    (self.completion, self.isRaw, self.isExpression) = (completion, isRaw, isExpression)
    self.isFormer = isFormer
  }

  package var text: String { value.map { "\(name) \($0)" } ?? name }

  static let force = CommandOption("--force", "Overwrite a file that exists")
}

/// The kind of an argument, for completing it.
package enum CompletionKind: Sendable, Equatable {
  /// A position: `start`, `end`, bookmarks, action types.
  case position
  case range
  case actionType
  case store
  /// A path into the state, or an expression with paths.
  case path
  /// A path, or a word of another kind in its place.
  indirect case pathOr(CompletionKind)
  case bookmark, display, stopPoint, fork, setting
  /// A value of the setting before it.
  case settingValue
  case command, file
  case words([String])

  /// The type of an action, or an expression with paths.
  static let filter = pathOr(.actionType)
}

/// The descriptions of all commands, and the way to find one.
package struct CommandTable: Sendable {
  package let commands: [CommandDescription]

  init(_ commands: [CommandDescription]) {
    let names = commands.flatMap { [$0.name] + $0.aliases }
    precondition(Set(names).count == names.count, "two commands have the same name")
    self.commands = commands
  }

  /// Returns the command with this name or alias; nil if there is none.
  package func exactly(_ name: String) -> CommandDescription? {
    commands.first { $0.name == name || $0.aliases.contains(name) }
  }

  /// Finds a command by its name, by an alias, or by the beginning of its name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - mayBePosition: `true` if a position can stand in its place, as at the beginning of a line.
  /// - Returns: The command.
  /// - Throws: `CommandError` of code `usage` that lists the candidates of an ambiguous beginning, or suggests
  ///   another command.
  package func command(
    named name: String, mayBePosition: Bool = false
  ) throws(CommandError) -> CommandDescription {
    if let command = exactly(name) { return command }
    guard !name.isEmpty else {
      throw CommandError(.usage, "a command is missing", hint: "'help' lists the commands")
    }
    let candidates = commands.filter { $0.name.hasPrefix(name) }
    if candidates.count == 1 { return candidates[0] }
    guard candidates.isEmpty else {
      throw CommandError(
        .usage,
        "\(name) is ambiguous: \(candidates.map(\.name).sorted().joined(separator: ", "))",
        hint: "write more of the name")
    }
    if let here = ForeignCommand.equivalent(of: name), begins(here) {
      throw CommandError(.usage, "no command \(name)", hint: "here that is: \(here)")
    }
    let question = Spelling.question(name, among: commands.flatMap { [$0.name] + $0.aliases })
    let isPosition =
      mayBePosition
      && (name.contains("#") || name.first.map { "+@0123456789".contains($0) } == true)
    throw CommandError(
      .usage, "no command \(name)\(question)",
      hint: isPosition ? Position.forms : "'help' lists the commands")
  }

  /// Returns `true` if a line begins with a command of this table; a page lacks some.
  private func begins(_ line: String) -> Bool {
    let name = line.hasPrefix("!") ? "!" : String(line.prefix { $0 != " " && $0 != "," })
    return exactly(name) != nil
  }
}

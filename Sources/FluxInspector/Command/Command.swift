/// One command of a session: what it is called, what it takes, what it does, and its help.
///
/// A command is a value without state, in a file of its own, with a line in the registry.
package protocol Command: Sendable {
  /// The whole name.
  var name: String { get }
  /// Other names, shorter ones mostly.
  var aliases: [String] { get }
  /// What kind of command it is.
  var group: CommandGroup { get }
  /// How it is written: `step [n]`.
  var synopsis: String { get }
  /// What it does, as one line without a full stop.
  var summary: String { get }
  /// The whole story, without the summary: paragraphs separated by empty lines.
  var help: String { get }
  /// Command lines that show it at work.
  var examples: [String] { get }
  /// The options that it takes.
  var options: [CommandOption] { get }
  /// What its arguments are.
  var arguments: ArgumentStyle { get }
  /// What completes each of its arguments; the last kind is that of all further ones.
  var completions: [CompletionKind] { get }
  /// Whether an empty line repeats it.
  var isNavigation: Bool { get }

  /// Does what the command does.
  ///
  /// - Throws: ``CommandError``, or what the engine throws.
  func run(_ arguments: CommandArguments, in session: inout Session) throws -> any Answer
}

extension Command {
  /// None.
  package var aliases: [String] { [] }
  /// None.
  package var examples: [String] { [] }
  /// None.
  package var options: [CommandOption] { [] }
  /// Nothing.
  package var completions: [CompletionKind] { [] }
  /// Moves are.
  package var isNavigation: Bool { group == .move }

  /// The hint of a usage error.
  var usageHint: String { "usage: \(synopsis)" }
}

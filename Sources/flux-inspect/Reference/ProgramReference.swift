import ArgumentParser
import FluxSubcommands
import Foundation

/// The program's commands and options, as the argument parser defines them.
///
/// Help, completions, the man page and the page of the documentation are all made of these definitions, so they cannot
/// disagree.
struct ProgramReference: Decodable {
  /// The program itself, with the arguments that open a log.
  let command: Command

  /// Reads the definitions of the program.
  ///
  /// - Throws: `DecodingError` if the argument parser describes them in another form than expected.
  init() throws {
    self = try JSONDecoder().decode(Self.self, from: Data(MainForm._dumpHelp().utf8))
  }

  /// Returns the text that arguments about the program itself ask for; `nil` for all other arguments.
  ///
  /// These are the requests that the parser would answer without the arguments of the main form.
  static func text(for arguments: [String]) throws -> String? {
    switch arguments {
    case ["--help"], ["-h"], ["help"]:
      MainForm.widenHelp()
      return MainForm.helpMessage()
    case ["--experimental-dump-help"]: return MainForm._dumpHelp()
    case ["--generate-manual"]: return try ManualPage(of: Self(), on: .now).text
    case ["--generate-completion-script"]:
      return try CompletionShell.autodetected().flatMap { try Self().completions(for: $0) }
    default: break
    }
    guard let shell = requestedShell(arguments) else { return nil }
    return try Self().completions(for: shell)
  }

  private static func requestedShell(_ arguments: [String]) -> CompletionShell? {
    let words = arguments.flatMap { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    guard words.count == 2, words[0] == "--generate-completion-script" else { return nil }
    return CompletionShell(rawValue: words[1])
  }

  private func completions(for shell: CompletionShell) -> String? {
    switch shell {
    case .bash: bashCompletions
    case .zsh: zshCompletions
    case .fish: fishCompletions
    default: nil
    }
  }

  var subcommands: [Command] { command.subcommands ?? [] }
  /// The subcommands that have a section on the pages: all but help.
  var documented: [Command] { subcommands.filter { $0.commandName != "help" } }

  /// The program or one of its subcommands.
  struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let arguments: [Argument]?
    let subcommands: [Command]?

    /// The discussion without the paragraph of exit codes, for pages that have a section about them.
    var explanation: String {
      (discussion ?? "").split(separator: "\n\n").filter { !$0.hasPrefix("Exit codes:") }
        .joined(separator: "\n\n")
    }

    /// The arguments that help shows.
    var shown: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }
    var options: [Argument] { shown.filter { $0.kind != .positional } }
    var positionals: [Argument] { shown.filter { $0.kind == .positional } }
    /// The options that the command cannot run without.
    var required: [Argument] { options.filter { $0.kind == .option && !$0.isOptional } }
    /// The arguments that only this command explains.
    var own: [Argument] {
      shown.filter { !$0.words.contains("--help") && !$0.words.contains("--version") }
    }
  }

  /// A positional argument, an option or a flag.
  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      let kind: String
      let name: String

      /// The name as it is typed.
      var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    /// The ways of completion that this program uses, in the parser's form.
    enum Completion: Decodable {
      case list(values: [String])
      case file(extensions: [String])
      case directory
    }

    let kind: Kind
    let names: [Name]?
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let completionKind: Completion?
    let abstract: String?

    /// The name or names as they are typed, `-h` before `--help`.
    var words: [String] { (names ?? []).map(\.text) }

    /// The summary in one line, without a final full stop.
    var summary: String {
      let text = abstract ?? ""
      return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// The way in which its value is completed; `nil` if that is free text.
    var completion: Completion? { completionKind ?? allValues.map { .list(values: $0) } }
  }
}

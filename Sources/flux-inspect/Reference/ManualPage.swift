import FluxSubcommands
import Foundation

/// The man page, in the man macros of roff.
struct ManualPage {
  private let reference: ProgramReference
  private let date: Date

  /// Makes a page with a date, which `SOURCE_DATE_EPOCH` overrides, for builds that repeat to the byte.
  init(of reference: ProgramReference, on date: Date) {
    self.reference = reference
    let epoch = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap { Double($0) }
    self.date = epoch.map { Date(timeIntervalSince1970: $0) } ?? date
  }

  var text: String {
    let program = reference.command
    let subcommands = reference.documented
    let lines =
      [
        #".TH FLUX\-INSPECT 1 "\#(day)" "flux\-inspect \#(ProgramVersion.number)" "User Commands""#,
        ".SH NAME",
      ]
      + filled("flux-inspect - \(lowercased(program.abstract ?? ""))") + [".SH SYNOPSIS"]
      + synopsis(program, of: "flux-inspect", isFirst: true)
      + subcommands.flatMap { synopsis($0, of: "flux-inspect \($0.commandName)") }
      + [".SH DESCRIPTION"]
      + paragraphs(program.explanation)
      + [".SH OPTIONS"] + program.shown.flatMap(entry)
      + [".SH SUBCOMMANDS"] + subcommands.flatMap(section)
      + [".SH EXIT STATUS"] + MainForm.exitCodes.flatMap { item("\($0.code)", $0.meaning) }
      + [".SH ENVIRONMENT"] + Self.environment.flatMap { item($0.name, $0.text) }
      + [".SH FILES"] + Self.files.flatMap { item($0.name, $0.text) }
      + [".SH EXAMPLES"] + Self.examples.flatMap(example)
      + [".SH SEE ALSO", ".BR jq (1)"]
    return lines.joined(separator: "\n")
  }

  private var day: String {
    date.formatted(.iso8601.year().month().day())
  }

  // MARK: Macros

  private func synopsis(
    _ command: ProgramReference.Command, of name: String, isFirst: Bool = false
  ) -> [String] {
    let positionals = command.positionals.map { argument in
      let dots = argument.isRepeating ? " ..." : ""
      return #"\fI\#(escaped(argument.valueName ?? ""))\fR\#(dots)"#
    }
    let required = command.required.map { option in
      #"\fB\#(escaped(option.words.first ?? ""))\fR \fI\#(escaped(option.valueName ?? ""))\fR"#
    }
    let words = [#"\fB\#(escaped(name))\fR"#] + positionals + required + [#"[\fIoptions\fR]"#]
    return (isFirst ? [] : [".br"]) + [words.joined(separator: " ")]
  }

  private func section(of command: ProgramReference.Command) -> [String] {
    [".SS \(escaped(command.commandName))"] + filled(sentence(command.abstract ?? ""))
      + (command.discussion.map { [".PP"] + paragraphs($0) } ?? [])
      + command.own.flatMap(entry)
  }

  private func entry(for argument: ProgramReference.Argument) -> [String] {
    let value = #"\fI\#(escaped(argument.valueName ?? ""))\fR"#
    let title: String
    switch argument.kind {
    case .positional: title = value
    case .flag: title = argument.words.map { bold($0) }.joined(separator: ", ")
    case .option: title = argument.words.map { bold($0) }.joined(separator: ", ") + " " + value
    }
    var text = sentence(argument.summary)
    if let values = argument.allValues, !values.isEmpty {
      text += " Values: \(values.joined(separator: ", "))."
    }
    if let value = argument.defaultValue { text += " Default: \(value)." }
    return [".TP", title] + filled(text)
  }

  private func item(_ title: String, _ text: String) -> [String] {
    [".TP", bold(title)] + filled(sentence(text.prefix(1).uppercased() + text.dropFirst()))
  }

  private func example(_ example: (text: String, command: String)) -> [String] {
    [".TP", escaped(example.text), ".EX", escaped(example.command), ".EE"]
  }

  private func paragraphs(_ text: String) -> [String] {
    Array(text.split(separator: "\n\n").map { filled(String($0)) }.joined(separator: [".PP"]))
  }

  /// The text in lines of at most 80 bytes where words allow it; roff fills them again.
  private func filled(_ text: String) -> [String] {
    var lines: [String] = []
    for word in escaped(text).split(separator: " ") {
      if let line = lines.last, line.utf8.count + word.utf8.count < 80 {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(word.hasPrefix(".") ? #"\&"# + word : String(word))
      }
    }
    return lines
  }

  private func bold(_ text: String) -> String { #"\fB\#(escaped(text))\fR"# }

  /// The text as roff shows it, letter by letter.
  private func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: #"\e"#).replacing("-", with: #"\-"#)
      .replacing("'", with: #"\(aq"#).replacing("\n", with: " ")
    return text.hasPrefix(".") ? #"\&"# + text : text
  }

  private func sentence(_ text: String) -> String {
    text.isEmpty || text.hasSuffix(".") ? text : text + "."
  }

  private func lowercased(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }

  // MARK: What the parser does not know

  private static let environment: [(name: String, text: String)] = [
    ("FLUX_APP", "the app that replays actions in sessions and on the page, if --app names none"),
    ("NO_COLOR", "turns colors off if it is not empty"),
    ("CLICOLOR_FORCE", "turns colors on, even in pipes and files, unless it is empty or 0"),
    ("CLICOLOR", "turns colors off if it is 0"),
    ("TERM", "the kind of terminal; the prompt has no keys if it is empty or dumb"),
    (
      "PAGER", "the program that pages long output; less if it is unset, none if it is empty or cat"
    ),
    ("HOME", "the home folder; nothing is kept or read there if it is empty or a relative path"),
    ("EDITRC", "the file with key bindings of the prompt, instead of ~/.editrc"),
    ("XDG_CONFIG_HOME", "the folder of configuration files, instead of ~/.config"),
    ("XDG_STATE_HOME", "the folder of the history and of trusted files, instead of ~/.local/state"),
    (
      "FLUX_MEMORY_LIMIT",
      "the megabytes that a result of a patch, the matches of a path or an answer of an app may take; 64 if it is unset. "
        + "A line of a log may have four times that, an unpacked log 64 times, and a script or a file of rules a sixteenth"
    ),
    ("CI", "if it is not empty, verify refuses --update, and review rewrites no log"),
    ("GITHUB_STEP_SUMMARY", "the file that verify --github appends its summary to"),
  ]

  private static let files: [(name: String, text: String)] = [
    (
      "~/.config/flux-inspect/init",
      "commands that run at the start of every session and batch; options override its settings"
    ),
    ("~/.local/state/flux-inspect/history", "the lines typed at the prompt"),
    (
      ProjectFile.name,
      "the app that replays actions, in this folder or one around it, once 'flux-inspect trust' has trusted the file"
    ),
    ("~/.local/state/flux-inspect/trusted", "which of these files are trusted"),
    ("~/.editrc", "key bindings of the prompt; see editrc(5)"),
  ]

  private static let examples: [(text: String, command: String)] = [
    ("Open a log at a prompt:", "flux-inspect todo.jsonl"),
    (
      "Find the step that last changed a value:",
      "flux-inspect todo.jsonl -g end -e 'blame todo[1].done'"
    ),
    (
      "Replay every recording in a folder in the current app:",
      "flux-inspect verify Recordings --app .build/debug/Todo --keep-going"
    ),
  ]
}

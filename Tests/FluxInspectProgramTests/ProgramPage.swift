@testable import flux_inspect

/// The page of the program's subcommands and options, in Markdown: `docs/command-line.md`.
struct ProgramPage {
  private let reference: ProgramReference

  init(of reference: ProgramReference) {
    self.reference = reference
  }

  var markdown: String {
    let program = reference.command
    let subcommands = reference.documented
    let rows = subcommands.map { command in
      "| [`\(command.commandName)`](#\(command.commandName)) | \(cell(command.abstract ?? "")) |"
    }
    let exits = MainForm.exitCodes.map { "| \($0.code) | \(cell($0.meaning)) |" }
    let sections =
      [
        [
          "# Command line",
          """
          This page is generated from the program's definitions; `flux-inspect --help` and `flux-inspect SUBCOMMAND --help` show the same text.
          [Commands](commands.md) lists what you can type at the prompt.
          """,
        ],
        [
          "## Subcommands",
          (["| subcommand | effect |", "|---|---|"] + rows).joined(separator: "\n"),
        ],
        [
          "## Exit codes",
          (["| code | meaning |", "|---|---|"] + exits).joined(separator: "\n"),
        ],
        ["## Open a log"] + section(program, named: "flux-inspect"),
      ]
      + subcommands.map { command in
        ["## `\(command.commandName)`"]
          + section(command, named: "flux-inspect \(command.commandName)")
      }
    return sections.flatMap(\.self).joined(separator: "\n\n") + "\n"
  }

  private func section(_ command: ProgramReference.Command, named name: String) -> [String] {
    var parts = ["```\n\(synopsis(command, named: name))\n```"]
    parts += ["\(command.abstract ?? "").", paragraphs(of: command.explanation)].filter {
      $0.count > 1
    }
    if !command.own.isEmpty {
      parts.append(
        (["| argument | effect |", "|---|---|"] + command.own.map(row)).joined(separator: "\n"))
    }
    return parts
  }

  private func synopsis(_ command: ProgramReference.Command, named name: String) -> String {
    let positionals = command.positionals.map { argument in
      let word = "\(argument.valueName ?? "")\(argument.isRepeating ? "..." : "")"
      return argument.isOptional ? "[\(word)]" : word
    }
    let required = command.required.map { "\($0.words.last ?? "") \($0.valueName ?? "")" }
    return ([name] + positionals + required + ["[options]"]).joined(separator: " ")
  }

  private func row(of argument: ProgramReference.Argument) -> String {
    let value = argument.valueName ?? ""
    let names =
      switch argument.kind {
      case .positional: "`\(value)`"
      case .flag: argument.words.map { "`\($0)`" }.joined(separator: ", ")
      case .option: argument.words.map { "`\($0) \(value)`" }.joined(separator: ", ")
      }
    var text = argument.summary
    if let values = argument.allValues, !values.isEmpty {
      text += ": \(values.map { "`\($0)`" }.joined(separator: ", "))"
    }
    if let value = argument.defaultValue { text += "; `\(value)` by default" }
    return "| \(names) | \(cell(text)) |"
  }

  /// The paragraphs of a help text; indented lines are examples.
  private func paragraphs(of text: String) -> String {
    text.split(separator: "\n\n").map { paragraph in
      paragraph.hasPrefix("  ") ? "```\n\(paragraph)\n```" : paragraph.description
    }.joined(separator: "\n\n")
  }

  private func cell(_ text: String) -> String {
    text.replacing("\n", with: " ").replacing("|", with: #"\|"#)
  }
}

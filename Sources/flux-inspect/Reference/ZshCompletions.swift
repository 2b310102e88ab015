extension ProgramReference {
  /// The completion script for zsh: a function that zsh loads from its `fpath`, or that `source` defines.
  var zshCompletions: String {
    let logs = command.positionals.first.map(action) ?? "_files"
    let cases = subcommands.map { command in
      """
              \(command.commandName))
                  shift words
                  (( CURRENT-- ))
                  _arguments -S \(specifications(of: command).joined(separator: " \\\n                    "))
                  return
                  ;;
      """
    }
    return """
      #compdef flux-inspect
      # Completions of flux-inspect for zsh, made by: flux-inspect --generate-completion-script zsh

      _flux-inspect_subcommands() {
          local -a subcommands
          subcommands=(
      \(subcommands.map { "        '\($0.commandName):\(quoted($0.abstract ?? ""))'" }
        .joined(separator: "\n"))
          )
          _describe -t subcommands subcommand subcommands
      }

      # A log, or as the first word a subcommand.
      _flux-inspect_log() {
          if (( CURRENT == 2 )); then
              _alternative 'logs:log:\(logs)' 'subcommands:subcommand:_flux-inspect_subcommands'
          else
              \(logs)
          fi
      }

      _flux-inspect() {
          if (( CURRENT > 2 )); then
              case $words[2] in
      \(cases.joined(separator: "\n"))
              esac
          fi
          _arguments -S \(specifications(of: command).joined(separator: " \\\n            "))
      }

      if [ "$funcstack[1]" = "_flux-inspect" ]; then
          _flux-inspect "$@"
      else
          compdef _flux-inspect flux-inspect
      fi
      """
  }

  /// The command's options and positional arguments, as `_arguments` takes them.
  private func specifications(of command: Command) -> [String] {
    if command.commandName == "help" { return ["'1:subcommand:_flux-inspect_subcommands'"] }
    let isMain = command.commandName == self.command.commandName
    return command.options.map(specification)
      + command.positionals.enumerated().map { index, argument in
        let place = argument.isRepeating ? "*" : "\(index + 1)"
        let action = isMain ? "_flux-inspect_log" : action(for: argument)
        return "'\(place):\(quoted(argument.valueName ?? "log")):\(action)'"
      }
  }

  private func specification(of option: Argument) -> String {
    let words = option.words
    let takesValue = option.kind == .option
    let signed = words.map { takesValue && $0.hasPrefix("--") ? "\($0)=" : $0 }
    var names = signed.joined(separator: ",")
    if words.count > 1 { names = "{\(names)}" }
    let prefix =
      option.isRepeating ? "'*'" : words.count > 1 ? "'(\(words.joined(separator: " ")))'" : ""
    let value =
      takesValue ? ":\(quoted(option.valueName ?? "value")):\(action(for: option))" : ""
    return "\(prefix)\(names)'[\(quoted(option.summary))]\(value)'"
  }

  private func action(for argument: Argument) -> String {
    switch argument.completion {
    case .list(let values): "(\(values.joined(separator: " ")))"
    case .file(let extensions) where extensions.isEmpty: "_files"
    case .file(let extensions):
      "_files -g \"\(extensions.map { "*.\($0)" }.joined(separator: " "))\""
    case .directory: "_files -/"
    case nil: " "
    }
  }

  /// The text within single quotes, where `_arguments` gives brackets and colons a meaning.
  private func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "'\\''").replacing(":", with: "\\:")
      .replacing("[", with: "\\[").replacing("]", with: "\\]")
  }
}

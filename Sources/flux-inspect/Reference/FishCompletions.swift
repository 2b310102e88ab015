extension ProgramReference {
  /// The completion script for fish.
  var fishCompletions: String {
    let names = subcommands.map(\.commandName).joined(separator: " ")
    let commands =
      [lines(for: command, as: "main")]
      + subcommands.map { lines(for: $0, as: $0.commandName) }
    return """
      # Completions of flux-inspect for fish, made by: flux-inspect --generate-completion-script fish

      # True if the command line is of this subcommand; main stands for the program without one.
      function __flux_inspect_is
          set -l words (commandline -opc)
          set -l command main
          if set -q words[2]; and contains -- $words[2] \(names)
              set command $words[2]
          end
          test "$command" = "$argv[1]"
      end

      function __flux_inspect_is_first
          test (count (commandline -opc)) -eq 1
      end

      # Folders, and files that end with one of the extensions.
      function __flux_inspect_files
          set -l ends (string join '|' (string escape --style=regex -- $argv))
          __fish_complete_suffix $argv[1] | string match -r '^[^\\t]*(?:/|'$ends')(?:\\t.*)?$'
      end

      complete -c flux-inspect -f
      \(subcommands.map(subcommand).joined(separator: "\n"))
      \(commands.joined(separator: "\n"))
      """
  }

  private func subcommand(_ command: Command) -> String {
    let description = quoted(command.abstract ?? "")
    return
      "complete -c flux-inspect -n __flux_inspect_is_first -a \(command.commandName) -d \(description)"
  }

  private func lines(for command: Command, as name: String) -> String {
    let start = "complete -c flux-inspect -n '__flux_inspect_is \(name)'"
    if name == "help" {
      return "\(start) -a '\(subcommands.map(\.commandName).joined(separator: " "))'"
    }
    let options = command.options.map { option in
      let names = (option.names ?? []).map { $0.kind == "long" ? "-l \($0.name)" : "-s \($0.name)" }
      return
        "\(start) \(names.joined(separator: " "))\(value(of: option)) -d \(quoted(option.summary))"
    }
    var places: [String] = []
    for case let place? in command.positionals.map({ candidates(for: $0) })
    where !places.contains(place) {
      places.append(place)
    }
    return (places.map { "\(start) -k -a '\($0)'" } + options).joined(separator: "\n")
  }

  private func value(of option: Argument) -> String {
    guard option.kind == .option else { return "" }
    if case .file(let extensions) = option.completion, extensions.isEmpty { return " -r -F" }
    return " -x" + (candidates(for: option).map { " -k -a '\($0)'" } ?? "")
  }

  private func candidates(for argument: Argument) -> String? {
    switch argument.completion {
    case .list(let values): values.joined(separator: " ")
    case .file(let extensions) where !extensions.isEmpty:
      "(__flux_inspect_files \(extensions.map { ".\($0)" }.joined(separator: " ")))"
    case .directory: "(__fish_complete_directories)"
    case .file, nil: nil
    }
  }

  private func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}

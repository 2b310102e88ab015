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

      # Folders, and files that end with the extension.
      function __flux_inspect_files
          __fish_complete_suffix $argv[1] | string match -r '^[^\\t]*(?:/|\\Q'$argv[1]'\\E)(?:\\t.*)?$'
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
    return (["\(start) -k -a '(__flux_inspect_files .jsonl)'"] + options)
      .joined(separator: "\n")
  }

  private func value(of option: Argument) -> String {
    guard option.kind == .option else { return "" }
    return switch option.completion {
    case .list(let values): " -x -a '\(values.joined(separator: " "))'"
    case .file(let extensions) where extensions.isEmpty: " -r -F"
    case .file(let extensions):
      " -x -k -a '(\(extensions.map { "__flux_inspect_files .\($0)" }.joined(separator: "; ")))'"
    case .directory: " -x -a '(__fish_complete_directories)'"
    case nil: " -x"
    }
  }

  private func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}

extension ProgramReference {
  /// The completion script for bash, from version 3.2 on.
  var bashCompletions: String {
    let names = subcommands.map(\.commandName)
    return """
      # Completions of flux-inspect for bash, made by: flux-inspect --generate-completion-script bash

      # Adds the lines of standard input to the candidates.
      _flux_inspect_add() {
          local line
          while IFS='' read -r line; do COMPREPLY+=("$line"); done
      }

      # Adds folders, and files that end with one of the extensions: all files if there is none.
      _flux_inspect_files() {
          local extension
          if [ $# -eq 0 ]; then
              _flux_inspect_add < <(compgen -f -- "$cur")
              return
          fi
          _flux_inspect_add < <(compgen -d -- "$cur")
          for extension in "$@"; do
              _flux_inspect_add < <(compgen -f -X "!*.$extension" -- "$cur")
          done
      }

      _flux_inspect_words() {
          _flux_inspect_add < <(compgen -W "$*" -- "$cur")
      }

      _flux_inspect() {
          local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
          local command='' options='' valued='' word
          local -a places=()
          local -i index=1 limit=0 count=0
          COMPREPLY=()
          # bash splits --format=json at the sign.
          if [ "$cur" = '=' ]; then
              cur=''
          elif [ "$prev" = '=' ]; then
              prev=${COMP_WORDS[COMP_CWORD - 2]}
          fi
          if [ "$COMP_CWORD" -gt 1 ]; then
              case ${COMP_WORDS[1]} in
              \(names.joined(separator: " | "))) command=${COMP_WORDS[1]} index=2 ;;
              esac
          fi
          case $command in
      \(settings)
          esac
          if [[ $cur == -* ]]; then
              _flux_inspect_words "$options"
              return
          fi
          # Counts the arguments that are neither options nor their values.
          for ((; index < COMP_CWORD; index++)); do
              word=${COMP_WORDS[index]}
              case $word in
              =) index+=1 ;;
              -*)
                  if [[ " $valued " == *" $word "* && ${COMP_WORDS[index + 1]} != '=' ]]; then index+=1; fi
                  ;;
              *) count+=1 ;;
              esac
          done
          if [ "$COMP_CWORD" -eq 1 ] || [ "$command" = help ]; then
              _flux_inspect_words \(names.joined(separator: " "))
          fi
          if [ "$count" -lt "$limit" ]; then
              # The last argument may be repeated.
              if [ "$count" -ge ${#places[@]} ]; then count=$((${#places[@]} - 1)); fi
              eval "${places[count]}"
          elif [ -z "$cur" ]; then
              _flux_inspect_words "$options"
          fi
      }

      complete -o filenames -F _flux_inspect flux-inspect
      """
  }

  /// The options of the main form and of each subcommand, and the values that its options take.
  private var settings: String {
    ([("''", command)] + subcommands.map { ($0.commandName, $0) })
      .map { name, command in
        let valued = command.options.filter { $0.kind == .option }
        let repeats = command.positionals.contains(where: \.isRepeating)
        let limit =
          command.commandName == "help" ? 0 : repeats ? 1_000_000 : command.positionals.count
        var lines = [
          "    \(name))",
          "        options='\(command.options.flatMap(\.words).joined(separator: " "))'",
          "        valued='\(valued.flatMap(\.words).joined(separator: " "))'",
          "        places=(\(command.positionals.map { "'\(action(for: $0))'" }.joined(separator: " ")))",
          "        limit=\(limit)",
        ]
        if !valued.isEmpty {
          lines.append("        case $prev in")
          lines += valued.map { option in
            "        \(option.words.joined(separator: " | "))) \(action(for: option))return ;;"
          }
          lines.append("        esac")
        }
        return (lines + ["        ;;"]).joined(separator: "\n")
      }
      .joined(separator: "\n")
  }

  private func action(for argument: Argument) -> String {
    switch argument.completion {
    case .list(let values): "_flux_inspect_words \(values.joined(separator: " ")); "
    case .file(let extensions):
      (["_flux_inspect_files"] + extensions).joined(separator: " ") + "; "
    case .directory: "_flux_inspect_add < <(compgen -d -- \"$cur\"); "
    case nil: ""
    }
  }
}

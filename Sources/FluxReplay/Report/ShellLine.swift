import FluxLog
import FluxSystem

/// Words a call of the inspector as a line that can be pasted into a shell.
struct ShellLine {
  /// The words that start the inspector, such as `swift run flux-inspect`; not quoted.
  let inspector: String
  let log: String
  /// The path of the app's executable; nil if there is none.
  let app: String?

  /// Words a step to take after a divergence, at the start if there is no step; nil if it needs an app and there is
  /// none.
  func text(_ next: NextStep, at step: UInt64?) -> String? {
    let position = step.map(String.init) ?? "start"
    switch next {
    case .open, .openStart: return "\(opening) -g \(position)"
    case .fork: return app == nil ? nil : text(commands: [next.dispatchingCommand])
    default: return "\(opening) -g \(position) -e \(next.command.shellWord)"
    }
  }

  func text(commands: [String]) -> String {
    opening + commands.map { " -e \($0.shellWord)" }.joined()
  }

  private var opening: String {
    "\(inspector) \(log.shellPath)" + (app.map { " --app \($0.shellPath)" } ?? "")
  }
}

extension String {
  /// The path as one word of a shell that no program takes for an option; `LOG` for a log from standard input, which has
  /// to be saved before it can be opened.
  package var shellPath: String {
    guard self != "-", self != LogPlace.standardInput else { return "LOG" }
    return (hasPrefix("-") ? "./" + self : self).shellWord
  }

  /// The text as one word of an inspector's command, in quotes if need be.
  package var commandWord: String {
    let special: Set<Unicode.Scalar> = [
      " ", "\t", "\n", "\r", "'", "\"", "|", ">", "(", ")", "[", "]", "{", "}",
    ]
    guard isEmpty || unicodeScalars.contains(where: special.contains) else { return self }
    return "\"\(replacing(scalars: ["\\": "\\\\", "\"": "\\\""]))\""
  }

  /// The text as one word of a shell, in quotes if need be.
  package var shellWord: String {
    if isPlainWord { return self }
    guard printable == self else { return escapedShellWord }
    return "'\(replacing(scalars: ["'": "'\\''"]))'"
  }

  /// `true` if a shell reads none of it in a special way.
  private var isPlainWord: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "/", "_", "-": true
        default: false
        }
      }
  }

  /// The text in `$'…'`, with escapes for whatever a terminal would obey.
  private var escapedShellWord: String {
    var word = "$'"
    var output = TextGuard()
    for scalar in unicodeScalars {
      let text = String(scalar)
      switch scalar {
      case _ where output.escapes(scalar):
        for byte in text.utf8 {
          let digits = String(byte, radix: 8)
          word += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
      case "'", "\\": word += "\\\(text)"
      default: word += text
      }
    }
    return word + "'"
  }
}

import FluxLog

/// Words a call of the inspector as a line that can be pasted into a shell.
struct ShellLine {
  /// The words that start the inspector, such as `swift run flux-inspect`; not quoted.
  let inspector: String
  /// The path of the log.
  let log: String
  /// The path of the app's executable; nil if there is none.
  let app: String?

  /// Words a step to take after a divergence; nil if it needs an app and there is none.
  func text(_ next: NextStep, at step: UInt64) -> String? {
    switch next {
    case .open: return "\(opening) -g \(step)"
    case .fork(let steps):
      // A batch ends after its commands, so the line shows what the app does there now.
      let range =
        steps.count == 1 ? "\(step)" : "\(steps.lowerBound)..\(steps.upperBound)"
      return app == nil ? nil : text(commands: ["redispatch \(range)"])
    default: return "\(opening) -g \(step) -e \(next.command.shellWord)"
    }
  }

  /// Words a batch of commands.
  func text(commands: [String]) -> String {
    opening + commands.map { " -e \($0.shellWord)" }.joined()
  }

  private var opening: String {
    "\(inspector) \(log.shellPath)" + (app.map { " --app \($0.shellPath)" } ?? "")
  }
}

extension String {
  /// The path as one word of a shell that no program takes for an option.
  package var shellPath: String { (hasPrefix("-") ? "./" + self : self).shellWord }

  /// The text as one word of an inspector's command, in quotes if need be.
  var inspectorWord: String {
    if isPlainWord { return self }
    return "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  /// The text as one word of a shell, in quotes if need be.
  package var shellWord: String {
    if isPlainWord { return self }
    guard Excerpt.printable(self) == self else { return escapedShellWord }
    return "'\(replacing("'", with: "'\\''"))'"
  }

  /// `true` if neither a shell nor the inspector reads any of it in a special way.
  private var isPlainWord: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"),
          UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The text in `$'…'`, with escapes for whatever a terminal would obey.
  private var escapedShellWord: String {
    var word = "$'"
    for scalar in unicodeScalars {
      let text = String(scalar)
      switch scalar {
      case "'", "\\": word += "\\\(text)"
      case _ where Excerpt.printable(text) != text:
        for byte in text.utf8 {
          let digits = String(byte, radix: 8)
          word += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
      default: word += text
      }
    }
    return word + "'"
  }
}

import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

extension Command {
  static let saveSession = Command(
    "save-session", group: .shell, synopsis: "save-session FILE [--force]",
    summary: "Write stop points, displays and bookmarks to a file",
    help: """
      The file is a list of commands: 'source FILE' adds its contents to a session, even with another recording of the app. \
      A file that exists is overwritten only with --force.
      """,
    examples: ["save-session checkout.flux"], options: [.force], arguments: .words(1),
    completions: [.file], needsTerminal: true
  ) { arguments, console in
    let path = try arguments.word("a file")
    let session = console.session
    let lines = session.savedCommands()
    let text = (["# stop points, displays and bookmarks of \(session.log.path.printable)"] + lines)
      .map { $0 + "\n" }.joined()
    try session.services.files.write(
      path, log: session.log.path, replacesExisting: arguments.has("--force")
    ) { try $0(Array(text.utf8)) }
    return Reply(SavedSession(file: path, commands: lines.count)) { result, text in
      try text.line("\(result.commands.counted("command")) saved to \(result.file)")
    }
  }

  private struct SavedSession: CommandResult {
    let file: String
    let commands: Int
  }
}

extension Session {
  /// The commands that add the stop points, displays and bookmarks of this session to another one.
  func savedCommands() -> [String] {
    var lines: [String] = []
    if let file = rulesFile, stopPoints.breakpoints.contains(where: \.isAboutRule) {
      lines.append("rules \(file.commandWord)")
    }
    for point in stopPoints.breakpoints {
      guard let line = point.command else { continue }
      lines.append(line)
      if !point.isEnabled { lines.append("disable last") }
      lines += point.commands.map { "commands last \($0)" }
    }
    lines += displays.map { "display \($0.query.text)" }
    lines += bookmarks().bookmarks.map { "bookmark \($0.name) \($0.position)" }
    return lines
  }
}

extension BookmarkEntry {
  /// The position as a command takes it.
  fileprivate var position: String { type == nil ? "start" : "\(step)" }
}

extension StopPoint {
  fileprivate var isAboutRule: Bool {
    if case .rule = kind { true } else { false }
  }

  /// The command that adds the stop point; nil if only a front end can.
  fileprivate var command: String? {
    let condition = condition.map { " if \($0.text)" } ?? ""
    switch kind {
    case .breakpoint: return "\(isTemporary ? "tbreak" : "break") \(subject)\(condition)"
    case .watchpoint: return "watch \(subject)\(condition)"
    case .rejection, .gap, .divergence: return "catch \(subject)"
    case .rule(let name): return "catch rule \(name.commandWord)"
    case .steps: return nil
    }
  }
}

import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

extension Command {
  static let blame = Command(
    "blame", aliases: ["why"], group: .look, synopsis: "blame PATH [--all]",
    summary: "Show the step that wrote a value",
    help: """
      A step wrote a value if it created, changed or removed it. Only steps up to here count. --all adds every \
      earlier write, newest first. The initial value is a separate entry. If going back to another model wrote \
      the value, and the next step did not change it, the entry is 'restored'.
      """,
    examples: ["blame todos.items[0].done", "blame search --all"],
    options: [CommandOption("--all", "Every write, newest first")], arguments: .raw,
    completions: [.path]
  ) { arguments, console in
    let path = try arguments.path()
    let writes = try arguments.checking {
      try console.session.blame(path, all: arguments.has("--all"))
    }
    let isAtStart = console.session.positionInRecording == Timeline.start
    return .writes(writes).ofRecording("blame", console).adding(
      isAtStart ? ["only steps up to here count, and this is the start: 'end' goes to the end"] : []
    )
  }

  static let history = Command(
    "history", aliases: ["values"], group: .look, synopsis: "history [VALUE]",
    summary: "List the values of a path or expression over time",
    help: """
      Searches the whole log, oldest value first. The initial value is a separate entry. If a path selects \
      several values, they count as one. Without VALUE, lists the commands of this session.
      """,
    examples: [
      "history search.query", "history todos.items[*].done", "history length(todos.items)",
    ],
    arguments: .expression, completions: [.path]
  ) { arguments, console in
    guard !arguments.text.isEmpty else {
      return Reply(console.pastCommands) { past, text in
        let width = String(past.first + past.commands.count).count
        for (offset, line) in past.commands.enumerated() {
          text.write(String(past.first + offset).rightAligned(to: width), .number)
          try text.line("  \(line)")
        }
      }
    }
    let query = try arguments.query()
    return .writes(try arguments.checking { try console.session.history(of: query) })
      .ofRecording("history", console)
  }
}

/// The commands of a session, oldest first: `{"first","commands"}`.
struct PastCommands: CommandResult {
  /// More commands than this are forgotten, the oldest first; their numbers stay.
  private static let most = 1_000

  /// The number of the first command of the list, counted from 1.
  private(set) var first = 1
  private(set) var commands: [String] = []

  mutating func append(_ command: String) {
    commands.append(command)
    guard commands.count > Self.most else { return }
    commands.removeFirst()
    first += 1
  }
}

extension Reply {
  fileprivate static func writes(_ writes: Writes) -> Reply {
    Reply(writes) { write, _, text in
      text.write("\(write.number) ", .number)
      if let type = write.type {
        text.write(text.fittedName(type), .action)
      } else {
        let step = write.restoredStep.map { " to step \($0)" } ?? ""
        text.write(write.isRestored == nil ? "initial" : "restored\(step)", .dim)
      }
      let remark =
        write.afterGap == nil ? "" : "  (or an earlier step that is missing or damaged)"
      if let value = write.value {
        text.write(" = ")
        text.write(text.fitted(value.description, before: remark))
      } else {
        text.write(" removed", .removed)
      }
      try text.line(text.fitted(remark), .dim)
    }
  }
}

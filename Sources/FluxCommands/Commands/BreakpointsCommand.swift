import FluxInspector
import FluxJSON
import FluxLog

extension Command {
  static let breakpoints = Command(
    "breakpoints", group: .stop, summary: "List all stop points",
    help: """
      Stop points are breakpoints, watchpoints and catchpoints. Each is shown with its number, what it stops at, \
      how often it was reached, and the commands that run there.
      """
  ) { arguments, console in
    .stopPoints(of: console.session)
  }

  static let delete = Command(
    "delete", group: .stop, synopsis: "delete N | display N | fork N | $NAME",
    summary: "Delete a stop point, a display, a fork or a bookmark",
    help: """
      'breakpoints', 'display', 'forks' and 'bookmarks' list them. The number is not used again. 'undisplay N' and 'drop N' \
      do the same as 'delete display N' and 'delete fork N'.
      """,
    examples: ["delete 1", "delete display 1", "delete $login"], arguments: .words(2),
    completions: [.stopPoint]
  ) { arguments, console in
    let (first, second) = (arguments.words.first, arguments.words.dropFirst().first)
    switch first {
    case "display":
      try console.session.removeDisplay(
        try arguments.number(
          try arguments.second("display"), of: "display", hint: "'display' lists them"))
      return Reply(Done()) { _, _ in }
    case "fork":
      return .fork(
        try console.session.dropFork(
          try arguments.number(try arguments.second("fork"), of: "fork")),
        remark: "dropped")
    case let name? where name.hasPrefix("$") && second == nil:
      try console.session.removeBookmark(String(name.dropFirst()))
      return Reply(Done()) { _, _ in }
    default:
      guard second == nil else {
        throw arguments.usage("expected display N, fork N, $NAME or the number of a stop point")
      }
      return .stopPoint(
        try console.session.removeStopPoint(try arguments.stopPoint(in: console.session)))
    }
  }

  static let enable = Command(
    "enable", group: .stop, synopsis: "enable N", summary: "Enable a stop point",
    help: "Moves stop there again. 'breakpoints' lists the numbers.",
    examples: ["enable 1"], arguments: .words(1), completions: [.stopPoint]
  ) { arguments, console in
    .stopPoint(
      try console.session.setStopPoint(
        try arguments.stopPoint(in: console.session), isEnabled: true))
  }

  static let disable = Command(
    "disable", group: .stop, synopsis: "disable N", summary: "Disable a stop point",
    help: "Moves pass it until it is enabled again. 'breakpoints' lists the numbers.",
    examples: ["disable 1"], arguments: .words(1), completions: [.stopPoint]
  ) { arguments, console in
    .stopPoint(
      try console.session.setStopPoint(
        try arguments.stopPoint(in: console.session), isEnabled: false))
  }

  static let `continue` = Command(
    "continue", aliases: ["c"], group: .move,
    summary: "Go to the next stop point, or to the end",
    help: """
      Stop points are breakpoints, watchpoints and catchpoints. If none of them stops at a later step, the move \
      ends at the end of the log.
      """
  ) { arguments, console in
    .move(try console.session.run(.forwards))
  }

  static let reverseContinue = Command(
    "reverse-continue", aliases: ["rc"], group: .move,
    summary: "Go back to the previous stop point, or to the start",
    help: """
      Stops at the same steps as continue, in reverse order. If no stop point is before this step, the move ends \
      at the start of the log.
      """
  ) { arguments, console in
    .move(try console.session.run(.backwards))
  }
}

extension CommandArguments {
  /// The word after the name of a thing, which is its number.
  fileprivate func second(_ thing: String) throws(CommandError) -> String {
    guard words.count > 1 else { throw usage("the number of a \(thing) is missing") }
    return words[1]
  }

  /// The number of a stop point; `last` is the one that was added last.
  func stopPoint(_ text: String? = nil, in session: Session) throws(CommandError) -> Int {
    let hint = "'breakpoints' lists them"
    if text ?? words.first == "last" {
      guard let last = session.stopPoints.breakpoints.last else {
        throw CommandError(.notFound, "there are no stop points")
      }
      return last.number
    }
    let number = try number(text, of: "stop point", hint: hint)
    guard number > 0 else { throw usage("stop points have numbers from 1", hint: hint) }
    return number
  }
}

extension Reply {
  static func stopPoints(of session: Session) -> Reply {
    Reply(session.stopPoints) { list, text in
      if list.breakpoints.isEmpty { try text.line("no stop points", .dim) }
      for point in list.breakpoints {
        var remarks: [String] = []
        if !point.isEnabled { remarks.append("disabled") }
        if point.hits > 0 {
          remarks.append(point.hits == 1 ? "reached once" : "reached \(point.hits) times")
        }
        try text.stopPoint(point, remark: remarks.joined(separator: ", "))
        for command in point.commands { try text.line("  \(command)", .dim) }
      }
    }
  }

  static func stopPoint(_ change: StopPointChange) -> Reply {
    Reply(change) { change, text in
      try text.stopPoint(
        change.point, remark: change.change == .added ? "" : change.change.rawValue)
    }
  }
}

extension TextOutput {
  /// Writes a stop point on one line: `1 breakpoint todo/* if length(todos.items) > 3`.
  fileprivate mutating func stopPoint(_ point: StopPoint, remark: String) throws {
    write("\(point.number) ", .count)
    write("\(point.isTemporary ? "temporary " : "")\(point.kindName) ")
    write(point.subject, .heading)
    if let condition = point.condition { write(" if \(condition.text)") }
    try line(remark.isEmpty ? "" : "  \(remark)", .dim)
  }
}

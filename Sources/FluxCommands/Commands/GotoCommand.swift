import FluxInspector

extension Command {
  static let goto = Command(
    "goto", aliases: ["jump", "g"], group: .move, synopsis: "goto POS",
    summary: "Go to a position",
    help: """
      POS is the number of a step (42), or a number of steps from here (+5, -5). It can also be a percentage of \
      the steps (50%), start or end. For the last step at or before a time, write @12.5 in seconds, or \
      @12:03:04 on the recording's clock. For the third action that matches, write todo/add#3, in quotes if it \
      has blanks. For a bookmark, write $name.

      A relative move stops at the ends of the log. A position outside the log is an error.
      """,
    examples: ["goto 42", "goto -5", "goto 50%", "goto @12.5", "goto todo/add#3"],
    arguments: .words(1), completions: [.position]
  ) { arguments, console in
    let word = try arguments.word("a position", hint: Position.forms)
    guard let position = Position(word) else { throw noPosition(word, arguments, console) }
    return .move(try console.session.move(to: position))
  }

  /// The error of a text that is no position; the type of an action lacks its number.
  private static func noPosition(
    _ word: String, _ arguments: CommandArguments, _ console: Console
  ) -> CommandError {
    let suggestion = console.session.log.typeMeant(by: word)
    let question = suggestion.map { "; did you mean \($0)#1?" } ?? ""
    return arguments.usage("\(word) is not a position\(question)", hint: Position.forms)
  }

  static let start = Command(
    "start", group: .move, summary: "Go to the state before the first step",
    help: "The stores have their initial states; features may be absent."
  ) { arguments, console in
    .move(try console.session.moveToStart())
  }

  static let end = Command(
    "end", group: .move, summary: "Go to the last step",
    help: "Waits for the index of a large log; you can interrupt the wait."
  ) { arguments, console in
    .move(try console.session.moveToEnd())
  }

  static let undo = Command(
    "undo", group: .move, summary: "Go back to the position before the last move",
    help: """
      Every move is one entry of the history, however far it went. You can redo an undone move until the next \
      move.
      """
  ) { arguments, console in
    .move(try console.session.undo())
  }

  static let redo = Command(
    "redo", group: .move, summary: "Repeat the last move that was undone",
    help: "Any other move discards the undone moves."
  ) { arguments, console in
    .move(try console.session.redo())
  }
}

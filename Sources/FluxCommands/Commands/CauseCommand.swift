import FluxInspector

extension Command {
  static let cause = Command(
    "cause", aliases: ["up"], group: .move, synopsis: "cause [n]",
    summary: "Go to the step that caused this one",
    help: """
      A follow-up and the action of an effect have a cause: the step that asked for them. A root action has none, and that \
      is an error. 'where' shows the whole chain, and 'effects' looks in the other direction. With a number, the move \
      is repeated, and stops at the root action.
      """,
    examples: ["cause", "up 2"], arguments: .words(1)
  ) { arguments, console in
    .move(try console.session.moveToCause(try arguments.count()))
  }

  static let down = Command(
    "down", group: .move, synopsis: "down [n]",
    summary: "Go to the first step that this one caused",
    help: """
      The opposite of 'up'. With a number, the move is repeated, and stops at a step that caused no other. 'effects' lists \
      all steps that this one caused.
      """,
    examples: ["down", "down 2"], arguments: .words(1)
  ) { arguments, console in
    .move(try console.session.moveToCaused(try arguments.count()))
  }

  static let effects = Command(
    "effects", aliases: ["caused"], group: .look, summary: "List the steps that this one caused",
    help: """
      These are the follow-ups of this step and the actions of its effects, up to the end of the log. Steps that those \
      caused in turn are not listed. 'cause' goes back from them.
      """
  ) { arguments, console in
    let width = console.session.numberWidth
    return Reply(try console.session.causedSteps()) { row, _, text in
      try text.row(row.step, numberWidth: width)
    } end: { _, count, text in
      if count == 0 { try text.line("this step caused no other", .dim) }
    }.ofRecording("effects", console)
  }
}

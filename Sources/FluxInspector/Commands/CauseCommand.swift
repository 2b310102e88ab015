extension Command {
  static let cause = Command(
    "cause", aliases: ["up"], group: .move, summary: "Go to the step that caused this one",
    help: """
      A follow-up and the action of an effect have a cause: the step that asked for them. A root action has none, and that \
      is an error. 'where' shows the whole chain, and 'effects' looks in the other direction.
      """
  ) { arguments, console in
    .move(try console.session.moveToCause())
  }

  static let effects = Command(
    "effects", group: .look, summary: "List the steps that this one caused",
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
    }
  }
}

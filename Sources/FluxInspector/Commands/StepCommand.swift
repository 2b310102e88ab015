import FluxLog

extension Command {
  static let step = Command(
    "step", aliases: ["s"], group: .move, synopsis: "step [n]",
    summary: "Go forwards by one step, or n",
    help: """
      Every recorded action is a step, even if it changed nothing or was rejected. The move stops at the end of \
      the log, with a note.
      """,
    examples: ["step", "step 10"], arguments: .words(1)
  ) { arguments, console in
    .move(try console.session.step(arguments.count()))
  }

  static let back = Command(
    "back", aliases: ["rs"], group: .move, synopsis: "back [n]",
    summary: "Go backwards by one step, or n",
    help: "The move stops at the start of the log, with a note.",
    examples: ["back", "back 10"], arguments: .words(1)
  ) { arguments, console in
    .move(try console.session.step(arguments.count(), .backwards))
  }

  static let next = Command(
    "next", aliases: ["n"], group: .move, synopsis: "next [n]",
    summary: "Go to the next root action",
    help: """
      A root action is a step without a cause: the user or the app dispatched it, and not a follow-up, an \
      observer or an effect. The steps that this one caused are skipped. If there is no root action ahead, the \
      move ends at the end of the log.
      """,
    examples: ["next", "next 3"], arguments: .words(1)
  ) { arguments, console in
    .move(try console.session.stepOverRoots(arguments.count()))
  }

  static let prev = Command(
    "prev", aliases: ["rn"], group: .move, synopsis: "prev [n]",
    summary: "Go to the previous root action",
    help: """
      A root action is a step without a cause. The steps that it caused are skipped. If there is no root action \
      before this step, the move ends at the start of the log.
      """,
    examples: ["prev", "prev 3"], arguments: .words(1)
  ) { arguments, console in
    .move(try console.session.stepOverRoots(arguments.count(), .backwards))
  }
}

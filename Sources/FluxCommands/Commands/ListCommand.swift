import FluxInspector
import FluxSystem

extension Command {
  static let list = Command(
    "list", aliases: ["l"], group: .look, synopsis: "list [RANGE]",
    summary: "List the steps around here, or those of a range",
    help: """
      Each line shows a step: its number, its action, the time of its dispatch, the stores that it changed or the \
      reason why it was rejected, and the step that caused it. Marks, gaps and damage are shown between the steps.

      RANGE is A..B, inclusive, where A and B are positions. Either may be omitted: list .. lists all steps. On a fork, \
      list alone lists the steps of the fork, and list RANGE those of the recording.
      """,
    examples: ["list", "list 10..20", "list -3..+3", "list @2.5..end"], arguments: .words(1),
    completions: [.range]
  ) { arguments, console in
    let session = console.session
    if arguments.words.isEmpty,
      let list = session.forkSteps(around: console.settings.listContext)
    {
      return Reply(list) { try $1.steps(of: $0) }
    }
    let steps =
      try arguments.words.first.map { try session.steps(in: try arguments.range($0)) }
      ?? session.steps(around: console.settings.listContext)
    let width = session.numberWidth
    return Reply(steps) { row, _, text in
      for remark in row.remarks { try text.line("  -- \(remark)", .dim) }
      text.write(row.isHere ? "> " : "  ", .heading)
      try text.row(row.step, numberWidth: width)
    } end: { end, count, text in
      for remark in end.remarks { try text.line("  -- \(remark)", .dim) }
      if count == 0 { try text.line("no steps", .dim) }
    }.ofRecording("list", console)
  }

  static let `where` = Command(
    "where", aliases: ["bt"], group: .look, summary: "Show the chain of causes of this step",
    help: """
      The cause of a step is the earlier step that led to it: by a follow-up, an observer or an effect. The last \
      step of the chain is the root action, which the user or the app dispatched. A cause that is not in the log \
      ends the chain.
      """
  ) { arguments, console in
    Reply(try console.session.chain()) { link, depth, text in
      text.write("#\(depth) ", .dim)
      let effect = link.effect.map { " by the effect \($0)" } ?? ""
      let tail = effect + (link.source.map { " at \($0)" } ?? "") + " +\(link.t)s"
      text.action(link.number, link.type, link.payload, before: tail)
      try text.line(text.fitted(tail), .dim)
    } end: { end, count, text in
      guard let cause = end.missingCause else { return }
      try text.line("#\(count) step \(cause) is not in the log before it", .dim)
    }
  }
}

extension TextOutput {
  /// Writes the steps of a fork, with a mark before the one here.
  fileprivate mutating func steps(of list: ForkSteps) throws {
    try line("fork \(list.fork) after step \(list.base), \(list.count.counted("step"))", .heading)
    for step in list.steps {
      write(list.here == StepNumber(step.number) ? "> " : "  ", .heading)
      try self.step(step)
    }
  }
}

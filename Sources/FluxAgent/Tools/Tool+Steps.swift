import FluxInspector
import FluxJSON
import FluxLog

extension Tool {
  static let steps = Tool(
    "steps", "List steps",
    about: """
      Lists steps in order: number, time, action type, changed stores, rejection. The filter is a glob for types \
      (cart/*) or an expression (length(cart.lines) > 2). Use it to see what happened around a step.
      """,
    example: ["log": "shop.jsonl", "from": 10, "count": 20]
  ) { (arguments: StepsArguments, context, extras) in
    try context.read(arguments.log, fork: arguments.fork) { session in
      let from = try arguments.from.map { try context.position($0, session, &extras) } ?? 0
      let limit = arguments.count ?? 200
      guard limit > 0 else {
        throw ToolFailure("count is a number of steps, at least 1, found \(limit)")
      }
      let range = PositionRange(
        from: arguments.from.map { _ in .step(session.timeline.number(at: max(0, from)) ?? 0) })
      func place(_ number: UInt64) -> Cursor {
        Cursor(position: session.position(of: StepNumber(number)))
      }
      guard let filter = arguments.filter else {
        let rows = try session.steps(in: session.timeline.log.count == 0 ? nil : range)
        let page = try context.page(rows, from: arguments.cursor, limit: limit, &extras) {
          first, _ in place(first.step.number)
        }
        extras.notes += page.end?.trailer.remarks ?? []
        return StepsAnswer(steps: page.rows, unknown: nil)
      }
      let rows = try session.steps(
        matching: context.filter(filter, session), in: arguments.from == nil ? nil : range)
      let page = try context.page(rows, from: arguments.cursor, limit: limit, &extras) {
        first, _ in place(first.number)
      }
      return StepsAnswer(steps: page.rows, unknown: page.end?.trailer.unknownSteps)
    }
  }

  static let step = Tool(
    "step", "Look at a step",
    about: """
      One step in full: its action with payload, cause, effects and source line, whether it was rejected, what it changed \
      with old and new values, and its neighbours.
      """,
    example: ["log": "shop.jsonl", "n": 17]
  ) { (arguments: StepArguments, context, extras) in
    try context.readRebuilding(arguments.log, fork: arguments.fork) { session in
      let here = session.standing(at: try context.position(arguments.n, session, &extras))
      let action = try here.action()
      var difference: FluxInspector.Difference?
      do {
        var found = try here.difference()
        found.form = .elements
        difference = found
      } catch {
        extras.notes.append(
          "its changes are unknown: \(ToolFailure(CommandError(error, in: here)).message)")
      }
      extras.notes += difference?.notes.map(\.toolText) ?? []
      return StepAnswer(
        step: try context.verbatim(StepSummary(at: here.position, in: here.timeline)),
        action: try context.verbatim(action),
        difference: try difference.map(context.verbatim),
        neighbours: try here.steps(around: 2).collect().rows.filter { !$0.isHere }.map(
          context.verbatim))
    }
  }

  static let why = Tool(
    "why", "Causes of a step",
    about: """
      The chain of causes of a step, itself first, the root action last, and the steps it caused itself. Use it to \
      find the user's action or the effect behind a step.
      """,
    example: ["log": "shop.jsonl", "n": 6]
  ) { (arguments: WhyArguments, context, extras) in
    try context.read(arguments.log, fork: arguments.fork) { session in
      let here = session.standing(at: try context.position(arguments.n, session, &extras))
      let largestCount = 100
      var work = context.call.work
      work.limit = largestCount
      let chain = try here.chain().collect(work)
      if let missing = chain.end.trailer.missingCause {
        extras.notes.append("the cause, step \(missing), is not in the log")
      }
      if chain.end.next != nil, let last = chain.rows.last {
        extras.left.append("earlier causes: call why with n \(last.number)")
      }
      let rows = try chain.rows.map(context.verbatim)
      let used = rows.reduce(0) { $0 + $1.json.byteCount + 1 }
      let caused = try context.page(here.causedSteps(), from: arguments.cursor, used: used, &extras)
      { first, _ in
        Cursor(position: session.position(of: StepNumber(first.step.number)))
      }
      return WhyAnswer(chain: rows, caused: caused.rows)
    }
  }
}

private struct StepsArguments: Described {
  let log: String
  let from: Int64?
  let count: Int?
  let filter: String?
  let fork: Int?
  let cursor: String?

  static let about: KeyValuePairs = [
    "log": LogArgument.about,
    "from": "The number of the first step; without it, the first of the log",
    "count": "The largest number of steps",
    "filter":
      "A glob for types such as cart/*, an expression such as cart.total < 0 or changed(cart.lines), "
      + "or a text to look for in the actions",
    "fork": LogArgument.aboutFork, "cursor": LogArgument.aboutCursor,
  ]
}

private struct StepsAnswer: Described {
  let steps: [VerbatimJSON]
  let unknown: Int?

  static let about: KeyValuePairs = [
    "steps":
      "{n, t, type, changed, rejected?, …}: the number, seconds since the start, and the stores that changed",
    "unknown":
      "The number of steps at which the filter could not be judged, because a state is unknown",
  ]
}

private struct StepArguments: Described {
  let log: String
  let n: Int64
  let fork: Int?

  static let about: KeyValuePairs = [
    "log": LogArgument.about, "n": "The number of the step", "fork": LogArgument.aboutFork,
  ]
}

private struct StepAnswer: Described {
  let step: VerbatimJSON
  let action: VerbatimJSON
  let difference: VerbatimJSON?
  let neighbours: [VerbatimJSON]

  static let about: KeyValuePairs = [
    "step": "{n, t, type, changed, rejected?, …}",
    "action":
      "{action: {type, payload?}, cause?, effect?, effects?, at?}: at is the source line that dispatched it",
    "difference": "{from, to, changes: [{path, op, old?, new?}], elements}: what the step changed",
    "neighbours": "The two steps before and after",
  ]
}

private struct WhyArguments: Described {
  let log: String
  let n: Int64
  let fork: Int?
  let cursor: String?

  static let about: KeyValuePairs = [
    "log": LogArgument.about, "n": "The number of the step", "fork": LogArgument.aboutFork,
    "cursor": LogArgument.aboutCursor,
  ]
}

private struct WhyAnswer: Described {
  let chain: [VerbatimJSON]
  let caused: [VerbatimJSON]

  static let about: KeyValuePairs = [
    "chain": "{n, type, at?}: the step, its cause, and so on up to the root action",
    "caused": "{n, t, type, changed, …}: follow-ups of the step and actions of its effects",
  ]
}

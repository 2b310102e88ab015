import FluxInspector
import FluxJSON
import FluxLog

extension Tool {
  static let find = Tool(
    "find", "Find steps",
    about: """
      The steps at which an expression holds (length(cart.lines) == 0 && changed(cart.lines)), or whose type matches a glob \
      (cart/*). With first, the turning point: the step from which on the expression holds, by binary search, which reads \
      few steps of a long log.
      """,
    example: ["log": "shop.jsonl", "expression": "cart.total == 0 && changed(cart.total)"]
  ) { (arguments: FindArguments, context, extras) in
    try context.read(arguments.log, fork: arguments.fork) { session in
      let filter = try context.filter(arguments.expression, session)
      if arguments.first == true {
        return try turningPoint(filter, arguments, session, context, &extras)
      }
      var range: PositionRange?
      let direction: SearchDirection = arguments.direction == .backwards ? .backwards : .forwards
      if let from = arguments.from {
        let position = try context.position(from, session, &extras)
        guard position >= 0 || direction == .forwards else {
          return FindAnswer(steps: [], unknown: nil, turningPoint: nil, monotone: nil)
        }
        let here = Position.step(session.timeline.number(at: max(0, position)) ?? 0)
        range =
          direction == .forwards ? PositionRange(from: here) : PositionRange(through: here)
      }
      let page = try context.page(
        session.steps(matching: filter, in: range, direction), from: arguments.cursor, &extras
      ) { first, _ in Cursor(position: session.position(of: StepNumber(first.number))) }
      return FindAnswer(
        steps: page.rows, unknown: page.end?.trailer.unknownSteps, turningPoint: nil, monotone: nil)
    }
  }

  private static func turningPoint(
    _ filter: StepFilter, _ arguments: FindArguments, _ session: Session, _ context: ToolContext,
    _ extras: inout Extras
  ) throws -> FindAnswer {
    var session = session
    func answer(_ position: Int?, isMonotone: Bool?) throws -> FindAnswer {
      let rows =
        try position.map { position in
          position < 0
            ? []
            : try session.standing(at: position).steps(
              in: PositionRange(from: .here, through: .here)
            ).collect().rows
        } ?? []
      return FindAnswer(
        steps: try rows.map(context.verbatim), unknown: nil,
        turningPoint: try position.map {
          try context.verbatim(session.timeline.stepNumber(at: $0))
        },
        monotone: isMonotone)
    }
    guard case .expression(let expression) = filter else {
      let page = try session.steps(matching: filter).collect(
        Work(limit: 1, isCancelled: { context.call.isStopped }))
      extras.notes += page.end.notes.map(\.toolText)
      return try answer(
        page.rows.first.map { session.position(of: StepNumber($0.number)) }, isMonotone: nil)
    }
    let bisection = try session.bisect(expression)
    if bisection.step.value == nil {
      extras.notes.append(
        "the expression does not hold at the end of the log; without first, find lists where it holds"
      )
    } else if !bisection.isMonotone {
      extras.notes.append(
        "it does not hold from there on throughout, so there are other turning points; find without first lists them"
      )
    }
    return try answer(bisection.step.value.map(session.position), isMonotone: bisection.isMonotone)
  }
}

/// The directions of a search.
enum FindDirection: String, Choice { case forwards, backwards }

private struct FindArguments: Described {
  let log: String
  let expression: String
  let from: Int64?
  let direction: FindDirection?
  let first: Bool?
  let fork: Int?
  let cursor: String?

  static let about: KeyValuePairs = [
    "log": LogArgument.about,
    "expression":
      "An expression, such as cart.total < 0, changed(cart.lines) or $.rejected, a glob for types, such as cart/*, "
      + "or a text to look for in the actions",
    "from": "The step to begin with; without it, the first step, or backwards the last",
    "direction": "The order of the steps; forwards without it",
    "first": "true for the turning point alone", "fork": LogArgument.aboutFork,
    "cursor": LogArgument.aboutCursor,
  ]
}

private struct FindAnswer: Described {
  let steps: [VerbatimJSON]
  let unknown: Int?
  let turningPoint: VerbatimJSON?
  let monotone: Bool?

  static let about: KeyValuePairs = [
    "steps": "{n, t, type, changed, …}",
    "unknown": "The number of steps that could not be judged, because a state is unknown",
    "turningPoint": "The number of the step from which on the expression holds",
    "monotone": "false if it does not hold from there on throughout",
  ]
}

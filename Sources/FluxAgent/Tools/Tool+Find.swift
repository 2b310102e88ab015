import FluxInspector
import FluxJSON
import FluxLog

extension Tool {
  static let find = Tool(
    "find", "Find steps",
    about: """
      The steps at which an expression holds (length(cart.lines) == 0 && changed(cart.lines)), or whose type matches a glob \
      (cart/*). With first, the turning point: the step from which the expression holds, by binary search, which reads \
      few steps of a long log.
      """,
    example: ["log": "shop.jsonl", "expression": "cart.total == 0 && changed(cart.total)"]
  ) { (arguments: FindArguments, context, extras) in
    try context.read(arguments.log, fork: arguments.fork) { session in
      let filter = try context.filter(arguments.expression, session)
      let direction: SearchDirection = arguments.direction == .backwards ? .backwards : .forwards
      let start = try arguments.from.map { try context.position($0, session, &extras) }
      if arguments.first == true, case .expression(let expression) = filter {
        return try turningPoint(expression, from: start, direction, session, context, &extras)
      }
      var range: PositionRange?
      if let start {
        guard start >= 0 || direction == .forwards else {
          return FindAnswer(steps: [])
        }
        let here = Position.step(session.timeline.number(at: max(0, start)) ?? 0)
        range =
          direction == .forwards ? PositionRange(from: here) : PositionRange(through: here)
      }
      if arguments.first == true {
        let found = try session.steps(matching: filter, in: range, direction).collect(
          Work(limit: 1, isCancelled: { context.call.isStopped }))
        extras.notes += found.end.notes.map(\.toolText)
        return try turningPoint(
          found.rows.first.map { session.position(of: StepNumber($0.number)) }, isMonotone: nil,
          session, context)
      }
      let page = try context.page(
        session.steps(matching: filter, in: range, direction), from: arguments.cursor, &extras
      ) { first, _ in Cursor(position: session.position(of: StepNumber(first.number))) }
      return FindAnswer(steps: page.rows, unknown: page.end?.trailer.unknownSteps)
    }
  }

  private static func turningPoint(
    _ expression: QueryExpression, from start: Int?, _ direction: SearchDirection,
    _ session: Session, _ context: ToolContext, _ extras: inout Extras
  ) throws -> FindAnswer {
    var session = session
    let from = start.map { session.timeline.number(at: $0).map(Position.step) ?? .start }
    let bisection = try session.bisect(expression, from: from, direction)
    let (end, there) =
      direction == .forwards ? ("end", "from there on") : ("start", "from there backwards")
    if bisection.step.value == nil {
      extras.notes.append(
        "the expression does not hold at the \(end) of the log; without first, find lists where it holds"
      )
    } else if !bisection.isMonotone {
      extras.notes.append(
        "it does not hold \(there) throughout, so there are other turning points; find without first lists them"
      )
    }
    extras.notes += bisection.notes.map(\.toolText)
    return try turningPoint(
      bisection.step.value.map(session.position), isMonotone: bisection.isMonotone, session,
      context)
  }

  private static func turningPoint(
    _ position: Int?, isMonotone: Bool?, _ session: Session, _ context: ToolContext
  ) throws -> FindAnswer {
    let step = try position.flatMap {
      $0 < 0 ? nil : try StepSummary(at: $0, in: session.timeline)
    }
    return FindAnswer(
      steps: try step.map { [try context.verbatim($0)] } ?? [],
      turningPoint: try position.map { try context.verbatim(session.timeline.stepNumber(at: $0)) },
      monotone: isMonotone)
  }
}

/// The directions of a search.
enum FindDirection: String, Codable, CaseIterable, Shaped {
  case forwards, backwards

  static var shape: Shape { .choice(allCases.map(\.rawValue)) }
  static var sample: FindDirection { .forwards }
}

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
    "first":
      "true for the turning point alone; backwards, it is the last step at which and before which the expression holds",
    "fork": LogArgument.aboutFork,
    "cursor": LogArgument.aboutCursor,
  ]
}

private struct FindAnswer: Described {
  let steps: [VerbatimJSON]
  var unknown: Int?
  var turningPoint: VerbatimJSON?
  var monotone: Bool?

  static let about: KeyValuePairs = [
    "steps": "{n, t, type, changed, …}",
    "unknown": "The number of steps that could not be judged, because a state is unknown",
    "turningPoint":
      "The number of the step from which the expression holds, in the direction of the search",
    "monotone": "false if it does not hold from there on throughout",
  ]
}

public import FluxJSON
import FluxLog
package import FluxReplay

extension Session {
  /// Finds the few actions after which an expression is true, and makes a fork of them.
  ///
  /// The search begins with the actions up to here. At the start, it begins with those up to the first step at which the
  /// expression is true. If the app went back to another model on the way, it begins in the last such model. The expression
  /// is evaluated at the step of the last action, and at each of its follow-ups.
  ///
  /// - Parameter expression: The expression.
  /// - Returns: The actions that are left, and the step of the fork at which the expression is true.
  /// - Throws: ``CommandError`` if the expression reads the number of the step, which is another one without the actions
  ///   that are left out, and the errors of the app.
  public mutating func shrink(to expression: QueryExpression) throws -> Shrunk {
    _ = try app()
    try refuseNumber(in: expression)
    guard let last = try lastStep(toShrinkTo: expression) else {
      return Shrunk(
        actionCount: log.count, reason: .neverTrue, notes: try timeline.misses(of: expression))
    }
    let first = stepsToShrink(through: last).lowerBound
    let beginning: [Note] =
      log.isRestored(before: first)
      ? [
        "the search begins in the model to which the app went back before step \(number(at: first))"
      ] : []
    var goal = ShrinkGoal(expression)
    let (result, runs, longest) = try shrink(through: last) { try goal.holds(for: $0) }
    let through = position == Timeline.start ? number(at: last).value : nil
    guard let result else {
      return Shrunk(
        actionCount: longest, runs: runs + 1, through: through,
        reason: through == nil ? .falseHere : .notAgain,
        notes: try beginning + timeline.misses(of: expression) + renames(in: expression))
    }
    let history = result.fork.history
    let count = try history.stepCount(where: expression)
    return Shrunk(
      result, rejected: goal.asksForRejection ? nil : goal.rejection(in: history),
      through: through,
      truth: count.map { Shrunk.Truth(history, afterSteps: $0) },
      fork: stand(on: result.fork).number,
      notes: try beginning + timeline.remarks(on: expression, at: last))
  }

  /// Returns the position of the last step whose action a search may need: the step here or, at the start, the first at
  /// which an expression is true; nil if there is none.
  package func lastStep(toShrinkTo expression: QueryExpression) throws -> Int? {
    guard position == Timeline.start else { return position }
    let found = try nearestStop(at: [.expression(expression)], from: position, .forwards)
    if let found { return found.position }
    // The expression may be about the names and forms that the app's stores have now.
    guard
      try unjudgedSteps(of: expression, in: 0..<log.count) != nil
        || log.storeNames.contains(where: app().describe().converts)
    else { return nil }
    return try stepOfReplay(where: expression)
  }

  /// Says which stores that an expression reads have another name in the app, whose names count once actions are
  /// dispatched again.
  package func renames(in expression: QueryExpression) throws -> [Note] {
    let app = try app().describe()
    return (expression.footprint.stores ?? []).compactMap { store in
      let name = app.storeName(for: store)
      guard !name.hasSameBytes(as: store) else { return nil }
      return Note(
        "the app calls the store \(store) \(name) now, and its names count once actions are dispatched again"
      )
    }
  }

  /// Returns the position of the first step at which an expression is true if all actions are dispatched again, for a log
  /// without the states that decide, or with states of an older form.
  private func stepOfReplay(where expression: QueryExpression) throws -> Int? {
    for steps in log.parts(of: 0..<log.count) {
      let fork = try Fork.redispatching(steps, of: timeline, in: try app())
      defer { fork.end() }
      let history = fork.history
      for (index, step) in fork.steps.enumerated() {
        try checkInterruption()
        guard try expression.holds(for: history.document(afterSteps: index + 1), check: check),
          let repeated = step.repeats
        else { continue }
        return log.position(of: repeated)
      }
    }
    return nil
  }

  /// Returns the steps whose actions a search through a position begins with: those since the app last went back to
  /// another model.
  private func stepsToShrink(through last: Int) -> Range<Int> {
    let parts = log.parts(of: 0..<last + 1)
    return parts[parts.count - 1]
  }

  /// Finds the few actions that still lead to something; the numbers are those of the runs and of the actions.
  package func shrink(
    through last: Int, to holds: @escaping (Fork) throws -> Bool
  ) throws -> (result: ShrinkResult?, runs: Int, actions: Int) {
    let shrinker = Shrinker(stepsToShrink(through: last), of: timeline, in: try app())
    let work = work
    var runs = 0
    var longest = 0
    let result = try shrinker.run(
      goesOn: { count, shortest in
        (runs, longest) = (count, max(longest, shortest))
        work.progress(Progress(activity: "shrinking", done: longest - shortest, total: longest))
        return !work.isCancelled()
      }, holds: holds)
    return (result, runs, longest)
  }

  /// Refuses an expression that can never be true after fewer actions, which have other numbers.
  package func refuseNumber(in expression: QueryExpression) throws(CommandError) {
    let readsNumber = expression.footprint.places.contains { $0.tokens == ["n"] }
    guard readsNumber else { return }
    throw CommandError(
      .usage, "steps have other numbers once actions are left out, so $.n says nothing here",
      hint: "go to the step, or name its type: $.action.type == 'todo/add'")
  }
}

/// Tells if a fork leads to an expression.
///
/// It must not end in a rejected action, unless all actions together do, or the expression asks for a rejection.
package struct ShrinkGoal {
  private let expression: QueryExpression
  let asksForRejection: Bool
  /// `true` if the last action may be rejected; nil before the first fork, which has all actions.
  private var mayEndRejected: Bool?

  package init(_ expression: QueryExpression) {
    self.expression = expression
    asksForRejection = expression.footprint.reads("rejected")
  }

  package mutating func holds(for fork: Fork) throws -> Bool {
    let history = fork.history
    let isRejected = rejection(in: history) != nil
    let mayBeRejected = mayEndRejected ?? true
    mayEndRejected = mayEndRejected ?? (isRejected || asksForRejection)
    guard mayBeRejected || !isRejected else { return false }
    return try history.stepCount(where: expression) != nil
  }

  /// The reason why the last action did not commit.
  func rejection(in history: ForkHistory) -> LogRejection? {
    history.stepsOfLastAction.first.flatMap { history.steps[$0].rejection }
  }
}

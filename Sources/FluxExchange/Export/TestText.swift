package import FluxInspector
package import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// The subject of a test to write, and the names that it uses.
package struct TestRequest: Sendable {
  /// The value that it expects as it is here; nil for what the step here changed, or for the opposite of ``bug``.
  package var expected: ValueQuery?
  /// An expression that is true because of a bug: the test has the actions that it needs, and expects it to be false.
  package var bug: QueryExpression?
  /// `true` to leave out all actions that the expected values do not need.
  package var smallest = false
  /// The module that declares the stores; nil for those that the app tells, or for one with the name of the app.
  package var module: String?
  /// Makes fresh stores, a name or an expression; nil for the initializers that the app tells, or for `makeStores`.
  ///
  /// For an app with a reducer, its `AppDefinition`; nil for `app`.
  package var stores: String?
  /// A sentence that the test begins with, as a comment.
  package var comment: String?
  /// The file for the test; nil if the caller does not know it.
  package var file: String?

  package init() {}
}

/// The source of a test that leads to a state.
package struct TestText: Sendable {
  /// The module of the test is unknown: it was not named, and neither the app nor the log tells it.
  package struct NoModule: Error {}

  /// The values that a test expects after its last action.
  package enum Expected: Sendable {
    /// The states of all stores.
    case states
    /// The values of these paths and expressions, and the rejection of the last action if there was one.
    case values([String], rejects: Bool)
  }

  /// The Swift source.
  package let source: String
  /// The number of actions that the test dispatches.
  package let actions: Int
  /// The values that the test expects; nil if it expects that a bug is gone.
  package let expected: Expected?
  /// The number of the step to which the actions lead.
  package let step: UInt64
  /// `true` if the test fails in the app as it is now; nil if it was not tried.
  package let fails: Bool?
  /// Remarks: redacted values, and what the test does in the app as it is now.
  package let notes: [Note]
}

extension Session {
  /// Writes a test that leads to the state here.
  ///
  /// - Throws: ``TestText/NoModule`` if the module is unknown, and `CommandError` if an expected value is not there, if the
  ///   expression of a bug is not true, or if there is no app to leave out actions with.
  package func testSource(_ request: TestRequest) throws -> TestText {
    let names = try testNames(request)
    let (reproduction, plan, remarks, fails) = try test(request)
    let text: String
    var expected: TestText.Expected?
    if let plan {
      text = TypedTestSource(plan: plan, names: names.importing(plan.modules)).text
      if plan.bug == nil {
        expected = .values(
          plan.expectations.map(\.query.text), rejects: reproduction.rejection != nil)
      }
    } else {
      text = TestSource(reproduction: reproduction, names: names).text
      expected = .states
    }
    var notes: [Note] = []
    if RedactionToken.isContained(in: text) {
      notes.append("the test contains tokens instead of redacted values, as the log does")
    }
    let comment = request.comment.map { "// \($0.printable)\n" } ?? ""
    return TestText(
      source: comment + text, actions: plan?.calls.count ?? reproduction.actions.count,
      expected: expected, step: reproduction.step, fails: fails, notes: notes + remarks)
  }

  /// Finds the names that a test uses.
  private func testNames(_ request: TestRequest) throws -> TestNames {
    let app = services.app == nil ? nil : try self.app()
    let source = try told { () throws(ReplayFailure) in try app?.toldSource() }
    let description = try told { () throws(ReplayFailure) in try app?.describe() }
    let executable = app?.executablePath?.lastPathName
    let name = log.header.app?.name ?? description?.name ?? executable
    var modules = request.module.map { [$0] } ?? source?.modules ?? []
    if modules.isEmpty {
      guard let module = SwiftText.module(ofProgram: name ?? "") else { throw TestText.NoModule() }
      modules = [module]
    }
    let maker: TestNames.Maker
    if description?.reducers == .plain {
      maker = .definition(request.stores ?? "app")
    } else {
      maker = .stores(request.stores ?? source?.stores ?? "makeStores")
    }
    return TestNames(
      app: name, modules: modules, toldModules: source?.modules ?? [], maker: maker,
      file: request.file)
  }

  /// Returns what an app tells; nil if it fails, which the trial of the test reports.
  private func told<Value>(
    _ body: () throws(ReplayFailure) -> Value?
  ) throws(ReplayFailure) -> Value? {
    do throws(ReplayFailure) {
      return try body()
    } catch {
      guard error.reason != .cancelled else { throw error }
      return nil
    }
  }

  /// Plans a test that leads to the state here; without a plan, its actions are JSON, and it expects all states.
  ///
  /// The notes say what the test does in the app as it is now. `fails` is nil if that was not tried.
  ///
  /// - Throws: As ``testSource(_:)``.
  private func test(
    _ request: TestRequest
  ) throws -> (reproduction: Reproduction, plan: TestPlan?, notes: [Note], fails: Bool?) {
    try refuseReflectedLog()
    guard forkHere == nil || request.bug != nil || !request.smallest else {
      throw CommandError(
        .usage, "test: --smallest leaves out actions of the recording, and this is a fork",
        hint: "'switch 0' goes back to the recording")
    }
    let query = request.expected
    let app = services.app == nil && request.bug == nil ? nil : try self.app()
    let end = try request.bug.flatMap { try endOfTest(of: $0) }
    var reproduction = try reproduction(through: end)
    let form = try forkHere == nil ? currentForm(of: reproduction.start, in: app) : nil
    defer { form?.end() }
    if let form { reproduction = try reproduction.current(in: form) }
    var queries: [ValueQuery] = []
    if let query {
      guard try query.value(in: reproduction.states) != nil else {
        throw CommandError(
          .noPath, "\(query.text) has no value \(placeText)",
          hint: "--expect takes a path or an expression that reads the states here"
            + (form == nil ? "" : ", by the names that the app has now"))
      }
      queries = [query]
    } else if request.bug == nil {
      queries = try TestPlan.queries(for: difference(in: form), in: reproduction.states)
    }
    if let bug = request.bug, forkHere != nil {
      try checkFork(of: bug)
    } else if request.bug != nil || request.smallest {
      reproduction = try smallestReproduction(
        of: reproduction, through: end ?? positionOfStep(), expecting: queries, request.bug,
        keeping: query == nil && request.bug == nil ? reproduction.step : nil)
    }
    let bug = query == nil ? request.bug : nil
    if app != nil || query != nil, !queries.isEmpty || bug != nil || reproduction.rejection != nil {
      let plan = try TestPlan(reproduction, expecting: queries, not: bug, in: app)
      if plan.isTyped || query != nil || bug != nil || request.smallest {
        let remarks = try bug.map { try timeline.remarks(on: $0, at: end ?? position) } ?? []
        return (reproduction, plan, remarks + plan.notes.map { Note($0) }, plan.fails)
      }
    }
    let problem = try app.flatMap { try reproduction.problem(in: $0) }
    return (
      reproduction, nil, problem.map { ["with the app as it is now, the test fails: \($0)"] } ?? [],
      app == nil ? nil : problem != nil
    )
  }

  /// Starts to convert the states of the log; nil for an app that takes them as they are, and for one that fails.
  private func currentForm(
    of start: SessionStart, in app: (any ReplayApp)?
  ) throws(ReplayFailure) -> CurrentForm? {
    try told { () throws(ReplayFailure) in
      guard let app else { return nil }
      return try CurrentForm(of: app, for: log.storeNames, from: start)
    }
  }

  /// The changes of the step here, by the names and in the forms of the app.
  private func difference(in form: CurrentForm?) throws -> FluxInspector.Difference {
    let difference = try difference()
    guard let form, !difference.changes.isEmpty else { return difference }
    let position = try positionOfStep()
    let baseline = timeline.baseline(of: position)
    let before = try LogError.ifKnown {
      try timeline.known(
        baseline.isRestored
          ? timeline.model(before: position) : timeline.model(at: baseline.position))
    }
    guard let before else { return difference }
    return FluxInspector.Difference(
      from: difference.from, try form.states(before), to: difference.to,
      try form.states(timeline.known(timeline.model(at: position))), identities: identities)
  }

  /// Returns the position of the step at which the expression of a bug is true: the one here or, at the start, the first.
  private func endOfTest(of bug: QueryExpression) throws -> Int? {
    guard forkHere == nil else { return nil }
    guard let end = try lastStep(toShrinkTo: bug) else {
      throw CommandError(
        .notFound, "\(bug.text) is not true at any step of the log",
        note: try timeline.misses(of: bug).first)
    }
    return end
  }

  /// The actions that lead to the state at a position again, or to the one here; on a fork its own steps.
  private func reproduction(through end: Int?) throws -> Reproduction {
    guard let here = forkHere else {
      return try Reproduction(of: timeline, at: try end ?? positionOfStep())
    }
    guard here.isNewest else {
      throw CommandError(
        .usage, "test: a test of a fork is about its newest step",
        hint: "'switch \(here.fork.number)' goes to it")
    }
    return try here.fork.use { try Reproduction(of: $0) }
  }

  /// Refuses the expression of a bug that is false after the last action of the fork.
  private func checkFork(of bug: QueryExpression) throws {
    guard let here = forkHere, try here.fork.history.stepCount(where: bug) == nil else { return }
    throw CommandError(
      .notFound, "\(bug.text) is false after the last action of fork \(here.fork.number)",
      hint: "'switch 0' goes back to the recording, where test finds the step")
  }

  /// The few actions, with that of a step, that still lead to the expected values, to the same rejection, and to a bug.
  private func smallestReproduction(
    of whole: Reproduction, through end: Int, expecting queries: [ValueQuery],
    _ bug: QueryExpression?, keeping step: UInt64?
  ) throws -> Reproduction {
    let values = try queries.map { try $0.value(in: whole.states) }
    var goal = bug.map(ShrinkGoal.init)
    let (result, _, count) = try shrink(through: end) { fork in
      if bug == nil {
        guard let last = fork.steps.last, last.rejection == whole.rejection,
          step == nil || fork.steps.contains(where: { $0.repeats == step })
        else { return false }
      }
      guard try goal?.holds(for: fork) ?? true else { return false }
      let model = fork.model
      for (query, value) in zip(queries, values) where try query.value(in: model) != value {
        return false
      }
      return true
    }
    guard let result else { throw try failure(of: bug, through: end, after: count) }
    if let bug, result.fork.steps.isEmpty {
      throw CommandError(
        .usage, "\(bug.text) is true at the start, so no action leads to it",
        hint: "say which change is wrong: EXPR && changed(PATH)")
    }
    var smallest = try Reproduction(of: result.fork)
    // The test is about the step here, whatever number that has on the fork.
    (smallest.step, smallest.type) = (whole.step, whole.type)
    return smallest
  }

  /// The error of actions that do not lead again to what they led to in the recording, or never led to.
  private func failure(
    of bug: QueryExpression?, through end: Int, after count: Int
  ) throws -> CommandError {
    let actions = "the \(count.counted("action")) up to step \(number(at: end))"
    if let bug, position != Timeline.start,
      try LogError.ifKnown({ try bug.holds(for: timeline.document(at: end), check: check) })
        == false
    {
      return CommandError(
        .notFound, "\(bug.text) is false after \(actions)",
        note: try timeline.misses(of: bug).first
          ?? "at the start, test begins with the first step at which it is true")
    }
    return CommandError(
      .replayFailed,
      "\(actions), dispatched again, do not lead to \(bug?.text ?? "the values here")",
      note: try bug.flatMap { try renames(in: $0).first }
        ?? "'verify' shows where the app no longer behaves as recorded")
  }
}

package import FluxJSON
import FluxLog
import FluxReplay
import FluxSystem

/// A test to write.
struct PlannedTest {
  let reproduction: Reproduction
  /// The plan with typed actions; nil for a test with the actions as JSON and all states.
  let plan: TestPlan?
  /// The reason why the test fails in the app as it is now.
  let problem: String?

  var actionCount: Int { plan?.calls.count ?? reproduction.actions.count }
}

/// The source of a test that leads to a state.
package struct TestText: Sendable {
  /// The module of the test is unknown: it was not named, and the log does not name its app.
  package struct NoModule: Error {}

  /// The Swift source.
  package let source: String
  /// The number of actions that the test dispatches.
  package let actions: Int
  /// Remarks: redacted values, and the reason why the test fails in the app as it is now.
  package let notes: [String]
}

extension Session {
  /// Writes a test that leads to the state here.
  ///
  /// - Parameters:
  ///   - query: The value that it expects; nil for what the step here changed.
  ///   - smallest: `true` to leave out actions that the expected values do not need.
  ///   - module: The module that declares the stores; nil for one with the name of the app.
  ///   - stores: Makes fresh stores: a name or an expression.
  ///   - because: A sentence that the test begins with, as a comment.
  /// - Returns: The test.
  /// - Throws: ``TestText/NoModule`` if the module is unknown, and ``CommandError`` if an expected value is not there, or if
  ///   there is no app to leave out actions with.
  package func testSource(
    expecting query: ValueQuery?, smallest: Bool, module: String? = nil,
    stores: String = "makeStores", because: String? = nil
  ) throws -> TestText {
    let app = log.header.app?.name
    guard let module = module ?? SwiftText.identifier(app ?? "") else { throw TestText.NoModule() }
    let test = try test(expecting: query, smallest: smallest)
    var notes: [String] = []
    if log.header.isRedacted {
      notes.append("the test contains tokens instead of redacted values, as the log does")
    }
    if let problem = test.problem {
      notes.append("with the app as it is now, the test fails: \(problem)")
    }
    let text: String
    if let plan = test.plan {
      text = TypedTestSource(plan: plan, module: module, stores: stores, app: app).text
    } else {
      text =
        TestSource(
          reproduction: test.reproduction, module: module, stores: stores, app: app
        ).text
    }
    let comment = because.map { "// \($0.printable)\n" } ?? ""
    return TestText(source: comment + text, actions: test.actionCount, notes: notes)
  }

  /// Plans a test that leads to the state here.
  ///
  /// - Parameters:
  ///   - query: The value that it expects; nil for what the step here changed.
  ///   - smallest: `true` to leave out actions that the expected values do not need.
  /// - Returns: The test.
  /// - Throws: ``CommandError`` if an expected value is not there, or if there is no app to leave out actions with.
  func test(expecting query: ValueQuery?, smallest: Bool) throws -> PlannedTest {
    var reproduction = try reproduction()
    let app = services.app == nil ? nil : try self.app()
    let queries: [ValueQuery]
    if let query {
      guard try query.value(in: reproduction.states) != nil else {
        throw CommandError(
          .noPath, "\(query.text) has no value \(placeText)",
          hint: "--expect takes a path or an expression that reads the states here")
      }
      queries = [query]
    } else {
      queries = try TestPlan.queries(for: difference(), in: reproduction.states)
    }
    if smallest {
      reproduction = try smallestReproduction(
        of: reproduction, expecting: queries, keeping: query == nil ? reproduction.step : nil)
    }
    if app != nil || query != nil, !queries.isEmpty || reproduction.rejection != nil {
      let plan = try TestPlan(
        reproduction, expecting: queries, in: app)
      if plan.isTyped || query != nil || smallest {
        return PlannedTest(reproduction: reproduction, plan: plan, problem: plan.problem)
      }
    }
    return PlannedTest(
      reproduction: reproduction, plan: nil,
      problem: try app.flatMap { try reproduction.problem(in: $0) })
  }

  /// The actions that lead to the state here again; on a fork its own steps.
  private func reproduction() throws -> Reproduction {
    guard let here = forkHere else {
      return try Reproduction(of: timeline, at: try positionOfStep())
    }
    guard here.count == here.steps.count else {
      throw CommandError(
        .usage, "test: a test of a fork is about its newest step",
        hint: "'switch \(here.fork.number)' goes to it")
    }
    return try here.fork.use { try Reproduction(of: $0) }
  }

  /// The few actions, with that of a step, that still lead to the expected values, and to the same rejection.
  private func smallestReproduction(
    of whole: Reproduction, expecting queries: [ValueQuery], keeping step: UInt64?
  ) throws -> Reproduction {
    guard forkPlace == nil else {
      throw CommandError(
        .usage, "test: --smallest leaves out actions of the recording, and this is a fork",
        hint: "'switch 0' goes back to the recording")
    }
    let values = try queries.map { try $0.value(in: whole.states) }
    let (result, _, count) = try shrink { fork in
      guard let last = fork.steps.last, last.rejection == whole.rejection,
        step == nil || fork.steps.contains(where: { $0.repeats == step })
      else { return false }
      let model = fork.model
      for (query, value) in zip(queries, values) where try query.value(in: model) != value {
        return false
      }
      return true
    }
    guard let result else {
      throw CommandError(
        .replayFailed,
        "the \(count.counted("action")) up to here, dispatched again, do not lead to the values here",
        hint: "'verify' shows where the app does something else than it did")
    }
    var smallest = try Reproduction(of: result.fork)
    // The test is about the step here, whatever number that has on the fork.
    (smallest.step, smallest.type) = (whole.step, whole.type)
    return smallest
  }
}

import FluxJSON
import FluxLog

/// Runs single steps of a log again, each in the recorded states before it.
struct LoneStep {
  let timeline: Timeline
  let context: ComparisonContext

  /// The inputs of a step that runs on its own.
  struct Inputs {
    /// The step; a check may change its action.
    var step: LogStep
    /// Its changes, by the log's names.
    let changes: [RecordedChange]
    /// The start of a session in the recorded states before it.
    var start: SessionStart
  }

  /// A step that ran on its own.
  struct Run {
    let inputs: Inputs
    let replayed: ReplayedStep
    let session: any ReplaySession
  }

  /// Returns what the step with a number needs; nil if the log does not have all of it, or if the step cannot run again.
  ///
  /// - Throws: `LogError` if the log cannot be read, ``ReplayFailure`` if reflection recorded its states.
  func inputs(of number: UInt64) throws -> Inputs? {
    let log = timeline.log
    guard let position = log.position(atOrBefore: number) else { return nil }
    let model = try timeline.model(before: position)
    // The recorded states before it are not all written.
    guard timeline.unwrittenStores(at: position - 1).isEmpty else { return nil }
    let start = try SessionStart(
      .replay, after: position - 1, in: model, of: timeline, for: context.app)
    var walk = RecordedWalk(model, by: log.rules(before: position))
    let batch = try RecordedBatch(position..<position + 1, log, &walk, for: context.app)
    guard let recorded = batch.steps.first, recorded.canReplay else { return nil }
    return Inputs(step: recorded.step, changes: recorded.changes, start: start)
  }

  /// Runs the step with a number, and calls `body` before the session ends.
  ///
  /// - Returns: The result of `body`; nil if the step cannot be run on its own, which proves nothing.
  /// - Throws: `LogError` if the log cannot be read, `ReplayFailure` if the caller cancelled or a running app is lost, and
  ///   the errors of `body`.
  func run<R>(_ number: UInt64, in app: any ReplayApp, _ body: (Run) throws -> R) throws -> R? {
    guard let inputs = try inputs(of: number) else { return nil }
    return try run(inputs, in: app, body)
  }

  /// Runs a step with its inputs, or with changed ones.
  func run<R>(_ inputs: Inputs, in app: any ReplayApp, _ body: (Run) throws -> R) throws -> R? {
    guard let session = try session(inputs, in: app) else { return nil }
    defer { session.end() }
    // A failure of the app proves nothing.
    let batch = try Self.unlessFailed(app) { () throws(ReplayFailure) in
      try ReplayedBatch([ReplayAction(inputs.step, inputs.changes)], in: session)
    }
    guard let replayed = batch?.steps.first else { return nil }
    return try body(Run(inputs: inputs, replayed: replayed, session: session))
  }

  /// Starts a session with the inputs of a step; nil if the states do not fit.
  func session(
    _ inputs: Inputs, in app: any ReplayApp
  ) throws(ReplayFailure) -> (any ReplaySession)? {
    try Self.unlessFailed(app) { () throws(ReplayFailure) in try app.start(inputs.start) }
  }

  /// Returns the inputs with values of the app's initial states in the place of redacted values whose types accept no
  /// substitute.
  ///
  /// A store whose initial state has no such value begins in its initial state. That must not happen to `compared`: its states
  /// stay as they are then.
  func fitting(_ inputs: Inputs, in app: any ReplayApp, compared: String?) throws -> Inputs {
    var inputs = inputs
    // Only the first such value of each store is known at a time.
    while let problems = try unfit(inputs, in: app) {
      var rest = inputs
      for problem in problems { _ = rest.start.states?.removeValue(forKey: problem.store) }
      guard let session = try session(rest, in: app) else { return inputs }
      defer { session.end() }
      let own = try session.states()
      for problem in problems {
        let fitting = try fitting(problem, in: inputs, own)
        if fitting == nil, compared?.hasSameBytes(as: problem.store) == true { return inputs }
        inputs.start.states?[problem.store] = fitting
      }
    }
    return inputs
  }

  /// Returns a recorded state with the value of an initial state in the place of a redacted one; nil if it has none.
  private func fitting(
    _ problem: ReplayFailure.StateProblem, in inputs: Inputs, _ own: StoreDictionary<JSON>
  ) throws -> JSON? {
    guard let place = problem.redacted, let state = inputs.start.states?[problem.store],
      let initial = context.appName(of: problem.store).flatMap({ own[$0] })
    else { return nil }
    return try state.replacingToken(at: Pointer(place), from: initial)
  }

  /// Returns the states in which a session cannot start because of redacted values; nil if there are none.
  private func unfit(
    _ inputs: Inputs, in app: any ReplayApp
  ) throws(ReplayFailure) -> [ReplayFailure.StateProblem]? {
    var found: [ReplayFailure.StateProblem] = []
    _ = try Self.unlessFailed(app) { () throws(ReplayFailure) in
      do throws(ReplayFailure) {
        try app.start(inputs.start).end()
      } catch {
        if case .statesNotRestorable(let problems) = error.reason { found = problems }
        throw error
      }
    }
    return found.isEmpty || found.contains { $0.redacted == nil } ? nil : found
  }

  /// A failure of the app proves nothing; only a cancelled replay ends the report, and the loss of an app that cannot
  /// start again.
  static func unlessFailed<R>(
    _ app: any ReplayApp, _ body: () throws(ReplayFailure) -> R
  ) throws(ReplayFailure) -> R? {
    do {
      return try body()
    } catch {
      switch error.reason {
      case .cancelled: throw error
      case .exited where !app.restarts, .unresponsive where !app.restarts: throw error
      default: return nil
      }
    }
  }
}

extension JSON {
  /// Returns the value with a value of another one in the place of a token; nil if there is no token, or the other value
  /// has nothing or a token there.
  fileprivate func replacingToken(at place: Pointer, from other: JSON) throws -> JSON? {
    let value: JSON
    do throws(PointerError) {
      value = try other.value(at: place)
      guard try self.value(at: place).isRedactionToken, !value.isRedactionToken else { return nil }
    } catch {
      // An upcaster has moved it.
      return nil
    }
    return try Patch([.replace(place, value)]).applied(to: self)
  }
}

import FluxLog
import FluxReplay

/// What it takes to come to a state again: where to begin, which actions, and what they lead to.
struct Reproduction: Sendable {
  let start: SessionStart
  let actions: [ReplayAction]
  /// The states of all stores after the last action, as one object.
  let states: JSON
  /// Why the last action did not commit, where it did not; nil as well where no store saw it.
  let rejection: LogRejection?
  /// The number and the type of the last step.
  let step: UInt64
  let type: String

  /// The steps of the recording up to a position: from the start, or from behind the last lines before it
  /// that are missing.
  ///
  /// - Throws: ``CommandError`` where nothing lies between, `LogError` where states are not known.
  init(of timeline: Timeline, at position: Int) throws {
    let log = timeline.log
    let base = log.breaks.last { $0.position <= position }?.position ?? Timeline.start
    guard base < position else {
      throw CommandError(
        .unknownState, "what led here is not in the log: lines before this step are missing",
        hint: "go to a later step with 'step'")
    }
    var actions: [ReplayAction] = []
    var last = try log.step(at: position)
    for place in base + 1...position {
      let step = try log.step(at: place)
      // A middleware refused it, and a replay has none.
      if step.rejection?.reason != "intercepted" { actions.append(ReplayAction(step)) }
      last = step
    }
    self.init(
      start: try SessionStart(
        of: log.header, states: timeline.knownModel(at: base),
        next: timeline.number(at: base + 1) ?? log.header.first,
        time: base < 0 ? LogTime(microseconds: 0) : log.step(at: base).time),
      actions: actions, states: try timeline.knownModel(at: position), rejection: last.rejection,
      step: last.number, type: last.type)
  }

  /// The steps of a branch.
  ///
  /// - Throws: ``CommandError`` where it has none.
  init(of branch: Branch) throws {
    guard let last = branch.steps.last, let first = branch.steps.first else {
      throw CommandError(
        .badPosition, "the fork has no step yet", hint: "'dispatch' makes one")
    }
    let (timeline, base) = (branch.timeline, branch.position)
    self.init(
      start: try SessionStart(
        of: timeline.log.header, states: branch.model(afterSteps: 0), next: first.number,
        time: base < 0 ? LogTime(microseconds: 0) : timeline.step(at: base).time),
      actions: branch.steps.map { step in
        ReplayAction(
          number: step.number, time: step.time, action: step.action, target: step.target)
      },
      states: branch.model, rejection: last.rejection, step: last.number, type: last.type)
  }

  private init(
    start: SessionStart, actions: [ReplayAction], states: JSON, rejection: LogRejection?,
    step: UInt64, type: String
  ) {
    (self.start, self.actions, self.states) = (start, actions, states)
    self.rejection = ["intercepted", "unhandled"].contains(rejection?.reason) ? nil : rejection
    (self.step, self.type) = (step, type)
  }
}

extension Reproduction {
  /// Dispatches the actions in an app, and compares.
  ///
  /// An app that fails on the way is no reason not to write the test: it is likely to be what the test is
  /// for.
  ///
  /// - Returns: What differs from what is expected, or why the app failed; nil where it comes to all of it.
  /// - Throws: `ReplayFailure` where it was cancelled.
  func problem(in app: any ReplayApp, timeout: Double?) throws(ReplayFailure) -> String? {
    do {
      return try difference(in: app, timeout: timeout)
    } catch {
      guard error.reason != .cancelled else { throw error }
      return error.description
    }
  }

  private func difference(
    in app: any ReplayApp, timeout: Double?
  ) throws(ReplayFailure) -> String? {
    var start = start
    start.timeout = timeout
    let session = try app.start(start)
    defer { session.end() }
    let steps = try session.dispatch(actions)
    if let rejection, let step = steps.last, step.verdict != .rejected(rejection) {
      return "the last action does not end as it did"
    }
    let reached = JSON(object: try session.states())
    guard let change = states.changes(to: reached).first else { return nil }
    return "it comes to another state at \(change.path)"
  }
}

extension SessionStart {
  fileprivate init(of header: LogHeader, states: JSON, next: UInt64, time: LogTime) {
    self.init(
      mode: .replay, seed: header.seed ?? 0,
      created: header.created ?? LogInstant(microseconds: 0),
      states: StoreDictionary(
        states.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
      next: next, time: time)
  }
}

extension Timeline {
  /// The states of all stores at a position, as one object.
  ///
  /// - Throws: `LogError` where not all are known.
  func knownModel(at position: Int) throws(LogError) -> JSON {
    let model = try model(at: position)
    guard model.unknownStores.isEmpty else {
      throw LogError(
        path: log.path,
        reason: .unknownStates(model.unknownStores, step: number(at: position) ?? 0))
    }
    return model.json
  }
}

extension JSON {
  fileprivate init(object members: StoreDictionary<JSON>) {
    self.init(writing: { writer in
      writer.beginObject()
      for (name, value) in members.ordered {
        writer.name(name)
        writer.raw(value)
      }
      writer.endObject()
    })
  }
}

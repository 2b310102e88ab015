import FluxInspector
import FluxJSON
import FluxLog
import FluxReplay

/// The way to a state: the start, the actions, and the states that they lead to.
struct Reproduction: Sendable {
  let start: SessionStart
  let actions: [ReplayAction]
  /// The actions without follow-ups, which a session in the mode `simulate` runs and numbers on its own.
  let rootActions: [ReplayAction]
  let states: JSON
  /// The reason why the last action did not commit; nil if it did, or if no store saw it.
  let rejection: LogRejection?
  /// The number and the type of the last step.
  var step: UInt64
  var type: String

  /// The steps of the recording up to a position: from the start, from the last missing lines before it, or from where the
  /// app went back to a model that the log has.
  ///
  /// - Throws: `CommandError` if no step lies between, `LogError` if states are unknown.
  init(of timeline: Timeline, at position: Int) throws {
    let log = timeline.log
    let found = log.breaks.last { $0.position <= position }?.position
    // The model right after missing lines is unknown, and stays so until a step is accepted.
    let base =
      found.map { start in
        log.isRestored(before: start)
          ? start - 1 : timeline.firstKnownPosition(in: start..<position + 1) ?? start
      } ?? Timeline.start
    guard base < position else {
      throw CommandError(
        .unknownState,
        "the actions that led here are not in the log: lines before this step are missing",
        next: .goForward)
    }
    var actions: [ReplayAction] = []
    var roots: [ReplayAction] = []
    var last = try log.step(at: position)
    let first = try log.step(at: base + 1).number
    for place in base + 1...position {
      let step = try log.step(at: place)
      last = step
      // A middleware or Redux DevTools refused it, and a replay has neither.
      guard step.rejection?.cannotRunAgain != true else { continue }
      actions.append(ReplayAction(step))
      let isFollowUp = step.followUpCause.map { $0 >= first } ?? false
      roots.append(actions[actions.count - 1], isFollowUp: isFollowUp)
    }
    var start = try SessionStart(
      of: log.header, next: timeline.number(at: base + 1) ?? log.header.first,
      time: base < 0 ? LogTime(microseconds: 0) : log.step(at: base).time)
    start.states = StoreDictionary(try timeline.known(timeline.model(before: base + 1)))
    self.init(
      start: start,
      actions: actions, rootActions: roots,
      states: try timeline.known(timeline.model(at: position)),
      rejection: last.rejection,
      step: last.number, type: last.type)
  }

  /// The steps of a fork, without the values that the recording hides.
  ///
  /// - Throws: `CommandError` if it has none, and the errors of `ForkRedaction`.
  init(of fork: Fork) throws {
    let redacted = try ForkRedaction(fork)
    guard redacted.stepCount > 0 else {
      throw CommandError(
        .badPosition, "the fork has no step yet", next: .dispatch)
    }
    let (timeline, base) = (fork.timeline, fork.history.position)
    let first = try redacted.step(at: 0)
    let last = try redacted.step(at: redacted.stepCount - 1)
    var actions: [ReplayAction] = []
    var roots: [ReplayAction] = []
    for index in 0..<redacted.stepCount {
      let step = try redacted.step(at: index)
      actions.append(
        ReplayAction(
          number: step.number, time: step.time, action: step.action, target: step.target,
          randomStep: step.randomStep))
      let isFollowUp =
        step.effect == nil && step.from == nil && step.cause.map { $0 >= first.number } ?? false
      roots.append(actions[index], isFollowUp: isFollowUp)
    }
    var start = try SessionStart(
      of: timeline.log.header, next: first.number,
      time: base < 0 ? LogTime(microseconds: 0) : timeline.step(at: base).time)
    start.begin(in: try redacted.initial, of: fork.app)
    self.init(
      start: start,
      actions: actions, rootActions: roots, states: try redacted.model, rejection: last.rejection,
      step: last.number, type: last.type)
  }

  /// Returns the same with the names and the forms that the app's stores have now.
  func current(in form: CurrentForm) throws -> Reproduction {
    func current(_ actions: [ReplayAction]) -> [ReplayAction] {
      actions.map { action in
        var action = action
        action.target = action.target.map(form.app.storeName)
        return action
      }
    }
    var start = start
    let states = start.states?.ordered.map { ($0.key, $0.value) } ?? []
    start.begin(in: StoreDictionary(try form.states(JSON(object: states))), of: form.app)
    return Reproduction(
      start: start, actions: current(actions), rootActions: current(rootActions),
      states: try form.states(self.states), rejection: rejection, step: step, type: type)
  }

  private init(
    start: SessionStart, actions: [ReplayAction], rootActions: [ReplayAction], states: JSON,
    rejection: LogRejection?, step: UInt64, type: String
  ) {
    (self.start, self.actions, self.rootActions, self.states) =
      (start, actions, rootActions, states)
    let wasSeen = rejection.map { !$0.cannotRunAgain && $0.reason != "unhandled" } ?? true
    self.rejection = wasSeen ? rejection : nil
    (self.step, self.type) = (step, type)
  }

  /// Dispatches the actions in an app, and compares the states.
  ///
  /// A failure of the app is a result: it is likely to be the reason for the test.
  ///
  /// - Returns: The difference from the expected states, or the failure of the app; nil if there is none.
  /// - Throws: `ReplayFailure` if it is cancelled.
  func problem(in app: any ReplayApp) throws(ReplayFailure) -> String? {
    do {
      let session = try app.start(start)
      defer { session.end() }
      let steps = try session.dispatch(actions)
      if let rejection, let step = steps.last, step.outcome != .rejected(rejection) {
        return "the last action has a different outcome"
      }
      let reached = JSON(object: try session.states().ordered.map { ($0.key, $0.value) })
      return states.changes(to: reached).first.map { "the state differs at \($0.path)" }
    } catch {
      guard error.reason != .cancelled else { throw error }
      return error.description
    }
  }
}

extension SessionStart {
  fileprivate init(of header: LogHeader, next: UInt64, time: LogTime) {
    self.init(
      mode: .replay, seed: header.seed ?? 0,
      created: header.created ?? LogInstant(microseconds: 0), next: next, time: time)
  }
}

extension [ReplayAction] {
  /// Appends an action for a session that numbers the steps; of a follow-up, only its time.
  fileprivate mutating func append(_ action: ReplayAction, isFollowUp: Bool) {
    guard !isFollowUp else {
      // A damaged log may begin with one.
      if let cause = indices.last { self[cause].followUpTimes?.append(action.time) }
      return
    }
    var root = ReplayAction(
      time: action.time, action: action.action, target: action.target,
      randomStep: action.randomStep ?? action.number)
    root.followUpTimes = []
    append(root)
  }
}

public import FluxLog

/// A history that leaves a recording at some position and goes its own way.
///
/// It begins in the recorded states of that position, in fresh stores. What is dispatched on it runs with
/// its follow-ups; effects do not run. Time stands still but where it is told to go on. The recording
/// itself is never changed.
///
/// ```swift
/// let branch = try Branch(at: 41, of: timeline, in: app)
/// try branch.dispatch(["type": "todo/add", "payload": ["title": "milk"]])
/// print(branch.model)
/// ```
/// Where the app's process is lost on the way, the branch stays as it was before the call that lost it, and
/// the next call begins a new process in the states that the branch has come to.
///
/// Used by one thread at a time.
public final class Branch {
  /// The recording.
  public let timeline: Timeline
  /// The position that the branch leaves the recording at.
  public let position: Int
  /// What the app has.
  public let app: AppDescription
  /// The steps on the branch.
  public private(set) var steps: [BranchStep] = []

  private let source: any ReplayApp
  private let start: SessionStart
  /// The states at the beginning, by the names that the app has for its stores.
  let baseStates: StoreDictionary<JSON>
  private var currentStates: StoreDictionary<JSON>
  private var session: (any ReplaySession)?

  /// Begins a branch.
  ///
  /// - Parameters:
  ///   - position: The position in the recording, as `Timeline` counts.
  ///   - timeline: The recording.
  ///   - app: Where the fresh stores come from.
  ///   - timeout: How many seconds the app may take over one call; nil for as long as it likes.
  /// - Throws: `LogError` where the states there are not known or cannot be read, ``ReplayFailure``
  ///   where the app cannot be run, or its stores cannot take them on.
  public init(
    at position: Int, of timeline: Timeline, in app: any ReplayApp, timeout: Double? = nil
  ) throws {
    let description = try app.describe()
    let model = try timeline.model(at: position)
    let header = timeline.log.header
    guard model.unknownStores.isEmpty else {
      throw LogError(
        path: timeline.log.path,
        reason: .unknownStates(model.unknownStores, step: timeline.number(at: position) ?? 0))
    }
    let isStart = position == Timeline.start
    start = SessionStart(
      mode: .simulate, seed: header.seed ?? 0,
      created: header.created ?? LogInstant(microseconds: 0),
      states: model.states.compactMapValues(\.json).filter { store, _ in description.hasStore(store)
      },
      next: isStart ? header.first : (timeline.number(at: position) ?? 0) + 1,
      time: isStart ? LogTime(microseconds: 0) : try timeline.step(at: position).time,
      timeout: timeout)
    let session = try app.start(start)
    baseStates = try session.states()
    currentStates = baseStates
    self.timeline = timeline
    self.position = position
    self.app = description
    self.source = app
    self.session = session
  }

  deinit { session?.end() }

  /// The number that the next step will have.
  public var next: UInt64 { steps.last.map { $0.number + 1 } ?? start.next }

  /// The time of the last step; on a branch without steps, of the position that it begins at.
  public var time: LogTime { steps.last?.time ?? start.time }

  /// The number of the first step on the branch.
  var first: UInt64 { start.next }

  /// The states that the branch has come to, as one object `{store: state}`, by the names that the
  /// app has for its stores.
  public var model: JSON { Self.model(of: currentStates) }

  /// The states after the first so many steps of the branch, as one object.
  ///
  /// - Parameter count: How many steps; 0 for the states that the branch begins in.
  /// - Returns: The states, by the names that the app has for its stores.
  public func model(afterSteps count: Int) -> JSON {
    Self.model(of: states(afterSteps: count))
  }

  func states(afterSteps count: Int) -> StoreDictionary<JSON> {
    steps.prefix(max(0, count)).reduce(into: baseStates) { states, step in
      for change in step.changes { states[change.store] = change.state }
    }
  }

  static func model(of states: StoreDictionary<JSON>) -> JSON {
    JSON(writing: { writer in
      writer.beginObject()
      for (store, state) in states.ordered {
        writer.member(store, Excerpt.shallow(state))
      }
      writer.endObject()
    })
  }

  // MARK: Dispatching

  /// Dispatches an action, and what follows from it.
  ///
  /// - Parameters:
  ///   - action: An object with a `type`, and mostly a `payload`.
  ///   - target: The store that it is addressed to.
  ///   - time: When; nil for the time of the last step. The time never goes back.
  /// - Returns: The steps that it made: its own, and those of its follow-ups.
  /// - Throws: ``ReplayFailure`` where the app cannot read the action, or was lost on the way; the
  ///   branch is then as it was.
  @discardableResult
  public func dispatch(
    _ action: JSON, to target: String? = nil, at time: LogTime? = nil
  ) throws(ReplayFailure) -> ArraySlice<BranchStep> {
    let before = steps.count
    try run([
      BranchAction(action: ReplayAction(time: time ?? self.time, action: action, target: target))
    ])
    return steps[before...]
  }

  /// Dispatches actions, all of them or none, and takes in the steps that they make.
  func run(_ actions: [BranchAction]) throws(ReplayFailure) {
    guard !actions.isEmpty else { return }
    var latest = time
    let dispatched = actions.map { action in
      var given = action.action
      latest = max(latest, given.time)
      given.time = latest
      return given
    }
    do {
      let made = try branchSteps(actions, try running().dispatch(dispatched))
      steps += made
      for step in made {
        for change in step.changes { currentStates[change.store] = change.state }
      }
    } catch {
      // Whether it took some of the actions nobody knows: the next call begins anew.
      session?.end()
      session = nil
      throw error
    }
  }

  /// The session, or a new one in the states that the branch has come to.
  private func running() throws(ReplayFailure) -> any ReplaySession {
    if let session { return session }
    var start = start
    start.states = currentStates
    start.next = next
    start.time = time
    let session = try source.start(start)
    self.session = session
    return session
  }

  /// Makes steps of a session's answer: the first step of each action is its own, all others are
  /// follow-ups.
  private func branchSteps(
    _ actions: [BranchAction], _ answer: [ReplayedStep]
  ) throws(ReplayFailure) -> [BranchStep] {
    var made: [BranchStep] = []
    /// The numbers that repeated steps have on the branch.
    var numbers: [UInt64: UInt64] = [:]
    for step in steps { if let repeats = step.repeats { numbers[repeats] = step.number } }
    var rest = actions[...]
    for step in answer {
      guard step.cause == nil else {
        made.append(BranchStep(step, action: step.action ?? .null))
        continue
      }
      guard let given = rest.popFirst() else { throw violation("a step that nobody asked for") }
      if case .undecodable(let why) = step.verdict {
        throw ReplayFailure(
          .undecodable(why), step: given.repeats, action: given.action.action["type"]?.string)
      }
      var own = BranchStep(step, action: given.action.action)
      own.target = given.action.target.map(app.storeName)
      own.effect = given.effect
      own.from = given.from
      own.repeats = given.repeats
      own.cause = given.cause.flatMap { $0 < first ? $0 : numbers[$0] }
      if let repeats = given.repeats { numbers[repeats] = step.number }
      made.append(own)
    }
    guard rest.isEmpty else { throw violation("\(rest.count) actions without a step") }
    for (step, number) in zip(made, next...) where step.number != number {
      throw violation("step \(step.number) after step \(number &- 1)")
    }
    return made
  }

  private func violation(_ found: String) -> ReplayFailure {
    ReplayFailure(
      .protocolViolation(
        found: found, expected: "an answer for each of what was asked, in order"))
  }

  /// Notes of follow-ups which recorded ones they stand for: those of the same step, in order.
  func repeatFollowUps(_ recorded: RedispatchedSteps) {
    /// The recorded follow-ups of steps on the branch that have not come yet, by their numbers there.
    var due: [UInt64: ArraySlice<UInt64>] = [:]
    for place in steps.indices {
      let step = steps[place]
      if step.repeats == nil, let cause = step.cause {
        steps[place].repeats = due[cause]?.popFirst()
      }
      guard let repeats = steps[place].repeats else { continue }
      due[step.number] = recorded.followUps[repeats]?[...]
    }
  }

  /// A recorded state in the form that the app gives it today.
  func today(_ store: String, _ state: JSON) throws(ReplayFailure) -> JSON {
    guard app.upcastStores.contains(store) else { return state }
    let states = try running().upcast([RecordedState(store: store, state: state)])
    guard let state = states.first, states.count == 1 else {
      throw violation("\(states.count) states in today's form of 1")
    }
    return state
  }

  /// Ends the branch's session; the steps stay, and a call begins another one.
  public func end() {
    session?.end()
    session = nil
  }
}

/// An action on its way onto a branch, with what is recorded of it.
struct BranchAction {
  var action: ReplayAction
  /// The recorded step that it repeats.
  var repeats: UInt64?
  /// The recorded cause.
  var cause: UInt64?
  var effect: String?
  var from: String?
}

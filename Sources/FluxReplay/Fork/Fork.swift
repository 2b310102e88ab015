public import FluxJSON
public import FluxLog
import FluxSystem

/// A history that leaves a recording at a position, and continues with other actions.
///
/// It begins with fresh stores in the recorded states of that position. If the recorder left states out there,
/// because it was behind, the steps before it run again to rebuild them. Dispatched actions run with their
/// follow-ups; effects do not run. Time advances only by the times of the actions and, where they repeat recorded ones, of
/// their recorded follow-ups. The recording never changes.
///
/// ```swift
/// let fork = try Fork(at: 41, of: timeline, in: app)
/// try fork.dispatch(["type": "todo/add", "payload": ["title": "milk"]])
/// print(fork.model)
/// ```
/// If a call loses the app's process, the fork stays as it was before the call. The next call starts a new
/// process in the fork's current states.
///
/// Used by one thread at a time.
public final class Fork {
  /// The recording.
  public let timeline: Timeline
  /// The description of the app.
  public let app: AppDescription
  /// The steps of the fork as a value.
  package internal(set) var history: ForkHistory
  /// The recorded steps that were left out because their causes did not happen on the fork.
  package internal(set) var droppedOrphans: [UInt64] = []
  /// The position of the last recorded step of the range that was dispatched again, whether or not the fork repeats it.
  var lastOfRange: Int?
  /// The numbers that no step has between those of that range.
  var missingOfRange: [ClosedRange<UInt64>] = []

  private let source: any ReplayApp
  private let start: SessionStart
  /// The recorded model that the fork, or the one that it left, began in.
  let base: RecordedModel
  /// The numbers on the fork of the steps that repeat recorded root actions, by the recorded numbers.
  private var repeatNumbers: [UInt64: UInt64] = [:]
  private var session: (any ReplaySession)?
  /// The greatest number of a step whose random numbers were drawn before the fork.
  private let randomStepBefore: UInt64

  /// Starts a fork.
  ///
  /// - Parameters:
  ///   - position: The position in the recording, as `Timeline` counts.
  ///   - timeline: The recording.
  ///   - app: The source of fresh stores.
  /// - Throws: `LogError` if the states there are unknown or cannot be read, ``ReplayFailure`` if the app
  ///   cannot be run, or the states do not fit its stores.
  public convenience init(
    at position: Int, of timeline: Timeline, in app: any ReplayApp
  ) throws {
    try self.init(after: position, in: timeline.model(at: position), of: timeline, app)
  }

  /// Starts a fork right before a step.
  ///
  /// It begins in the states after the previous step or, if the app went back to another model in between, in that model.
  /// The rest is as for ``init(at:of:in:)``.
  ///
  /// - Throws: The errors of ``init(at:of:in:)``.
  public convenience init(
    before position: Int, of timeline: Timeline, in app: any ReplayApp
  ) throws {
    let model = try timeline.model(before: position)
    try self.init(after: position - 1, in: model, of: timeline, app)
  }

  /// Starts a fork after the step at a position, in a recorded model.
  private init(
    after position: Int, in model: RecordedModel, of timeline: Timeline, _ app: any ReplayApp
  ) throws {
    let description = try app.describe()
    try description.requireStore(of: timeline.log)
    var rebuilt: StoreDictionary<JSON>?
    if !model.unknownStores.isEmpty {
      let rebuilding = try timeline.rebuildingSession(
        after: timeline.log.sourcePosition(of: model.position), in: app, description)
      guard let (session, _) = rebuilding else {
        throw timeline.unknown(model.unknownStores, at: model.position)
      }
      defer { session.end() }
      rebuilt = try session.states()
    }
    var start = try SessionStart(
      .simulate, after: position, in: model, of: timeline, for: description)
    start.next = timeline.log.number(at: position).map { $0 + 1 } ?? timeline.log.header.first
    if let rebuilt { start.begin(in: rebuilt, of: description) }
    self.start = start
    let last = try position < 0 ? nil : timeline.step(at: position).randomStep
    randomStepBefore = max(start.next &- 1, last ?? 0)
    let session = try app.start(start)
    history = ForkHistory(beginningIn: try session.states(), first: start.next, at: position)
    base = model
    self.timeline = timeline
    self.app = description
    self.source = app
    self.session = session
  }

  /// Starts a fork that leaves another fork after some of its steps, in the states there or in edited ones.
  ///
  /// The other fork does not change, and the new one has none of its steps. The edits have the app's names for its stores; one
  /// without a state removes a feature.
  ///
  /// - Throws: ``ReplayFailure`` if the app cannot be run, or a state does not fit its store.
  package init(
    leaving other: Fork, afterSteps count: Int, editing edits: [ReplayedStep.Change] = []
  ) throws(ReplayFailure) {
    var start = other.start
    var edited = other.history.states(afterSteps: count)
    for edit in edits { edited[edit.store] = edit.state }
    start.begin(in: edited, of: other.app)
    if let last = other.steps.prefix(max(0, count)).last {
      (start.next, start.time) = (last.number + 1, last.time)
    }
    let session = try other.source.start(start)
    history = ForkHistory(
      beginningIn: try session.states(), first: start.next, at: other.history.position)
    (timeline, app, source, base) = (other.timeline, other.app, other.source, other.base)
    randomStepBefore = other.lastRandomStep
    self.start = start
    self.session = session
  }

  deinit { session?.end() }

  /// The steps on the fork.
  public var steps: [ForkStep] { history.steps }

  package var next: UInt64 { start.next + UInt64(steps.count) }

  /// The time of the last step; on a fork without steps, the time of its position.
  package var time: LogTime { steps.last?.time ?? start.time }

  /// The fork's current states as one object `{store: state}`, by the app's names for its stores.
  public var model: JSON { Self.model(of: history.states.current) }

  package static func model(of states: StoreDictionary<JSON>) -> JSON {
    JSON(writing: { writer in
      writer.beginObject()
      for (store, state) in states.ordered {
        writer.member(store, Excerpt.shallow(state))
      }
      writer.endObject()
    })
  }

  // MARK: Dispatching

  /// Dispatches an action and its follow-ups.
  ///
  /// - Parameters:
  ///   - action: An object with a `type`, and usually a `payload`.
  ///   - target: The store that it is addressed to.
  ///   - time: The time; nil for that of the last step. Time never goes backwards.
  /// - Returns: Its step, and those of its follow-ups.
  /// - Throws: ``ReplayFailure`` if the app cannot decode the action, or its process was lost; the fork is
  ///   then unchanged.
  @discardableResult
  public func dispatch(
    _ action: JSON, to target: String? = nil, at time: LogTime? = nil
  ) throws(ReplayFailure) -> [ForkStep] {
    // Random numbers that the fork has drawn already would give an id twice.
    let randomStep = lastRandomStep < next ? nil : lastRandomStep + 1
    return try run([
      ForkAction(
        action: ReplayAction(
          time: time ?? self.time, action: action, target: target, randomStep: randomStep))
    ])
  }

  /// The greatest number of a step whose random numbers the fork has drawn, or of a step before it.
  private var lastRandomStep: UInt64 {
    steps.reduce(randomStepBefore) { max($0, $1.randomStep ?? $1.number) }
  }

  /// The number of actions to dispatch at a time: the states after all steps of a call are in memory at once.
  private var batchSize: Int {
    let byteCount = history.states.current.reduce(0) { $0 + $1.value.byteCount }
    return min(max(BatchSize.bytes / max(byteCount, 1), 1), BatchSize.awaitedSteps)
  }

  /// Dispatches actions batch by batch, each when it is due; nil leaves one out.
  func run<Source>(each sources: [Source], _ action: (Source) throws -> ForkAction?) throws {
    var rest = sources[...]
    while !rest.isEmpty {
      let batch = rest.prefix(batchSize)
      rest = rest.dropFirst(batch.count)
      try run(batch.compactMap(action))
    }
  }

  /// Dispatches all actions or none, appends their steps, and returns them.
  @discardableResult
  func run(_ actions: [ForkAction]) throws(ReplayFailure) -> [ForkStep] {
    guard !actions.isEmpty else { return [] }
    var latest = time
    let dispatched = actions.map { action in
      var given = action.action
      latest = max(latest, given.time)
      given.time = latest
      latest = max(latest, given.followUpTimes?.last ?? latest)
      return given
    }
    do {
      let answer = try running().dispatch(dispatched)
      let made = try forkSteps(actions, answer)
      for (step, replayed) in zip(made, answer) {
        history.append(step, replayed)
        if let repeats = step.repeats { repeatNumbers[repeats] = step.number }
      }
      return made
    } catch {
      // It is unknown which actions ran, so the next call starts a new session.
      end()
      throw error
    }
  }

  /// Returns the session, or starts a new one in the current states.
  private func running() throws(ReplayFailure) -> any ReplaySession {
    if let session { return session }
    var start = start
    start.begin(in: history.states.current, of: app)
    start.next = next
    start.time = time
    let session = try source.start(start)
    self.session = session
    return session
  }

  /// Converts a session's answer: the first step of each action is its own, all others are follow-ups.
  private func forkSteps(
    _ actions: [ForkAction], _ answer: [ReplayedStep]
  ) throws(ReplayFailure) -> [ForkStep] {
    var made: [ForkStep] = []
    /// The numbers of the repeated steps in this answer, by their recorded numbers.
    var numbers: [UInt64: UInt64] = [:]
    var rest = actions[...]
    var source = RandomSource.own
    for step in answer {
      guard step.cause == nil else {
        var followUp = ForkStep(step, action: .null)
        followUp.drew(from: source)
        made.append(followUp)
        continue
      }
      guard let given = rest.popFirst() else { throw violation("a step without an action") }
      if case .undecodable(let why) = step.outcome {
        throw ReplayFailure(
          .undecodable(why), step: given.repeats, action: given.action.action["type"]?.string)
      }
      var own = ForkStep(step, action: given.action.action)
      own.target = given.action.target.map(app.storeName)
      own.effect = given.effect
      own.from = given.from
      source = RandomSource(of: given.action, in: step.number)
      own.drew(from: source)
      own.repeats = given.repeats
      own.cause = given.cause.flatMap { $0 < history.first ? $0 : numbers[$0] ?? repeatNumbers[$0] }
      if let repeats = given.repeats { numbers[repeats] = step.number }
      made.append(own)
    }
    guard rest.isEmpty else { throw violation("\(rest.count.counted("action")) without a step") }
    for (step, number) in zip(made, next...) where step.number != number {
      throw violation("step \(step.number) after step \(number &- 1)")
    }
    return made
  }

  private func violation(_ found: String) -> ReplayFailure {
    ReplayFailure(
      .protocolViolation(
        found: found, expected: "an answer for each request, in order"))
  }

  /// Assigns each follow-up the recorded follow-up that it repeats: those of the same step, in order.
  ///
  /// Only then are the causes known of steps that follow-ups caused, through effects or observers.
  func repeatFollowUps(_ recorded: RedispatchedSteps) {
    /// The recorded follow-ups that are still to come, by the numbers of their causes on the fork.
    var due: [UInt64: ArraySlice<UInt64>] = [:]
    /// The numbers on the fork, by the recorded ones.
    var numbers: [UInt64: UInt64] = [:]
    for place in steps.indices {
      if steps[place].repeats == nil, let cause = steps[place].cause {
        history.steps[place].repeats = due[cause]?.popFirst()
      }
      guard let repeats = steps[place].repeats else { continue }
      due[steps[place].number] = recorded.followUps[repeats]?[...]
      numbers[repeats] = steps[place].number
      if steps[place].cause == nil, let cause = recorded.recordedCauses[repeats] {
        history.steps[place].cause = numbers[cause]
      }
    }
  }

  /// Returns a recorded state in the app's current form.
  func upcast(_ state: JSON, of store: String) throws(ReplayFailure) -> JSON {
    guard app.upcastStores.contains(exactly: store) else { return state }
    return try running().upcast([store: state], for: app)[store] ?? state
  }

  /// Ends the fork's session; the steps stay, and the next call starts another session.
  public func end() {
    session?.end()
    session = nil
  }
}

/// An action to dispatch on a fork, with its recorded origin.
struct ForkAction {
  var action: ReplayAction
  var repeats: UInt64?
  var cause: UInt64?
  var effect: String?
  var from: String?
}

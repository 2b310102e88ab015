import FluxLog

/// The replay of actions in flight, one after the other.
struct RebuildRun {
  private(set) var rebuilt: RebuiltSteps
  private let session: any ReplaySession
  private let logNames: [String: String]
  private var owed: OwedFollowUps
  private var tokens: RedactedStates

  /// Begins in the last states of a log.
  init(
    _ timeline: Timeline, _ app: any ReplayApp, _ model: RecordedModel, first: InFlightAction,
    timeout: Double?
  ) throws {
    let description = try app.describe()
    owed = try Self.owed(timeline, app, description, timeout)
    tokens = try RedactedStates(timeline.log.header.redacted)
    rebuilt = RebuiltSteps(states: model.states.compactMapValues(\.json))
    logNames = Dictionary(
      timeline.log.storeNames.map { (description.storeName(for: $0), $0) },
      uniquingKeysWith: { first, _ in first })
    let end = timeline.log.count
    var start = try SessionStart(
      replaying: Stretch(base: timeline.end, positions: end..<end), from: model, of: timeline,
      in: description, timeout: timeout)
    start.next = first.number
    session = try app.start(start)
  }

  func end() { session.end() }

  /// Dispatches an action, and takes in its step; false where it and those after it cannot be rebuilt.
  mutating func rebuild(_ action: InFlightAction) throws -> Bool {
    guard action.isCommitted else {
      return stop(at: action, "it was under way when the app ended")
    }
    guard let json = action.action else {
      return stop(at: action, "it was too large to be noted whole")
    }
    let followed = owed.take(json)
    let steps = try session.dispatch([
      ReplayAction(
        number: action.number, time: action.time, action: json, target: followed?.target)
    ])
    guard let step = steps.first, steps.count == 1, step.number == action.number else {
      throw ReplayFailure(
        .protocolViolation(found: "\(steps.count) steps of 1 action", expected: "one step of it"),
        step: action.number, action: action.type)
    }
    if case .undecodable(let why) = step.verdict { return stop(at: action, why) }
    var record = StepRecord(
      number: action.number, time: action.time, action: PreparedAction(LogValue(json: json)))
    record.target = followed?.target
    record.cause = followed?.cause
    if case .rejected(let rejection) = step.verdict { record.rejection = rejection }
    for change in step.changes {
      let store = logNames[change.store] ?? change.store
      let state = try change.state.map { try tokens.redacted($0, of: store, recorded: nil) }
      record.changes.append(
        StepRecord.Change(store: store, state: state.map { LogValue(json: $0) }))
    }
    owed.add(step.followUps, from: step.number)
    rebuilt.steps.append(record)
    return true
  }

  private mutating func stop(at action: InFlightAction, _ why: String) -> Bool {
    rebuilt.notes.append(
      "step \(action.number)\(action.type.map { ", \($0)" } ?? "") is not rebuilt: \(why)")
    return false
  }

  /// What the steps of the log have asked for, and the log does not have any more.
  private static func owed(
    _ timeline: Timeline, _ app: any ReplayApp, _ description: AppDescription, _ timeout: Double?
  ) throws -> OwedFollowUps {
    var owed = OwedFollowUps()
    let log = timeline.log
    guard let stretch = try StretchPlan(timeline, 0..<log.count).stretches.last,
      stretch.positions.upperBound == log.count
    else { return owed }
    let model = try timeline.model(at: stretch.base)
    let session = try app.start(
      SessionStart(
        replaying: stretch, from: model, of: timeline, in: description, timeout: timeout))
    defer { session.end() }
    var walk = RecordedWalk(model)
    var position = stretch.positions.lowerBound
    while position < log.count {
      let batch = try RecordedBatch(position..<min(position + 512, log.count), log, &walk)
      let replayed = try ReplayedBatch(batch, in: session)
      if let failure = replayed.failure { throw failure }
      for (step, now) in zip(batch.steps, replayed.steps) {
        owed.meet(step)
        if let now, step.rejection == nil { owed.add(now.followUps, from: step.number) }
      }
      guard batch.damage == nil else { return owed }
      position += batch.steps.count
    }
    return owed
  }
}

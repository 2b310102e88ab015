import FluxLog

/// The replay of actions in flight, one after the other.
struct RebuildRun {
  private(set) var rebuilt: RebuiltSteps
  private let session: any ReplaySession
  private let logNames: StoreDictionary<String>
  private var tokens: RedactedStates
  /// The number of the step that comes next.
  private var next: UInt64

  /// Begins in the last states of a log.
  init(
    _ timeline: Timeline, _ app: any ReplayApp, _ model: RecordedModel, first: InFlightAction,
    timeout: Double?
  ) throws {
    let description = try app.describe()
    tokens = try RedactedStates(timeline.log.header.redacted)
    rebuilt = RebuiltSteps(states: model.states.compactMapValues(\.json))
    logNames = StoreDictionary(
      timeline.log.storeNames.map { (description.storeName(for: $0), $0) },
      uniquingKeysWith: { first, _ in first })
    let end = timeline.log.count
    var start = try SessionStart(
      replaying: Stretch(base: timeline.end, positions: end..<end), from: model, of: timeline,
      in: description, timeout: timeout)
    next = first.number
    start.next = next
    session = try app.start(start)
  }

  func end() { session.end() }

  /// Dispatches an action, and takes in its step; false where it and those after it cannot be rebuilt.
  mutating func rebuild(_ action: InFlightAction) throws -> Bool {
    guard action.number == next else {
      rebuilt.notes.append(missing(before: action))
      return false
    }
    guard action.isCommitted else {
      return stop(at: action, "it was running when the app ended")
    }
    guard let json = action.action else {
      return stop(at: action, "it was too large to be kept")
    }
    let steps = try session.dispatch([
      ReplayAction(
        number: action.number, time: action.time, action: json, target: action.origin.target)
    ])
    guard let step = steps.first, steps.count == 1, step.number == action.number else {
      throw ReplayFailure(
        .protocolViolation(found: "\(steps.count) steps of 1 action", expected: "one step of it"),
        step: action.number, action: action.type)
    }
    if case .undecodable(let why) = step.verdict { return stop(at: action, why) }
    var record = StepRecord(
      number: action.number, time: action.time, action: PreparedAction(LogValue(json: json)))
    record.target = action.origin.target
    record.cause = action.origin.cause
    record.effect = action.origin.effect
    record.from = action.origin.from
    if case .rejected(var rejection) = step.verdict {
      rejection.message = tokens.texts.replaced(inMessage: rejection.message)
      record.rejection = rejection
    }
    for change in step.changes {
      let store = logNames[change.store] ?? change.store
      let state = try change.state.map { try tokens.redacted($0, of: store, recorded: nil) }
      record.changes.append(
        StepRecord.Change(store: store, state: state.map { LogValue(json: $0) }))
    }
    rebuilt.steps.append(record)
    next += 1
    return true
  }

  /// Says that steps are missing which may have changed the states.
  private func missing(before action: InFlightAction) -> String {
    let last = action.number - 1
    let steps = next == last ? "step \(next) is" : "steps \(next) to \(last) are"
    return "\(steps) neither in the log nor among the actions in flight: step \(action.number) and "
      + "those after it are not rebuilt, and the log ends with step \(next - 1)"
  }

  private mutating func stop(at action: InFlightAction, _ why: String) -> Bool {
    rebuilt.notes.append(
      "step \(action.number)\(action.type.map { ", \($0)" } ?? "") is not rebuilt: \(why)")
    return false
  }
}

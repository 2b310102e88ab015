package import FluxLog
import FluxSystem

/// Repairs the log of an app that crashed, and rebuilds the steps that had no line yet.
///
/// The file of actions in flight has their actions. The repair dispatches them again from the last states of
/// the log, in order, and writes the resulting steps. It leaves out the action that was running when the app
/// crashed.
///
/// A pause or a filter of the recorder keeps a step out of that file, too. Its changes are unknown, so
/// nothing after it is rebuilt.
///
/// The file has targets, causes and effects as well. Middleware does not run: the stores also get an action
/// that a middleware had rejected.
package struct CrashRepair: Sendable {
  private let timeline: Timeline
  private let app: any ReplayApp

  package init(of timeline: Timeline, in app: any ReplayApp) {
    (self.timeline, self.app) = (timeline, app)
  }

  /// Writes the repaired log to a new file, with the progress of `Timeline.repair(to:progress:)`.
  ///
  /// - Throws: ``ReplayFailure`` if the app cannot be run, `LogError` if the log cannot be read or the new
  ///   file cannot be written, and the errors of `progress`. After an error, there is no new file.
  package func write(
    to path: String, progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RepairReport {
    try timeline.repair(to: path, appending: try rebuilt(), progress: progress)
  }

  private func rebuilt() throws -> RebuiltSteps {
    try timeline.log.waitForIndex()
    let actions = try timeline.log.inFlight()
    guard let first = actions.first else { return RebuiltSteps() }
    guard first.number == timeline.log.numberAfterEnd, timeline.log.hasModelAtEnd,
      var run = try RebuildRun(timeline, app, first: first)
    else {
      return RebuiltSteps(notes: [
        "step \(first.number) and those after it are not rebuilt: the states before them are not known"
      ])
    }
    defer { run.end() }
    for action in actions where try !run.rebuild(action) { break }
    run.noteEffects()
    return run.rebuilt
  }
}

extension LogFile {
  /// Returns the first actions in flight, as far as an app that decodes them can rebuild their steps.
  package func rebuildable(_ actions: [InFlightAction]) -> ArraySlice<InFlightAction> {
    guard hasModelAtEnd else { return [] }
    var next = numberAfterEnd
    return actions.prefix { action in
      defer { next &+= 1 }
      return action.number == next && action.isCommitted && !action.isDropped
        && action.action != nil
    }
  }

  /// The number of the step after the last step or gap.
  fileprivate var numberAfterEnd: UInt64 {
    if let last = gaps.last, last.position == count { return last.gap.through &+ 1 }
    return number(at: count - 1).map { $0 + 1 } ?? header.first
  }

  /// `false` if a gap ends the log, unless the app went back to a model that the log has.
  fileprivate var hasModelAtEnd: Bool {
    breaks.last?.position != count || isRestored(before: count)
  }
}

/// The replay of actions in flight, in order.
struct RebuildRun {
  private(set) var rebuilt: RebuiltSteps
  private let session: any ReplaySession
  private let logNames: StoreDictionary<String>
  private let recordsEffects: Bool
  private let tellsEffects: Bool
  private var tokens: RedactedStates
  private var next: UInt64

  /// Starts in the states after the last line, which may restore an earlier model; nil if damage or a gap hides them.
  ///
  /// States that the recorder left out are rebuilt first.
  init?(
    _ timeline: Timeline, _ app: any ReplayApp, first: InFlightAction
  ) throws {
    let description = try app.describe()
    let found = try LogError.unlessDamaged { () throws(LogError) in
      try timeline.model(before: timeline.log.count)
    }
    guard let model = found else { return nil }
    let isRestored = timeline.log.isRestored(before: timeline.log.count)
    // A recorder lists the states of a gap if those of the step that it would name are not written.
    let unwritten = isRestored ? [] : timeline.unwrittenStores(at: timeline.end)
    guard model.unknownStores.allSatisfy({ unwritten.contains(exactly: $0) }) else { return nil }
    recordsEffects = timeline.log.header.recordsEffects
    tellsEffects = description.tellsAllEffects
    tokens = try RedactedStates(timeline.log.header.redacted, only: timeline.log.header.only)
    // A store that is not written is not there either, so its first rebuilt state is written whole.
    rebuilt = RebuiltSteps(states: model.states.compactMapValues(\.json))
    rebuilt.unwritten = unwritten
    rebuilt.followsGap = isRestored
    logNames = description.recordedNames(of: timeline.log)
    next = first.number
    guard unwritten.isEmpty else {
      let rebuilding = try timeline.rebuildingSession(
        after: timeline.end, in: app, description)
      guard let (session, base) = rebuilding else { return nil }
      self.session = session
      let step = timeline.number(at: base.position) ?? 0
      rebuilt.notes.append(
        "the state of \(unwritten.joined(separator: ", ")) is not written in the last steps: the steps after "
          + "step \(step) ran again to rebuild it")
      return
    }
    var start = try SessionStart(
      .replay, after: timeline.end, in: model, of: timeline, for: description)
    start.next = next
    session = try app.start(start)
  }

  func end() { session.end() }

  /// Dispatches an action, and adds its step; returns `false` if it and those after it cannot be rebuilt.
  mutating func rebuild(_ action: InFlightAction) throws -> Bool {
    guard action.number == next else {
      rebuilt.notes.append(missing(before: action))
      return false
    }
    if action.isDropped {
      rebuilt.notes.append(
        "step \(action.number) and those after it are not rebuilt: the recorder had no room for their actions"
      )
      return false
    }
    guard action.isCommitted else {
      return stop(at: action, "it was running when the app ended")
    }
    guard let json = action.action else {
      return stop(at: action, "it was too large to be kept")
    }
    let dispatched = ReplayAction(
      number: action.number, time: action.time, action: json, target: action.origin.target)
    let batch = try ReplayedBatch([dispatched], in: session)
    guard let step = batch.steps.first else { throw batch.failure ?? ReplayFailure(.ended) }
    if case .undecodable(let why) = step.outcome { return stop(at: action, why) }
    if step.needsSecret {
      return stop(at: action, "it needs a secret whose value or token only the app had")
    }
    let origin = action.origin
    var record = StepRecord(
      number: action.number, time: action.time, action: LogValue(json: json),
      target: origin.target, cause: origin.cause, effect: origin.effect, from: origin.from)
    if case .rejected(var rejection) = step.outcome {
      rejection.message = tokens.texts.replaced(inMessage: rejection.message)
      record.rejection = rejection
    }
    if recordsEffects {
      record.effects = (step.storeEffects ?? []).map { effects in
        StoreEffects(store: logNames[effects.store] ?? effects.store, names: effects.names)
      }
    }
    record.changes = try step.changes.map { change in
      let store = logNames[change.store] ?? change.store
      let state = try change.state.map { try tokens.redacted($0, of: store, recorded: nil) }
      return StepRecord.Change(store: store, json: state)
    }
    rebuilt.steps.append(record)
    next += 1
    return true
  }

  /// Notes if the log lists the effects of its steps, and the app does not tell those of the rebuilt ones.
  mutating func noteEffects() {
    let count = rebuilt.steps.count
    guard recordsEffects, !tellsEffects, count > 0 else { return }
    rebuilt.notes.append(
      "\(count.counted("step")) rebuilt without effects: the app does not report them (a host of "
        + "protocol 1.0 reports none), so the log shows none for steps that may have had some")
  }

  /// Returns a note on missing steps, which may have changed the states.
  private func missing(before action: InFlightAction) -> String {
    let last = action.number - 1
    let steps = next == last ? "step \(next) is" : "steps \(next) to \(last) are"
    return "\(steps) neither in the log nor among the actions in flight: step \(action.number) and "
      + "those after it are not rebuilt, and the log ends with step \(next - 1)"
  }

  private mutating func stop(at action: InFlightAction, _ why: String) -> Bool {
    rebuilt.notes.append(
      "step \(action.number)\(action.type.map { ", \($0)," } ?? "") is not rebuilt: \(why)")
    return false
  }
}

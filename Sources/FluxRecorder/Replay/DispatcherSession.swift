import FluxCore
import FluxJSON
import FluxLog
import FluxReplay
import Foundation

/// A session in this process: a dispatcher with fresh stores.
final class DispatcherSession: ReplaySession {
  private let dispatcher: Dispatcher
  private let coder: ActionCoder
  private let evolution: Evolution
  private let mode: SessionStart.Mode
  private let clock: SessionClock
  private let collector = StepCollector(keepsModels: false)
  private let secrets = SecretMonitor()
  /// The last states that were large, as they were encoded: most of the next ones is the same.
  private var encoded: [StoreID: EncodedState] = [:]
  /// The steps of the last action; kept for their memory.
  private var finished: [StepCollector.Entry] = []
  /// `true` if the last action drew the random numbers of another step.
  private var drawsOthers = false
  private var isOver = false

  init(
    _ stores: [any Store], _ evolution: Evolution, _ start: SessionStart
  ) throws(ReplayFailure) {
    let clock = SessionClock(created: start.created, time: start.time)
    let restored = RestoredStates(start, evolution)
    dispatcher = Dispatcher(
      stores, states: restored, after: start.next &- 1, at: clock.date(of: start.time),
      mode: start.mode == .replay ? .replay : .simulate, seed: start.seed, now: { clock.read() })
    if let problems = restored?.problems, !problems.isEmpty {
      throw ReplayFailure(.statesNotRestorable(problems))
    }
    self.mode = start.mode
    self.clock = clock
    self.evolution = evolution
    var coder = ActionCoder(types: dispatcher.actionTypes)
    coder.decoder = .replaying
    self.coder = coder
    dispatcher.use(collector)
  }

  func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
    guard !isOver else { throw ReplayFailure(.ended) }
    var steps: [ReplayedStep] = []
    steps.reserveCapacity(actions.count)
    for action in actions { try dispatch(action, &steps) }
    return steps
  }

  private func dispatch(
    _ action: ReplayAction, _ steps: inout [ReplayedStep]
  ) throws(ReplayFailure) {
    let read: (action: any Action, today: JSON?)
    do {
      read = try self.read(action.action)
    } catch {
      let number = action.number ?? dispatcher.context.nextStep
      var step = ReplayedStep(number: number, time: action.time, outcome: .undecodable("\(error)"))
      step.redacted = (error as? ActionCodingError)?.redacted
      steps.append(step)
      return
    }
    let target = action.target.map { StoreID(evolution.storeName(for: $0)) }
    if action.randomStep != nil {
      let number = mode == .replay ? action.number : nil
      let source = RandomSource(of: action, in: number ?? dispatcher.context.nextStep)
      dispatcher.drawRandomNumbers { source.step(for: $0) }
    } else if drawsOthers {
      dispatcher.drawRandomNumbers(of: nil)
    }
    drawsOthers = action.randomStep != nil
    // Last, because the dispatcher's context has a time as well.
    clock.set(to: action.time, followUps: action.followUpTimes ?? [])
    SecretMonitor.$current.withValue(secrets) {
      if let number = action.number, mode == .replay {
        dispatcher.replay(
          read.action, to: target, step: number, at: clock.date(of: action.time),
          secrets: action.secrets)
      } else if !action.secrets.isEmpty {
        // The clock goes on to the times of the follow-ups, as when the dispatcher reads it.
        dispatcher.replay(
          read.action, to: target, step: dispatcher.context.nextStep, at: clock.read(),
          secrets: action.secrets)
      } else {
        dispatcher.dispatch(read.action, to: target)
      }
    }
    let needsSecret = secrets.take()
    collector.take(&finished)
    // Their models are released before the next step, which would copy its states otherwise.
    defer { finished.removeAll(keepingCapacity: true) }
    for (index, entry) in finished.enumerated() {
      let step = entry.step
      var replayed = try replayed(
        step, at: action.time(ofStep: index), index == 0 ? action.recorded : [])
      replayed.needsSecret = needsSecret
      if index == 0 {
        replayed.action = read.today
        // A rejected step has drawn secrets that nothing tells.
        if step.outcome.rejection == nil {
          replayed.unusedSecrets = max(0, action.secrets.count - step.outcome.secrets.count)
        }
      } else {
        replayed.action = try json(of: step.envelope.action, step.envelope.step)
        replayed.target = step.envelope.target?.rawValue
        replayed.cause = step.envelope.cause
      }
      steps.append(replayed)
    }
  }

  /// Decodes a recorded action; returns its current form too if that has another type or lacks a part of the payload, or
  /// if the payload has a token.
  private func read(_ recorded: JSON) throws -> (action: any Action, today: JSON?) {
    guard let today = try evolution.action(recorded) else {
      let action = try coder.decode(recorded)
      guard let payload = recorded["payload"] else { return (action, nil) }
      let today = try coder.encode(action)
      // Logs of older versions have the cases of a nested enum in the payload, and its follow-ups have them now
      // in the type.
      let isSame =
        today == recorded
        || today["type"] == recorded["type"] && !RedactionToken.isAnywhere(in: payload)
          && StateComparison.places(of: payload, lostIn: today["payload"]).isEmpty
      return (action, isSame ? nil : today)
    }
    let action = try coder.decode(today)
    return (action, try coder.encode(action))
  }

  private func replayed(
    _ step: CompletedStep, at time: LogTime, _ recorded: [RecordedChange]
  ) throws(ReplayFailure) -> ReplayedStep {
    var replayed = ReplayedStep(number: step.envelope.step, time: time)
    if let rejection = step.outcome.rejection {
      replayed.outcome = .rejected(LogRejection(rejection))
      return replayed
    }
    replayed.changes.reserveCapacity(step.changed.count)
    for store in step.changed {
      let known = recorded.first { change in
        evolution.storeName(for: change.store).hasSameBytes(as: store.rawValue)
      }
      replayed.changes.append(
        ReplayedStep.Change(
          store: store.rawValue,
          state: try json(
            of: step.model.snapshot(of: store), store, at: step.envelope.step,
            likely: known?.state)))
    }
    for followUp in step.outcome.followUps {
      replayed.followUps.append(
        ReplayedStep.FollowUp(
          action: try json(of: followUp.action, step.envelope.step),
          target: followUp.target?.rawValue))
    }
    let requested = step.outcome.requestedEffects
    if !requested.isEmpty {
      replayed.effects = step.outcome.effects
      replayed.storeEffects = [StoreEffects](requested)
    }
    return replayed
  }

  /// Encodes a state for a log; nil for a feature that is absent.
  ///
  /// Returns the recorded state `known` if that has the same text.
  private func json(
    of state: StateSnapshot?, _ store: StoreID, at step: UInt64?, likely known: JSON? = nil
  ) throws(ReplayFailure) -> JSON? {
    guard let state else {
      encoded[store] = nil
      return nil
    }
    return try ReplayFailure.encoding("the state of \(store)", step: step) {
      // Most sessions have no large state, and a look at the dictionary would hash each name.
      if !encoded.isEmpty, let json = try encoded[store]?.update(to: state, likely: known) {
        if json.byteCount < EncodedState.smallest { encoded[store] = nil }
        return json
      }
      let json = try LogEncoder().encode(state, likely: known)
      if json.byteCount >= EncodedState.smallest { encoded[store] = EncodedState(json: json) }
      return json
    }
  }

  private func json(of action: any Action, _ step: UInt64) throws(ReplayFailure) -> JSON {
    try ReplayFailure.encoding("the action \(type(of: action).kind)", step: step) {
      try coder.encode(action)
    }
  }

  var model: Model { dispatcher.model }

  func states() throws(ReplayFailure) -> StoreDictionary<JSON> {
    guard !isOver else { throw ReplayFailure(.ended) }
    let model = dispatcher.model
    var states: StoreDictionary<JSON> = [:]
    for store in model.stores {
      states[store.rawValue] = try json(of: model.snapshot(of: store), store, at: nil)
    }
    return states
  }

  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    try evolution.upcast(states)
  }

  func end() {
    isOver = true
  }
}

/// The last state of a store, and what its encoding remembers.
private struct EncodedState {
  /// The size from which unchanged elements are not encoded again.
  ///
  /// A smaller state is encoded whole, as a recorder does not: that finds elements whose texts depend on more than their
  /// values. In a larger one, the memory's audits find them in turn.
  static let smallest = 1 << 14

  let memory = StateMemory()
  var json: JSON

  mutating func update(to state: some Encodable, likely known: JSON?) throws -> JSON {
    json = try LogEncoder().encode(state, likely: known, remembering: memory, after: json)
    return json
  }
}

extension ReplayAction {
  /// Returns the time of its step, which has the index 0, or of one of the follow-ups after it.
  fileprivate func time(ofStep index: Int) -> LogTime {
    index > 0 ? followUpTimes?.prefix(index).last ?? time : time
  }
}

/// The clock of a session, which stands still at the time of the last dispatched action, or of its last follow-up that has
/// a time.
private final class SessionClock: @unchecked Sendable {
  // Sendable: `created` is constant, and `lock` guards the others.
  private let created: LogInstant
  private let lock = Lock()
  private var current: LogTime
  /// The times of the steps that are still to come.
  private var following: ArraySlice<LogTime> = []

  init(created: LogInstant, time: LogTime) {
    self.created = created
    current = time
  }

  func set(to time: LogTime, followUps: [LogTime]) {
    // Not `withLock`, which is not specialized across modules: each step of a replay sets the clock.
    lock.lock()
    defer { lock.unlock() }
    (current, following) = (time, followUps[...])
  }

  /// Returns the time of a step that begins; a dispatcher reads its clock once in each.
  func read() -> Date {
    let time = lock.withLock {
      let time = current
      if let next = following.popFirst() { current = next }
      return time
    }
    return date(of: time)
  }

  /// Returns a time as a date in whole microseconds, equal to the date that the recorder logged.
  func date(of time: LogTime) -> Date { Date(created, plus: time) }
}

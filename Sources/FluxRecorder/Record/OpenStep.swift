import FluxCore
public import FluxLog
import FluxSystem
import Foundation

/// A step of `Recorder.begin(_:)` that has begun and not ended.
///
/// Its action is logged, and its reducer can run now. If the step is discarded without an end, for
/// example because the reducer throws, it counts as rejected.
///
/// A step cannot be copied. To keep it between two calls, such as those of a logger, take it out of the optional
/// property; `step?.commit(…)` would copy it, and does not compile:
/// ```swift
/// final class StepLogger {
///   let recorder: Recorder
///   var step: OpenStep?
///
///   init(_ recorder: Recorder) { self.recorder = recorder }
///
///   func willRun(_ action: CounterAction) { step = recorder.begin(action) }
///
///   func didRun(_ state: Counter) { step.take()?.commit(states: ["counter": state]) }
/// }
/// ```
/// In an `@Observable` class, mark the property as `@ObservationIgnored`.
public struct OpenStep: ~Copyable {
  /// The number of the step; nil if it is inside another step or recording could not begin.
  public var number: UInt64? { log == nil ? nil : turn }
  private let recorder: Recorder
  private let steps: AppSteps?
  private let log: Recording?
  /// The number for ``inputs``: steps are counted even if there is no log.
  private let turn: UInt64?
  /// The time of the step in the log; nil if it is not written.
  private let time: LogTime?
  private var state: State

  private enum State {
    case recorded(StepRecord, began: ContinuousClock.Instant?)
    case leftOut(LogGap.Why, LogValue)
    /// The step is inside another step, or there is no log.
    case unrecorded
    case ended
  }

  /// Takes the turn and logs the action; `isOpen` is `true` if its reducer runs before the step ends.
  init(
    _ recorder: Recorder, _ action: AppAction, _ origin: ActionOrigin, source: CallSite,
    isOpen: Bool
  ) {
    self.recorder = recorder
    (steps, turn) = recorder.enterTurn()
    let (log, isPaused) = turn == nil ? (nil, false) : recorder.logOfSteps
    self.log = log
    guard let turn, let log else {
      time = nil
      state = .unrecorded
      return
    }
    if isOpen, let intervals = recorder.intervals {
      intervals.beginStep(turn, type: action.name)
    }
    let (value, isReflected) = log.encoding { action.logged(recorder.reflected) }
    guard !isPaused, recorder.options.shouldSkip?(action.value) != true else {
      time = nil
      state = .leftOut(isPaused ? .paused : .filtered, value)
      return
    }
    let time = recorder.now(in: log)
    self.time = time
    var record = StepRecord(
      number: turn, time: time,
      action: log.begin(step: turn, at: time, action: value, origin: origin),
      target: origin.target, cause: origin.cause, effect: origin.effect)
    record.isReflected = isReflected
    if recorder.options.recordsSource { record.source = source.description }
    state = .recorded(record, began: isOpen && recorder.options.recordsDuration ? .now : nil)
  }

  /// The time, the random numbers and the UUIDs of the step.
  ///
  /// A replay of the log gives the reducer equal ones. Ask for them once, and pass them to the reducer:
  /// ```swift
  /// let step = recorder.begin(action)
  /// var inputs = step.inputs
  /// reduce(&state, action, &inputs)
  /// step.commit(states: ["app": state])
  /// ```
  /// An action inside another step gets inputs too, but no replay has them.
  public var inputs: StepInputs {
    let now =
      if let time, let log {
        Date(LogInstant(of: log.created), plus: time)
      } else {
        steps?.clock() ?? Date()
      }
    guard let turn, let steps else {
      return StepInputs(seed: .random(in: .min ... .max), number: 0, now: now)
    }
    return StepInputs(seed: steps.seed, number: turn, now: now)
  }

  deinit {
    if case .ended = state { return }
    let rejection = LogRejection(reason: "failed", message: Self.lost)
    end(effects: [], rejection: rejection) { _ in [] }
  }

  private static let lost =
    "the step was neither committed nor rejected: its reducer may have thrown"

  /// Ends the step after its reducer has run.
  ///
  /// - Parameters:
  ///   - states: The states after the step, by the names of their stores. Pass all states, or those
  ///     that may have changed; nil for a state that was removed.
  ///   - effects: The effects that the step starts and cancels, by store; see
  ///     ``Recorder/Options/recordsEffects``.
  public consuming func commit(
    states: [String: (any Encodable & Sendable)?], effects: [StoreEffects] = []
  ) {
    end(effects: effects, rejection: nil) { [recorder] _ in
      recorder.reflected.forget(states.keys)
      return states.sorted { $0.key < $1.key }.map { name, state in
        StepRecord.Change(store: name, state: state.map { LogValue($0) })
      }
    }
    state = .ended
  }

  /// Ends the step after its reducer has run, and reads the states by reflection during the call.
  ///
  /// - Parameters:
  ///   - states: The states after the step, by the names of their stores; see
  ///     ``Recorder/start(reflecting:seed:now:)``.
  ///   - effects: The effects that the step starts and cancels, by store; see
  ///     ``Recorder/Options/recordsEffects``.
  public consuming func commit(reflecting states: [String: Any?], effects: [StoreEffects] = []) {
    end(effects: effects, rejection: nil) { [recorder] log in
      log.encoding { recorder.reflected.changes(states) }
    }
    state = .ended
  }

  /// Ends the step with states that are encoded already.
  consuming func commit(_ changes: [StepRecord.Change]) {
    end(effects: [], rejection: nil) { _ in changes }
    state = .ended
  }

  /// Ends the step as rejected; no state changed.
  ///
  /// - Parameters:
  ///   - message: The reason, as one sentence for people.
  ///   - store: The store that rejected the action, if any.
  public consuming func reject(_ message: String, store: String? = nil) {
    let rejection = LogRejection(reason: "refused", message: message, store: store)
    end(effects: [], rejection: rejection) { _ in [] }
    state = .ended
  }

  /// Ends the step as rejected, because its reducer threw an error; no state changed.
  ///
  /// The message is that of a `Rejection`, and the description of any other error, as in a replay.
  ///
  /// - Parameter error: The error.
  public consuming func reject(_ error: any Error) { reject(Rejection.message(of: error)) }

  private func end(
    effects: [StoreEffects], rejection: LogRejection?,
    changes read: (Recording) -> [StepRecord.Change]
  ) {
    defer { if !recorder.process.isForked { steps?.leave() } }
    guard let number, let log else { return }
    recorder.intervals?.endStep(rejection == nil ? "changed" : "rejected")
    let (changes, writer) = (read(log), log.writer)
    switch state {
    case .recorded(var record, let began):
      record.changes = changes
      record.effects = effects
      record.rejection = rejection
      record.took = began.map { $0.duration(to: .now).wholeMicroseconds }
      writer.append(record)
    case .leftOut(let why, let action):
      log.encoding { writer.skip(step: number, changes: changes, why: why, action: action) }
    case .unrecorded, .ended: break
    }
  }
}

extension Rejection {
  /// Returns the message of the rejection that a reducer's error means.
  static func message(of error: any Error) -> String {
    guard let rejection = error as? Rejection else { return "\(error)" }
    // Only a dispatcher completes it, with the state.
    return rejection == .impossible ? "the action is impossible in this state" : rejection.message
  }
}

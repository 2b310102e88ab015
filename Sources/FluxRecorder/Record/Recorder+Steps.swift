import FluxCore
public import FluxLog
import FluxSystem
import Foundation
import Logging

// The steps of an app without a dispatcher.

extension Recorder {
  /// Records an action after its reducer has run.
  ///
  /// An action is any `Encodable` value; <doc:RecordingAnyReducer> says how it is written. A ``NamedAction`` has an explicit
  /// type and payload. You pass whole states; the thread that writes the log compares them to find the changes. Any thread
  /// can record: steps take turns.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - states: The states after the action, by the names of their stores. Pass all states, or
  ///     those that may have changed; nil for a state that was removed.
  ///   - target: The store that the action was addressed to, if any.
  ///   - cause: The earlier step that caused this one, as this method returned it.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - effects: The effects that the step starts and cancels, by store; see
  ///     ``Options/recordsEffects``.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The number of the step, to be used as the cause of later ones; nil if the call came
  ///   from inside another step or recording could not begin.
  @discardableResult
  public func record(
    _ action: some Encodable & Sendable, states: [String: (any Encodable & Sendable)?],
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    effects: [StoreEffects] = [], file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    record(
      .sent(action), ActionOrigin(target: target, cause: cause, effect: effect),
      CallSite(file: file, line: line)
    ) { $0.commit(states: states, effects: effects) }
  }

  /// Records an action of any type after its reducer has run, with `Encodable` states.
  ///
  /// The action is read during the call: it encodes itself if it is `Encodable`, and otherwise it is read by
  /// reflection. Its name is the same either way. The rest is as for `record(_:states:)`.
  @discardableResult
  public func record(
    _ action: Any, states: [String: (any Encodable & Sendable)?],
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    effects: [StoreEffects] = [], file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    record(
      .read(action), ActionOrigin(target: target, cause: cause, effect: effect),
      CallSite(file: file, line: line)
    ) { $0.commit(states: states, effects: effects) }
  }

  /// Records an action of any type after its reducer has run, and reads the states by reflection during the call.
  ///
  /// See ``start(reflecting:seed:now:)``. The rest is as for `record(_:states:)`.
  @discardableResult
  public func record(
    _ action: Any, reflecting states: [String: Any?],
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    effects: [StoreEffects] = [], file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    record(
      .read(action), ActionOrigin(target: target, cause: cause, effect: effect),
      CallSite(file: file, line: line)
    ) { $0.commit(reflecting: states, effects: effects) }
  }

  /// Records an action that its reducer rejected; no state changed.
  ///
  /// Also from asynchronous code, where `begin(_:)` cannot be called. `rejection` is
  /// the reason as one sentence for people, and `store` the store that rejected the action, if any. The rest is as
  /// for `record(_:states:)`.
  @discardableResult
  public func record(
    _ action: Any, rejection: String, store: String? = nil,
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    record(
      .read(action), ActionOrigin(target: target, cause: cause, effect: effect),
      CallSite(file: file, line: line)
    ) { $0.reject(rejection, store: store) }
  }

  private func record(
    _ action: AppAction, _ origin: ActionOrigin, _ source: CallSite,
    _ end: (consuming OpenStep) -> Void
  ) -> UInt64? {
    let step = OpenStep(self, action, origin, source: source, isOpen: false)
    let number = step.number
    end(step)
    return number
  }

  /// Logs an action before its reducer runs, so an action that crashes the app is in the log.
  ///
  /// ```swift
  /// let step = recorder.begin(action)
  /// state = reducer(state, action)
  /// step.commit(states: ["counter": state])
  /// ```
  /// A reducer that needs the time, random numbers or UUIDs takes them from ``OpenStep/inputs``.
  ///
  /// Other threads that record wait until the step ends. Such a thread may have the turn of a dispatcher, so inside the
  /// step, an action that is dispatched to one whose turn another thread has is queued. An action that is recorded inside the
  /// step does not get its own step: its changes belong to the open step. The recorder logs a
  /// warning about that once.
  ///
  /// The parameters are those of `record(_:states:)`. End the step on the same
  /// thread, because only there do further actions count as inside it.
  @available(*, noasync, message: "a step has to end on the thread that began it")
  public func begin(
    _ action: some Encodable & Sendable, target: String? = nil, cause: UInt64? = nil,
    effect: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> OpenStep {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    return OpenStep(
      self, .sent(action), origin, source: CallSite(file: file, line: line),
      isOpen: true)
  }

  /// Logs an action of any type before its reducer runs, so an action that crashes the app is in the log.
  ///
  /// The action is read during the call, as for ``record(_:reflecting:target:cause:effect:effects:file:line:)``. The
  /// rest is as for `begin(_:)`.
  @available(*, noasync, message: "a step has to end on the thread that began it")
  public func begin(
    _ action: Any, target: String? = nil, cause: UInt64? = nil,
    effect: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> OpenStep {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    return OpenStep(
      self, .read(action), origin, source: CallSite(file: file, line: line),
      isOpen: true)
  }

  /// Waits for the turn; returns the app's steps, and the number of the new one, which is nil inside another step.
  func enterTurn() -> (steps: AppSteps?, turn: UInt64?) {
    if process.isForked { return (nil, nil) }
    let (found, phase) = lock.withLock { unsafe (shared.appSteps, shared.phase) }
    guard let steps = found else {
      let why =
        switch phase {
        case .notStarted, .beginning:
          "the log begins when start(states:) or start(reflecting:) returns"
        case .closed: "the recorder is closed"
        case .failed, .recording:
          "a dispatcher uses this recorder; dispatch the action instead of recording it"
        }
      failures.report(LogError(path: destination.path, reason: .actionNotRecorded(why: why)))
      return (nil, nil)
    }
    switch steps.enter() {
    case .step(let number): return (steps, number)
    case .nested(let number, let isFirst):
      if isFirst {
        failures.logger.warning(
          """
          \(path): step \(number): another action was recorded before this step ended; it gets \
          no separate step, and only its changes of this step's states are in the log. Record it after this step.
          """)
      }
      return (steps, nil)
    }
  }

  /// The log, open or closed, and `true` if it is paused.
  var logOfSteps: (log: Recording?, isPaused: Bool) {
    lock.withLock { unsafe (shared.log, shared.isPaused) }
  }
}

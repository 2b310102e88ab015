import FluxCore
import FluxJSON
public import FluxLog
import FluxSystem
public import Foundation
import Logging
import Synchronization

extension Recorder {
  /// Begins the log of an app without a dispatcher.
  ///
  /// - Parameters:
  ///   - states: The states before the first step, by the names of their stores; nil for an absent
  ///     state. Steps can add stores that are not listed here.
  ///   - seed: The seed of the random numbers of all steps; random by default.
  ///   - now: The clock of the log; by default the system clock.
  public func start(
    states: [String: (any Encodable & Sendable)?], seed: UInt64 = .random(in: .min ... .max),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    start(seed: seed, now: now) { redactor in
      try states.sorted { $0.key < $1.key }.map { name, state in
        try LogHeader.Store(
          name: name, type: state.map { String(describing: type(of: $0)) },
          isFeature: state == nil, state: state, redactor)
      }
    }
  }

  /// Begins the log of an app without a dispatcher whose states need not be `Encodable`.
  ///
  /// States and actions are read by reflection during the call, on the calling thread. Their stored members are
  /// written, and never computed ones. Values that are `Encodable` encode themselves, except for objects and
  /// collections, which are always looked into. What reflection cannot or must not look into is `{"$opaque":"Type"}`:
  /// actors, tasks, pointers, closures. An object inside itself is `{"$cycle":"/place"}`.
  ///
  /// Such a log shows everything but cannot be replayed; use ``start(states:seed:now:)`` for that. A dangling `unowned`
  /// reference in a state ends the app, and so may an object that another thread is changing during the call.
  ///
  /// - Parameters:
  ///   - states: The states before the first step, by the names of their stores; nil for an absent state. Steps can
  ///     add stores that are not listed here.
  ///   - seed: The seed of the random numbers of all steps; random by default.
  ///   - now: The clock of the log; by default the system clock.
  public func start(
    reflecting states: [String: Any?], seed: UInt64 = .random(in: .min ... .max),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    start(seed: seed, now: now) { redactor in
      try states.sorted { $0.key < $1.key }.map { name, state in
        let state = state.flatMap(ReflectionWalk.present)
        var store = LogHeader.Store(
          name: name, type: state.map { ReflectedType.of(type(of: $0)).name },
          isFeature: state == nil)
        store.isReflected = true
        if let state, let text = try reflected.text(of: state, store: name) {
          let json = try EncodingFailure.wrapping(name) { try JSON.parse(text) }
          store.initial = try redactor.rewrite(.state(name), json)
        }
        return store
      }
    }
  }

  private func start(
    seed: UInt64, now: @escaping @Sendable () -> Date,
    stores: (Redactor) throws -> [LogHeader.Store]
  ) {
    // Before any lock: another thread of the parent may have held it.
    if process.isForked { return }
    begin(
      at: now(), clock: now, seed: seed, after: nil, next: 1,
      recordsEffects: options.recordsEffects, appSteps: AppSteps(seed: seed, clock: now),
      stores: stores)
  }

  /// Begins the log if the recorder was not started before.
  ///
  /// `step` and `next` are the numbers of the last step and of the next one; `appSteps` are those of an app without a
  /// dispatcher.
  func begin(
    at created: Date, clock: @escaping @Sendable () -> Date, seed: UInt64?, after step: UInt64?,
    next: UInt64, recordsEffects: Bool, appSteps: AppSteps? = nil,
    stores: (Redactor) throws -> [LogHeader.Store]
  ) {
    if process.isForked { return }
    let phase = lock.withLock {
      let phase = unsafe shared.phase
      unsafe shared.phase = phase == .notStarted ? .beginning : .closed
      if phase == .notStarted { unsafe shared.beginning = (step, next) }
      return phase
    }
    switch phase {
    case .notStarted: break
    case .beginning, .failed, .recording:
      let why = "it was started a second time; create a recorder for each log"
      failures.report(LogError(path: url.path, reason: .unusableOptions(why: why)))
      return closeLog()
    case .closed: return
    }
    let begun = failures.beginning(path: destination.path, step: next) {
      try Recording(destination, options, failures, created: created, clock: clock) { redactor in
        var header = LogHeader(
          created: created, seed: seed, first: next, app: options.app, options.redaction)
        header.recordsEffects = recordsEffects
        header.circumstances = try redactor.rewrite(circumstances: options.circumstances)
        header.stores = try stores(redactor)
        return header
      }
    }
    let notes = begun?.writer.notesActions ?? false
    isLookingAhead.store(
      notes || options.shouldSkip != nil || options.recordsDuration, ordering: .relaxed)
    // Together: an action that is recorded while the log begins must not get a number that the log lacks.
    let isClosed = lock.withLock {
      unsafe shared.log = begun
      unsafe shared.appSteps = appSteps
      if unsafe shared.phase == .closed { return true }
      unsafe shared.phase = begun == nil ? .failed : .recording
      return false
    }
    // Meanwhile the recorder was closed or started again, and had no log to close.
    if isClosed { closeLog() }
  }

  private func closeLog() {
    let closed = lock.withLock { unsafe (log: shared.log, watches: shared.close()) }
    withExtendedLifetime(closed.watches) {}
    reflected.close()
    do throws(LogError) {
      try closed.log?.close()
    } catch {
      failures.report(error)
    }
  }
}

// MARK: Steps of an app without a dispatcher

extension Recorder {
  /// Records an action after its reducer has run.
  ///
  /// An action is any `Encodable` value, encoded by the rules of ``ActionCoder``. A ``NamedAction``
  /// has an explicit type and payload. You pass whole states; the thread that writes the log compares
  /// them to find the changes. Any thread can record: steps take turns.
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
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    let step = OpenStep(
      self, .sent(action), origin, source: CallSite(file: file, line: line), isTimed: false)
    let number = step.number
    step.commit(states: states, effects: effects)
    return number
  }

  /// Records an action of any type after its reducer has run, with `Encodable` states.
  ///
  /// The action is read during the call: it encodes itself if it is `Encodable`, and otherwise it is read by
  /// reflection. Its name is the same either way. The rest is as for
  /// ``record(_:states:target:cause:effect:effects:file:line:)``.
  @discardableResult
  public func record(
    _ action: Any, states: [String: (any Encodable & Sendable)?],
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    effects: [StoreEffects] = [], file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    let step = OpenStep(
      self, .read(action), origin, source: CallSite(file: file, line: line), isTimed: false)
    let number = step.number
    step.commit(states: states, effects: effects)
    return number
  }

  /// Records an action of any type after its reducer has run, and reads the states by reflection during the call.
  ///
  /// See ``start(reflecting:seed:now:)``. The rest is as for
  /// ``record(_:states:target:cause:effect:effects:file:line:)``.
  @discardableResult
  public func record(
    _ action: Any, reflecting states: [String: Any?],
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    effects: [StoreEffects] = [], file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    let step = OpenStep(
      self, .read(action), origin, source: CallSite(file: file, line: line), isTimed: false)
    let number = step.number
    step.commit(reflecting: states, effects: effects)
    return number
  }

  /// Records an action that its reducer rejected; no state changed.
  ///
  /// Also from asynchronous code, where ``begin(_:target:cause:effect:file:line:)`` cannot be called. `rejection` is
  /// the reason as one sentence for people, and `store` the store that rejected the action, if any. The rest is as
  /// for ``record(_:states:target:cause:effect:effects:file:line:)``.
  @discardableResult
  public func record(
    _ action: Any, rejection: String, store: String? = nil,
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    let step = OpenStep(
      self, .read(action), origin, source: CallSite(file: file, line: line), isTimed: false)
    let number = step.number
    step.reject(rejection, store: store)
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
  /// Other threads that record wait until the step ends. An action that is recorded inside the step
  /// does not get its own step: its changes belong to the open step. The recorder logs a
  /// warning about that once.
  ///
  /// The parameters are those of ``record(_:states:target:cause:effect:effects:file:line:)``. End the step on the same
  /// thread, because only there do further actions count as inside it.
  @available(*, noasync, message: "a step has to end on the thread that began it")
  public func begin(
    _ action: some Encodable & Sendable, target: String? = nil, cause: UInt64? = nil,
    effect: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> OpenStep {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    return OpenStep(
      self, .sent(action), origin, source: CallSite(file: file, line: line),
      isTimed: options.recordsDuration)
  }

  /// Logs an action of any type before its reducer runs, so an action that crashes the app is in the log.
  ///
  /// The action is read during the call, as for ``record(_:reflecting:target:cause:effect:effects:file:line:)``. The
  /// rest is as for ``begin(_:target:cause:effect:file:line:)``.
  @available(*, noasync, message: "a step has to end on the thread that began it")
  public func begin(
    _ action: Any, target: String? = nil, cause: UInt64? = nil,
    effect: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> OpenStep {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    return OpenStep(
      self, .read(action), origin, source: CallSite(file: file, line: line),
      isTimed: options.recordsDuration)
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
          \(url.path): step \(number): another action was recorded before this step ended; it gets \
          no separate step, and this step contains its changes. Record it after this step.
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

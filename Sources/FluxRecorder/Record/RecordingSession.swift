import FluxCore
public import FluxLog
import FluxSystem
public import Foundation
public import Logging

/// Records an app without a FluxCore dispatcher: any reducer, of any architecture.
///
/// ```swift
/// let session = RecordingSession(to: url, states: ["counter": store.state])
/// // after each action:
/// session.record(action: action, states: ["counter": store.state])
/// // at the end:
/// try session.close()
/// ```
/// To log an action even if its reducer crashes, call ``begin(_:target:cause:effect:file:line:)``
/// before the reducer runs.
///
/// An action is any `Encodable` value, encoded by the rules of ``ActionCoder``. A ``NamedAction``
/// has an explicit type and payload. You pass whole states; the thread that writes the log compares
/// them to find the changes.
///
/// You can use a session from any thread: steps take turns.
///
/// The log never ends the app. If there is already a log at the URL, it is kept under another name;
/// see `LogWriter.Options.existing`. If the log cannot be created, because its folder is
/// missing or not writable, the app runs without a log. If the disk fails later, recording stops,
/// and the log keeps what was written so far. Either failure is logged once and stored in
/// ``failure``. A child that is forked without starting another program logs nothing, and its
/// ``failure`` says so.
public final class RecordingSession: @unchecked Sendable {
  // Sendable: only the thread that holds `turn` accesses `steps`. `flags` guards the other
  // variables.

  private let destination: LogDestination
  private let process = ProcessIdentity()
  let options: Options
  let recording: Recording?
  /// The seed of the random numbers of all steps; see ``OpenStep/inputs``.
  public let seed: UInt64
  private let failures: FirstFailure
  private let logger: Logger
  private let clock: @Sendable () -> Date

  /// Held from the beginning of a step to its end; recursive, to detect nested steps.
  private let turn = NSRecursiveLock()
  private var steps = StepNesting()

  private let flags = NSLock()
  private var lastTime = LogTime(microseconds: 0)
  private var isPausedFlag = false

  /// Begins a log.
  ///
  /// - Parameters:
  ///   - url: The file to write. If there is already a log, `options.log.existing` decides; by
  ///     default that log is kept under a numbered name.
  ///   - states: The states before the first step, by the names of their stores; nil for an absent
  ///     state. Steps can add stores that are not listed here.
  ///   - options: The options of the session.
  ///   - seed: The seed of the random numbers of all steps; random by default.
  ///   - logger: Receives the failures.
  ///   - now: The clock of the log; by default the system clock.
  public convenience init(
    to url: URL, states: [String: (any Encodable & Sendable)?], options: Options = Options(),
    seed: UInt64 = .random(in: .min ... .max), logger: Logger = Logger(label: "flux.recorder"),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(.file(url), states, options, seed, logger, now)
  }

  /// Begins a log of this launch, in a file of its own.
  ///
  /// ``Recorder/init(in:name:options:logger:)`` explains the names of the files and the limits for
  /// all launches.
  ///
  /// - Parameters:
  ///   - folder: The folder of the logs, which is created if it is missing.
  ///   - name: The beginning of the file names. Recorders with another name ignore these files.
  ///   - states: The states before the first step, by the names of their stores; nil for an absent
  ///     state. Steps can add stores that are not listed here.
  ///   - options: The options of the session. `log.existing` has no effect.
  ///   - seed: The seed of the random numbers of all steps; random by default.
  ///   - logger: Receives the failures.
  ///   - now: The clock of the log; by default the system clock.
  public convenience init(
    in folder: URL, name: String, states: [String: (any Encodable & Sendable)?],
    options: Options = Options(), seed: UInt64 = .random(in: .min ... .max),
    logger: Logger = Logger(label: "flux.recorder"),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    let destination = LogDestination.launches(in: folder, name: name, options.launchLimits)
    self.init(destination, states, options, seed, logger, now)
  }

  /// Begins a log that is kept in memory, for tests and previews.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes of the log to keep at most; see ``Recorder/init(inMemory:options:logger:)``.
  ///   - states: The states before the first step, by the names of their stores; nil for an absent
  ///     state. Steps can add stores that are not listed here.
  ///   - options: The options of the session. Those of files have no effect.
  ///   - seed: The seed of the random numbers of all steps; random by default.
  ///   - logger: Receives the failures.
  ///   - now: The clock of the log; by default the system clock.
  public convenience init(
    inMemory byteCount: Int, states: [String: (any Encodable & Sendable)?],
    options: Options = Options(), seed: UInt64 = .random(in: .min ... .max),
    logger: Logger = Logger(label: "flux.recorder"),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(.memory(byteCount), states, options, seed, logger, now)
  }

  private init(
    _ destination: LogDestination, _ states: [String: (any Encodable & Sendable)?],
    _ options: Options, _ seed: UInt64, _ logger: Logger, _ now: @escaping @Sendable () -> Date
  ) {
    self.destination = destination
    self.options = options
    self.seed = seed
    self.logger = logger
    clock = now
    let failures = FirstFailure(logger)
    self.failures = failures
    recording = failures.beginning(path: destination.path, step: 1) {
      let created = now()
      return try Recording(
        destination, options.log, options.redaction, failures, created: created, clock: now
      ) { redactor in
        var header = LogHeader(
          created: created, seed: seed, first: 1, app: options.app, options.redaction)
        header.recordsEffects = options.recordsEffects
        header.circumstances = try redactor.rewrite(circumstances: options.circumstances)
        header.stores = try states.sorted { $0.key < $1.key }.map { name, state in
          try LogHeader.Store(
            name: name, type: state.map { String(describing: type(of: $0)) },
            isFeature: state == nil, state: state, redactor)
        }
        return header
      }
    }
  }

  /// The file that the session writes; `memory:` if there is none.
  ///
  /// This is the URL that you passed to the initializer, a numbered file next to it if another
  /// recorder is writing a log there, the file of this launch in a folder, or the current segment of
  /// a flight recorder.
  public var url: URL { recording?.url ?? destination.url }

  /// The launches with a log in the folder, newest first; empty for a session with a URL.
  ///
  /// If the folder cannot be read, the list is empty, and the reason is in ``warnings``.
  public var logs: [RecordedLaunch] {
    process.isForked
      ? [] : failures.launches(in: destination, options.log, recording: recording?.launch)
  }

  /// The first failure; nil if there is none.
  ///
  /// If the log could not be created, this is the reason, and nothing is recorded. If a state or an
  /// action cannot be encoded, the session leaves a gap and continues. The problems in ``warnings``
  /// do not end the recording either. All other failures do.
  public var failure: LogError? { forkFailure ?? failures.error }

  private var forkFailure: LogError? {
    process.isForked ? LogError(path: destination.path, reason: .forked) : nil
  }

  /// The problems that did not end the recording, in order.
  ///
  /// ``flush()`` and ``close()`` do not throw them. The first one is also the ``failure`` unless
  /// there is a worse one. That a redaction pointer matched no value is known when the log is closed.
  public var warnings: [LogError] { process.isForked ? [] : failures.warnings }

  // MARK: Controls

  /// Leaves out all steps until ``resume()``.
  ///
  /// The first step after ``resume()`` contains their changes to the states.
  public func pause() { setPaused(true) }

  private func setPaused(_ isPaused: Bool) {
    if process.isForked { return }
    flags.withLock { isPausedFlag = isPaused }
  }

  /// Resumes writing steps.
  public func resume() { setPaused(false) }

  var isPaused: Bool { flags.withLock { isPausedFlag } }

  /// Writes a mark between two steps.
  ///
  /// - Parameter text: The text of the mark.
  public func mark(_ text: String) {
    guard let recording, !process.isForked else { return }
    recording.writer.mark(text, at: now(recording))
  }

  /// Waits until everything recorded so far is in the file.
  ///
  /// Does nothing if the log could not be created; see ``failure``.
  ///
  /// - Throws: `LogError` if something failed after the log was created, so the log is incomplete.
  public func flush() throws(LogError) {
    if let forkFailure { throw forkFailure }
    try recording?.writer.flush()
    if let error = failures.recordingError { throw error }
  }

  /// Closes the log; later actions are not recorded.
  ///
  /// Does nothing if the log could not be created; see ``failure``.
  ///
  /// - Throws: `LogError` if something failed after the log was created, so the log is incomplete.
  public func close() throws(LogError) {
    if let forkFailure { throw forkFailure }
    try recording?.close()
    if let error = failures.recordingError { throw error }
  }

  /// Returns the time of the clock, or the last time if the clock was set back.
  func now(_ recording: Recording) -> LogTime {
    let time = recording.now()
    return flags.withLock {
      lastTime = max(time, lastTime)
      return lastTime
    }
  }

  /// Returns the inputs of a step at its time in the log.
  ///
  /// Without a time, they have that of the clock. Without a number, their random numbers belong to no step.
  func inputs(step number: UInt64?, at time: LogTime?) -> StepInputs {
    let now =
      if let time, let recording {
        Date(LogInstant(of: recording.created), plus: time)
      } else { clock() }
    guard let number else {
      return StepInputs(seed: .random(in: .min ... .max), number: 0, now: now)
    }
    return StepInputs(seed: seed, number: number, now: now)
  }

  // MARK: Steps

  /// Records an action after its reducer has run.
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
    action: some Encodable & Sendable, states: [String: (any Encodable & Sendable)?],
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    effects: [StoreEffects] = [], file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    let step = OpenStep(
      self, action, origin, source: CallSite(file: file, line: line), isTimed: false)
    let number = step.number
    step.commit(states: states, effects: effects)
    return number
  }

  /// Records a rejected action, which changed no state.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - rejection: The reason, as one sentence for people.
  ///   - store: The store that rejected the action, if any.
  ///   - target: The store that the action was addressed to, if any.
  ///   - cause: The earlier step that caused this one.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The number of the step; nil if the call came from inside another step or recording
  ///   could not begin.
  @discardableResult
  public func record(
    action: some Encodable & Sendable, rejection: String, store: String? = nil,
    target: String? = nil, cause: UInt64? = nil, effect: String? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> UInt64? {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    let step = OpenStep(
      self, action, origin, source: CallSite(file: file, line: line), isTimed: false)
    let number = step.number
    step.reject(rejection, store: store)
    return number
  }

  /// Logs an action before its reducer runs, so an action that crashes the app is in the log.
  ///
  /// ```swift
  /// let step = session.begin(action)
  /// state = reducer(state, action)
  /// step.commit(states: ["counter": state])
  /// ```
  /// A reducer that needs the time, random numbers or UUIDs takes them from ``OpenStep/inputs``.
  ///
  /// Other threads that record wait until the step ends. An action that is recorded inside the step
  /// does not get a step of its own: its changes belong to the open step. The session logs a
  /// warning about that once.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - target: The store that the action was addressed to, if any.
  ///   - cause: The earlier step that caused this one.
  ///   - effect: The name of the effect that dispatched the action.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The step. End it on the same thread.
  @available(*, noasync, message: "a step has to end on the thread that began it")
  public func begin(
    _ action: some Encodable & Sendable, target: String? = nil, cause: UInt64? = nil,
    effect: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> OpenStep {
    let origin = ActionOrigin(target: target, cause: cause, effect: effect)
    return OpenStep(
      self, action, origin, source: CallSite(file: file, line: line),
      isTimed: options.recordsDuration)
  }

  /// Waits for the turn, and returns the number of the new step; nil inside another step.
  func enterTurn() -> UInt64? {
    if process.isForked { return nil }
    turn.lock()
    switch steps.enter() {
    case .step(let number): return number
    case .nested(let number, let isFirst):
      if isFirst {
        logger.warning(
          """
          \(url.path): step \(number): another action was recorded before this step ended; it gets \
          no step of its own, and this step contains its changes. Record it after this step.
          """)
      }
      return nil
    }
  }

  func leaveTurn() {
    if process.isForked { return }
    steps.leave()
    turn.unlock()
  }
}

public import FluxLog
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
/// see `LogWriter.Options.existing`. If the log cannot be begun, because its folder is
/// missing or not writable, the app runs without a log. If the disk fails later, recording stops,
/// and the log keeps what was written so far. Either failure is logged once and stored in
/// ``failure``.
public final class RecordingSession: @unchecked Sendable {
  // Sendable: only the thread that holds `turn` accesses the turn's variables. `flags` guards the
  // others.

  /// The requested URL.
  private let requested: URL
  let options: Options
  let recording: Recording?
  private let failures: FirstFailure
  private let logger: Logger

  /// Held from the beginning of a step to its end; recursive, to detect nested steps.
  private let turn = NSRecursiveLock()
  /// The number of nested open steps; guarded by `turn`.
  private var depth = 0
  /// The number of the newest step; guarded by `turn`.
  private var number: UInt64 = 0
  private var hasWarnedOfNesting = false

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
  ///   - logger: Receives the failures.
  ///   - now: The clock of the log; by default the system clock.
  public init(
    to url: URL, states: [String: (any Encodable & Sendable)?], options: Options = Options(),
    logger: Logger = Logger(label: "flux.recorder"),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    requested = url
    self.options = options
    self.logger = logger
    let failures = FirstFailure(logger)
    self.failures = failures
    recording = failures.beginning(path: url.path, step: 1) {
      let created = now()
      return try Recording(
        url: url, options.log, options.redaction, failures, created: created, clock: now
      ) { redactor in
        var header = LogHeader(
          created: created, seed: nil, first: 1, app: options.app,
          redacted: options.redaction.states)
        header.stores = try states.sorted { $0.key < $1.key }.map { name, state in
          try LogHeader.Store(
            name: name, type: state.map { String(describing: type(of: $0)) },
            isFeature: state == nil, state: state, redactor)
        }
        return header
      }
    }
  }

  /// The file that the session writes.
  ///
  /// This is the URL that you passed to the initializer, a numbered file next to it if another
  /// recorder is writing a log there, or the current segment of a flight recorder.
  public var url: URL { recording?.url ?? requested }

  /// The first failure; nil if there is none.
  ///
  /// If the log could not be begun, this is the reason, and nothing is recorded. If a state or an
  /// action cannot be encoded, the session leaves a gap and continues. All other failures end the
  /// recording.
  public var failure: LogError? { failures.error }

  // MARK: Controls

  /// Leaves out all steps until ``resume()``.
  ///
  /// The first step after ``resume()`` contains their changes to the states.
  public func pause() { flags.withLock { isPausedFlag = true } }

  /// Resumes writing steps.
  public func resume() { flags.withLock { isPausedFlag = false } }

  var isPaused: Bool { flags.withLock { isPausedFlag } }

  /// Writes a mark between two steps.
  ///
  /// - Parameter text: The text of the mark.
  public func mark(_ text: String) {
    guard let recording else { return }
    recording.writer.mark(text, at: now(recording))
  }

  /// Waits until everything recorded so far is in the file.
  ///
  /// Does nothing if the log could not be begun; see ``failure``.
  ///
  /// - Throws: `LogError` if something failed after the log was begun, so the log is incomplete.
  public func flush() throws(LogError) {
    try recording?.writer.flush()
    if let error = failures.recordingError { throw error }
  }

  /// Closes the log; later actions are not recorded.
  ///
  /// Does nothing if the log could not be begun; see ``failure``.
  ///
  /// - Throws: `LogError` if something failed after the log was begun, so the log is incomplete.
  public func close() throws(LogError) {
    try recording?.writer.close()
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

  // MARK: Turns

  /// Waits for the turn, and returns the number of the new step; nil inside another step.
  func enterTurn() -> UInt64? {
    turn.lock()
    depth += 1
    guard depth == 1 else {
      warnOfNesting()
      return nil
    }
    number += 1
    return number
  }

  func leaveTurn() {
    depth -= 1
    turn.unlock()
  }

  private func warnOfNesting() {
    guard !hasWarnedOfNesting else { return }
    hasWarnedOfNesting = true
    logger.warning(
      """
      \(url.path): step \(number): another action was recorded before this step ended; it gets no \
      step of its own, and this step contains its changes. Record it after this step.
      """)
  }
}

public import FluxLog
public import Foundation
public import Logging

/// Records an app that has no FluxCore dispatcher: any reducer, of any architecture.
///
/// ```swift
/// let session = RecordingSession(to: url, states: ["counter": store.state])
/// // after each action:
/// session.record(action: action, states: ["counter": store.state])
/// // at the end:
/// try session.close()
/// ```
/// Where an action that crashes its reducer should be in the log, it is begun before the reducer runs, with
/// ``begin(_:target:cause:effect:file:line:)``.
///
/// An action is any `Encodable` value and is written by the rules of ``ActionCoder``; a ``NamedAction``
/// says its type and payload itself. States are given whole; what did not change is found by
/// comparison, on the thread that writes the log.
///
/// Safe to use from any thread: steps take turns.
///
/// An app never ends because of its log. A log that is already at the URL is kept under another name, as
/// `LogWriter.Options.existing` says. If the log cannot be begun, because its folder is missing or cannot be
/// written to, the app runs without one. If the disk fails later, recording stops with what was written before. Both are
/// logged once and kept in ``failure``.
public final class RecordingSession: @unchecked Sendable {
  // Sendable: what belongs to the turn is only touched by the thread that has it; the flags are guarded by
  // `flags`.

  /// The URL that was asked for.
  private let requested: URL
  let options: Options
  let recording: Recording?
  private let failures: FirstFailure
  private let logger: Logger

  /// Held from the begin of a step until its end; recursive, so that a step inside a step is noticed.
  private let turn = NSRecursiveLock()
  /// How many steps are open, one inside the other; belongs to the turn.
  private var depth = 0
  /// The number of the newest step; belongs to the turn.
  private var number: UInt64 = 0
  private var hasToldOfNesting = false

  private let flags = NSLock()
  private var lastTime = LogTime(microseconds: 0)
  private var isPausedFlag = false

  /// Begins a log.
  ///
  /// - Parameters:
  ///   - url: The file to write. If a log is there, `options.log.existing` decides; it is kept under a numbered
  ///     name by default.
  ///   - states: The states before the first step, by the names of their stores; nil for one that is
  ///     absent. Stores that are not named here may appear in any step.
  ///   - options: How to record.
  ///   - logger: Receives the failures.
  ///   - now: The clock of the log; the system's by default.
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
  /// This is the URL given at its creation, a numbered file beside it if another recorder is writing a log there, or
  /// a flight recorder's current segment.
  public var url: URL { recording?.url ?? requested }

  /// The first failure; `nil` while all is well.
  ///
  /// If the log could not be begun, this says why, and nothing is recorded. A state or an action that cannot be
  /// encoded leaves a gap, and recording goes on; all other failures end it.
  public var failure: LogError? { failures.error }

  // MARK: Controls

  /// Leaves out the steps from here on; their effects on the states are in the first step after ``resume()``.
  public func pause() { flags.withLock { isPausedFlag = true } }

  /// Writes steps again.
  public func resume() { flags.withLock { isPausedFlag = false } }

  var isPaused: Bool { flags.withLock { isPausedFlag } }

  /// Writes a note between two steps.
  ///
  /// - Parameter text: The note.
  public func mark(_ text: String) {
    guard let recording else { return }
    recording.writer.mark(text, at: now(recording))
  }

  /// Waits until everything so far is in the file.
  ///
  /// Does nothing if the log could not be begun: ``failure`` says so.
  ///
  /// - Throws: `LogError` if something failed after the log was begun, so that it is not complete.
  public func flush() throws(LogError) {
    try recording?.writer.flush()
    if let error = failures.recordingError { throw error }
  }

  /// Ends the log; actions that are recorded afterwards are not in it.
  ///
  /// Does nothing if the log could not be begun: ``failure`` says so.
  ///
  /// - Throws: `LogError` if something failed after the log was begun, so that it is not complete.
  public func close() throws(LogError) {
    try recording?.writer.close()
    if let error = failures.recordingError { throw error }
  }

  /// The time by the clock, which never goes back.
  func now(_ recording: Recording) -> LogTime {
    let time = recording.now()
    return flags.withLock {
      lastTime = max(time, lastTime)
      return lastTime
    }
  }

  // MARK: Turns

  /// Waits for the turn; returns the number of the step that begins, nil for one inside another.
  func enterTurn() -> UInt64? {
    turn.lock()
    depth += 1
    guard depth == 1 else {
      tellOfNesting()
      return nil
    }
    number += 1
    return number
  }

  func leaveTurn() {
    depth -= 1
    turn.unlock()
  }

  private func tellOfNesting() {
    guard !hasToldOfNesting else { return }
    hasToldOfNesting = true
    logger.warning(
      """
      \(url.path): step \(number): another action was recorded before this step ended; it has no step of \
      its own, and what it changed is in this one. Record it after the step.
      """)
  }
}

public import FluxCore
public import FluxLog
public import Foundation
public import Logging

/// Records a dispatcher: every action, and the states that it led to, as one line of a log.
///
/// ```swift
/// let recorder = Recorder(to: url)
/// dispatcher.use(recorder)
/// ```
/// It is a middleware. It notes an action before any reducer runs, so that an action that crashes the app is
/// in the log, and hands the new states over by reference; a thread of the log's own encodes and writes
/// them. A failing disk never takes the app down: the failure is logged once and kept in ``failure``, and
/// recording stops with what was written before.
public final class Recorder: Middleware, @unchecked Sendable {
  // Sendable: the variables are guarded by `lock`.

  /// The file that is written.
  public let url: URL
  private let options: Options
  private let coder = ActionCoder()
  private let logger: Logger
  private let lock = Lock()
  private var recording: Recording?
  private var current: CurrentStep?
  private var isPaused = false
  private var isClosed = false
  private var firstFailure: LogError?

  /// A log that is being written.
  private struct Recording {
    let writer: LogWriter
    let created: Date

    /// A time as the log has it: since the log was created.
    func time(of date: Date) -> LogTime {
      LogTime(microseconds: UInt64(max(0, (date.timeIntervalSince(created) * 1e6).rounded())))
    }
  }

  /// The step that is under way.
  private struct CurrentStep {
    let action: PreparedAction?
    let began: ContinuousClock.Instant?
  }

  /// Creates a recorder; the log is begun when it is added to a dispatcher.
  ///
  /// - Parameters:
  ///   - url: The file to write; it must not be there, unless the options say that it is replaced.
  ///   - options: How to record.
  ///   - logger: Where failures are reported.
  public init(
    to url: URL, options: Options = Options(), logger: Logger = Logger(label: "flux.recorder")
  ) {
    self.url = url
    self.options = options
    self.logger = logger
  }

  /// Why recording failed first; nil while all is well.
  public var failure: LogError? { lock.withLock { firstFailure } }

  // MARK: Controls

  /// Leaves out the steps from here on; their effects on the states are in the first step after ``resume()``.
  public func pause() {
    lock.withLock { isPaused = true }
  }

  /// Writes steps again.
  public func resume() {
    lock.withLock { isPaused = false }
  }

  /// Writes a note between two steps.
  ///
  /// - Parameter text: The note.
  public func mark(_ text: String) {
    guard let recording = lock.withLock({ recording }) else { return }
    recording.writer.mark(text, at: recording.time(of: Date()))
  }

  /// Waits until everything so far is in the file.
  ///
  /// - Throws: `LogError` where recording has failed.
  public func flush() throws(LogError) {
    if let failure { throw failure }
    try lock.withLock({ recording })?.writer.flush()
  }

  /// Ends the log; what is dispatched from here on is not recorded.
  ///
  /// - Throws: `LogError` where recording has failed.
  public func close() throws(LogError) {
    let ended = lock.withLock { () -> Recording? in
      isClosed = true
      defer { recording = nil }
      return recording
    }
    if let failure { throw failure }
    try ended?.writer.close()
  }

  // MARK: Middleware

  /// Begins the log: its header is on the disk before the first step.
  public func didAttach(_ attachment: Attachment) {
    guard lock.withLock({ recording == nil && !isClosed && firstFailure == nil }) else { return }
    do {
      let recording = try begin(attachment)
      lock.withLock { self.recording = recording }
    } catch let error as LogError {
      report(error)
    } catch {
      report(
        LogError(
          path: url.path,
          reason: .cannotEncode(
            step: attachment.nextStep, store: nil, why: String(describing: error))))
    }
  }

  private func begin(_ attachment: Attachment) throws -> Recording {
    var log = options.log
    log.onFailure = { [weak self] in self?.report($0) }
    let redactor = options.redaction.isEmpty ? nil : try Redactor(options.redaction)
    if let redactor {
      log.rewriter = ValueRewriter { role, json in try redactor.rewrite(role, json) }
    }
    let header = try LogHeader(attachment, app: options.app, options.redaction, redactor)
    return Recording(
      writer: try LogWriter(path: url.path, header: header, options: log), created: attachment.time)
  }

  /// Notes an action before any reducer runs.
  public func willDispatch(_ envelope: Envelope, _ model: Model) {
    guard let recording = lock.withLock({ recording }) else { return }
    let isLeftOut = lock.withLock { isPaused } || options.leavesOut(envelope)
    let action = LogValue { [coder, action = envelope.action] in try coder.encode(action) }
    let prepared =
      isLeftOut
      ? nil
      : recording.writer.begin(
        step: envelope.step, at: recording.time(of: envelope.time), action: action)
    let began = options.notesDuration ? ContinuousClock.now : nil
    lock.withLock { current = CurrentStep(action: prepared, began: began) }
  }

  /// Hands over what became of the action.
  public func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {
    let (recording, current) = lock.withLock {
      defer { self.current = nil }
      return (self.recording, self.current)
    }
    // Without a current step the recorder was added in the middle of this one: it begins with the next.
    guard let recording, let current else { return }
    let changes = changed.map { StepRecord.Change($0, in: model) }
    guard let action = current.action else {
      let why = lock.withLock { isPaused } ? LogGap.Why.paused : .filtered
      return recording.writer.skip(step: envelope.step, changes: changes, why: why)
    }
    var record = StepRecord(
      number: envelope.step, time: recording.time(of: envelope.time), action: action,
      changes: changes, rejection: outcome.rejection.map { LogRejection($0) })
    record.target = envelope.target?.rawValue
    record.cause = envelope.cause
    record.effect = envelope.effect
    if options.notesSource { record.source = envelope.source.description }
    if let began = current.began {
      record.took = UInt64(max(0, (ContinuousClock.now - began) / .microseconds(1)))
    }
    recording.writer.append(record)
  }

  private func report(_ error: LogError) {
    let isFirst = lock.withLock { () -> Bool in
      defer { firstFailure = firstFailure ?? error }
      return firstFailure == nil
    }
    if isFirst { logger.error("recording failed: \(error.message)") }
  }
}

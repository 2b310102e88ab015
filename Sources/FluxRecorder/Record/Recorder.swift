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
///
/// A recorder records one dispatcher: one that is added a second time says so in its ``failure``, and records
/// nothing more.
public final class Recorder: Middleware, @unchecked Sendable {
  // Sendable: `current` is only touched in the turn of the one dispatcher that the recorder was added to; the
  // other variables are guarded by `lock`.

  /// The file that is written.
  public let url: URL
  private let options: Options
  private let coder = ActionCoder()
  private let failures: FirstFailure
  private let lock = Lock()
  private var recording: Recording?
  private var attachmentCount = 0
  private var current: CurrentStep?
  private var clock: (@Sendable () -> Date)?
  /// When the newest step began.
  private var lastTime = LogTime(microseconds: 0)
  private var isPaused = false
  private var isClosed = false

  /// The step that is under way.
  private struct CurrentStep {
    let recording: Recording
    let time: LogTime
    let content: Content
    let began: ContinuousClock.Instant?

    enum Content {
      case recorded(PreparedAction)
      case leftOut(LogGap.Why)
    }
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
    failures = FirstFailure(logger)
  }

  /// What failed first; nil while all is well.
  ///
  /// A state or an action that cannot be encoded leaves a gap, and recording goes on; all other failures
  /// end it.
  public var failure: LogError? { failures.error }

  // MARK: Controls

  /// Leaves out the steps from here on; their effects on the states are in the first step after ``resume()``.
  public func pause() {
    lock.withLock { isPaused = true }
  }

  /// Writes steps again.
  public func resume() {
    lock.withLock { isPaused = false }
  }

  /// Writes a note between two steps, with the time by the dispatcher's clock.
  ///
  /// - Parameter text: The note.
  public func mark(_ text: String) {
    guard let (recording, clock) = lock.withLock({ recording.map { ($0, clock) } }) else { return }
    let now = clock.map { recording.time(of: $0()) }
    let time = lock.withLock { max(now ?? lastTime, lastTime) }
    recording.writer.mark(text, at: time)
  }

  /// Waits until everything so far is in the file.
  ///
  /// - Throws: ``failure``, where there is one.
  public func flush() throws(LogError) {
    try lock.withLock({ recording })?.writer.flush()
    if let failure { throw failure }
  }

  /// Ends the log; what is dispatched from here on is not recorded.
  ///
  /// - Throws: ``failure``, where there is one.
  public func close() throws(LogError) {
    let ended = lock.withLock { () -> Recording? in
      isClosed = true
      defer { recording = nil }
      return recording
    }
    try ended?.writer.close()
    if let failure { throw failure }
  }

  // MARK: Middleware

  /// Begins the log: its header is on the disk before the first step.
  public func didAttach(_ attachment: Attachment) {
    let (count, isEnded) = lock.withLock {
      attachmentCount += 1
      return (attachmentCount, isClosed)
    }
    guard !isEnded else { return }
    guard count == 1 else { return endAddedTwice() }
    let begun = failures.reporting(path: url.path, step: attachment.nextStep) {
      try begin(attachment)
    }
    lock.withLock {
      // Another dispatcher may have come in the meantime.
      guard attachmentCount == 1 else { return }
      recording = begun
      clock = attachment.clock
    }
  }

  private func endAddedTwice() {
    let ended = lock.withLock {
      defer { recording = nil }
      return recording
    }
    let why = "it was added to a dispatcher a second time; make a recorder for each"
    failures.report(LogError(path: url.path, reason: .unusableOptions(why: why)))
    do throws(LogError) { try ended?.writer.close() } catch { failures.report(error) }
  }

  private func begin(_ attachment: Attachment) throws -> Recording {
    try Recording(
      url: url, options.log, options.redaction, failures, created: attachment.time
    ) { redactor in
      var header = LogHeader(
        created: attachment.time, seed: attachment.seed, first: attachment.nextStep,
        app: options.app, redacted: options.redaction.states)
      header.stores = try attachment.stores.map { store in
        try LogHeader.Store(
          name: store.id.rawValue, type: store.typeName, isFeature: store.isFeature,
          state: attachment.model.snapshot(of: store.id), redactor)
      }
      return header
    }
  }

  /// Notes an action before any reducer runs.
  public func willDispatch(_ envelope: Envelope, _ model: Model) {
    // Not `withLock`, which this module can only call unspecialised: 20 ns a step.
    lock.lock()
    guard let recording else { return lock.unlock() }
    let isPaused = isPaused
    let time = recording.time(of: envelope.time)
    lastTime = max(time, lastTime)
    lock.unlock()
    current = CurrentStep(
      recording: recording, time: time,
      content: content(envelope, at: time, in: recording, isPaused: isPaused),
      began: options.notesDuration ? ContinuousClock.now : nil)
  }

  private func content(
    _ envelope: Envelope, at time: LogTime, in recording: Recording, isPaused: Bool
  ) -> CurrentStep.Content {
    if isPaused { return .leftOut(.paused) }
    if let leavesOut = options.leavesOut, leavesOut(envelope) { return .leftOut(.filtered) }
    let action = LogValue(actionText: { [coder, action = envelope.action] in
      try coder.text(of: action)
    })
    return .recorded(recording.writer.begin(step: envelope.step, at: time, action: action))
  }

  /// Hands over what became of the action.
  public func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {
    // Without a current step the recorder was added in the middle of this one: it begins with the next.
    guard let current = current.take() else { return }
    let changes = changed.map { StepRecord.Change($0, in: model) }
    switch current.content {
    case .leftOut(let why):
      current.recording.writer.skip(step: envelope.step, changes: changes, why: why)
    case .recorded(let action):
      current.recording.writer.append(
        StepRecord(
          number: envelope.step, time: current.time, action: action,
          target: envelope.target?.rawValue, cause: envelope.cause, effect: envelope.effect,
          from: envelope.isFromObserver ? LogStep.observer : nil,
          source: options.notesSource ? envelope.source.description : nil,
          took: current.began.map { $0.duration(to: .now).wholeMicroseconds },
          changes: changes, rejection: outcome.rejection.map { LogRejection($0) }))
    }
  }
}

extension Duration {
  /// The duration as a step's line has it.
  var wholeMicroseconds: UInt64 { UInt64(max(0, self / .microseconds(1))) }
}

public import FluxCore
public import FluxLog
public import Foundation
public import Logging
import Synchronization

/// Records a dispatcher: every action and the resulting states, as one line of a log.
///
/// ```swift
/// let recorder = Recorder(to: url)
/// dispatcher.use(recorder)
/// ```
/// A recorder is a middleware. It logs actions before their reducers run, so the action that
/// crashed the app is in the log. It hands over the new states by reference. A thread of the log
/// encodes and writes them.
///
/// The log never ends the app. If there is already a log at the URL, it is kept under another name;
/// see `LogWriter.Options.existing`. If the log cannot be begun, because its folder is
/// missing or not writable, the app runs without a log. If the disk fails later, recording stops,
/// and the log keeps what was written so far. Either failure is logged once and stored in
/// ``failure``.
///
/// A recorder records one dispatcher. If you add it a second time, it stops recording and reports
/// that in ``failure``.
@safe
public final class Recorder: Middleware, @unchecked Sendable {
  // Sendable: `lock` guards `opened` and `attachmentCount`. Only the turn of the one dispatcher
  // accesses `current` and `notedAction`. `begun` and `borrowed` are written once, before `phase`
  // is set, and read only after that. Everything else is constant or atomic.
  // Safe: `begun` keeps `borrowed` alive and is never reset.

  /// The requested URL.
  private let requested: URL
  private let options: Options
  private let failures: FirstFailure
  private let phase = Atomic(Phase.unattached)
  /// The log, after it is begun.
  @exclusivity(unchecked) private var begun: Recording?
  /// The same log, unretained.
  ///
  /// Counting a reference at each step costs more than checking the phase.
  @exclusivity(unchecked) private var borrowed: Unmanaged<Recording>?
  /// The start time of the newest step, as the bits of the seconds since the reference date.
  private let lastTime = Atomic<UInt64>(0)
  private let isPaused = Atomic(false)
  private let lock = Lock()
  private var attachmentCount = 0
  /// The log after it is begun, for callers that may ask before that.
  private var opened: Recording?
  /// The current step.
  ///
  /// Like the other variables here, it has no runtime check for overlapping accesses: nothing is
  /// called during an access.
  @exclusivity(unchecked) private var current: CurrentStep?
  /// The action of the current step, if it was logged before its reducers ran.
  @exclusivity(unchecked) private var notedAction: PreparedAction?

  /// The phase of the recorder; it only advances.
  private enum Phase: UInt8, AtomicRepresentable {
    case unattached, recording, closed
  }

  /// The step in flight; it contains no references, so it needs no reference counting.
  private struct CurrentStep {
    let fate: Fate
    let began: Duration?

    enum Fate { case recorded, paused, filtered }
  }

  /// Creates a recorder, which begins its log when you add it to a dispatcher.
  ///
  /// - Parameters:
  ///   - url: The file to write. If there is already a log, `options.log.existing` decides; by
  ///     default that log is kept under a numbered name.
  ///   - options: The options of the recorder.
  ///   - logger: Receives the failures.
  public init(
    to url: URL, options: Options = Options(), logger: Logger = Logger(label: "flux.recorder")
  ) {
    requested = url
    self.options = options
    failures = FirstFailure(logger)
  }

  /// The file that the recorder writes.
  ///
  /// Before the recorder is added to a dispatcher, this is the URL that you passed to the
  /// initializer. Afterwards it is the log's actual file. That is a numbered file if another
  /// recorder is writing a log at the URL, or the current segment of a flight recorder.
  public var url: URL { lock.withLock { opened }?.url ?? requested }

  /// The first failure; nil if there is none.
  ///
  /// If the log could not be begun, this is the reason, and nothing is recorded. If a state or an
  /// action cannot be encoded, the recorder leaves a gap and continues. All other failures end the
  /// recording.
  public var failure: LogError? { failures.error }

  // MARK: Controls

  /// Leaves out all steps until ``resume()``.
  ///
  /// The first step after ``resume()`` contains their changes to the states.
  public func pause() { isPaused.store(true, ordering: .relaxed) }

  /// Resumes writing steps.
  public func resume() { isPaused.store(false, ordering: .relaxed) }

  /// The log, if it is begun and not closed.
  private var openRecording: Recording? {
    phase.load(ordering: .acquiring) == .recording ? unsafe begun : nil
  }

  /// Calls `body` with the log, if it is begun and not closed.
  @inline(__always)
  private func withOpenRecording(_ body: (Recording) -> Void) {
    guard phase.load(ordering: .acquiring) == .recording, let borrowed = unsafe borrowed else {
      return
    }
    // `begun` keeps it alive as long as the recorder.
    unsafe borrowed._withUnsafeGuaranteedRef(body)
  }

  /// Ends the recording phase; returns the log if it was begun.
  private func endRecording() -> Recording? {
    let last = phase.exchange(.closed, ordering: .acquiringAndReleasing)
    return last == .recording ? unsafe begun : nil
  }

  /// Writes a mark between two steps, with the time of the dispatcher's clock.
  ///
  /// - Parameter text: The text of the mark.
  public func mark(_ text: String) {
    guard let recording = openRecording else { return }
    let seconds = Double(bitPattern: lastTime.load(ordering: .relaxed))
    let last = recording.time(of: Date(timeIntervalSinceReferenceDate: seconds))
    recording.writer.mark(text, at: max(recording.now(), last))
  }

  /// Waits until everything recorded so far is in the file.
  ///
  /// Does nothing if the log could not be begun; see ``failure``.
  ///
  /// - Throws: `LogError` if something failed after the log was begun, so the log is incomplete.
  public func flush() throws(LogError) {
    try openRecording?.writer.flush()
    if let error = failures.recordingError { throw error }
  }

  /// Closes the log; later actions are not recorded.
  ///
  /// Does nothing if the log could not be begun; see ``failure``.
  ///
  /// - Throws: `LogError` if something failed after the log was begun, so the log is incomplete.
  public func close() throws(LogError) {
    try endRecording()?.writer.close()
    if let error = failures.recordingError { throw error }
  }

  // MARK: Middleware

  /// Begins the log and writes its header to disk before the first step.
  public func didAttach(_ context: DispatcherContext) {
    let count = lock.withLock {
      attachmentCount += 1
      return attachmentCount
    }
    guard phase.load(ordering: .acquiring) != .closed else { return }
    guard count == 1 else { return endAddedTwice() }
    let begun = failures.beginning(path: requested.path, step: context.nextStep) {
      try begin(context)
    }
    guard let begun else { return }
    lock.withLock { opened = begun }
    unsafe self.begun = begun
    unsafe borrowed = .passUnretained(begun)
    let (isBegun, _) = phase.compareExchange(
      expected: .unattached, desired: .recording, ordering: .acquiringAndReleasing)
    // Meanwhile the recorder was closed or added to another dispatcher, and had no log to end.
    if !isBegun { end(begun) }
  }

  private func endAddedTwice() {
    let why = "it was added to a second dispatcher; create a recorder for each one"
    failures.report(LogError(path: url.path, reason: .unusableOptions(why: why)))
    if let recording = endRecording() { end(recording) }
  }

  private func end(_ recording: Recording) {
    do throws(LogError) { try recording.writer.close() } catch { failures.report(error) }
  }

  private func begin(_ context: DispatcherContext) throws -> Recording {
    var log = options.log
    log.remembersElements = options.remembersElements
    return try Recording(
      url: requested, log, options.redaction, failures, created: context.time,
      clock: context.clock
    ) { redactor in
      var header = LogHeader(
        created: context.time, seed: context.seed, first: context.nextStep,
        app: options.app, redacted: options.redaction.states)
      header.stores = try context.stores.map { store in
        try LogHeader.Store(
          name: store.id.rawValue, type: store.typeName, isFeature: store.isFeature,
          state: context.model.snapshot(of: store.id), redactor)
      }
      return header
    }
  }

  /// Logs an action before its reducers run.
  public func willDispatch(_ envelope: Envelope, _ model: Model) {
    withOpenRecording { note(envelope, in: $0) }
  }

  @inline(__always)
  private func note(_ envelope: Envelope, in recording: Recording) {
    // A dispatcher's times never decrease.
    lastTime.store(
      envelope.time.timeIntervalSinceReferenceDate.bitPattern, ordering: .relaxed)
    let fate = fate(of: envelope)
    if fate == .recorded, recording.writer.notesActions {
      unsafe notedAction = recording.writer.begin(
        step: envelope.step, at: recording.time(of: envelope.time),
        action: LogValue(action: envelope.action),
        origin: ActionOrigin(envelope))
    }
    unsafe current = CurrentStep(
      fate: fate, began: options.recordsDuration ? recording.age : nil)
  }

  private func fate(of envelope: Envelope) -> CurrentStep.Fate {
    if isPaused.load(ordering: .relaxed) { return .paused }
    guard let shouldSkip = options.shouldSkip else { return .recorded }
    return shouldSkip(envelope) ? .filtered : .recorded
  }

  /// Hands over the outcome of the action.
  public func didDispatch(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model
  ) {
    withOpenRecording { handOver(envelope, outcome, changed, model, to: $0) }
  }

  @inline(__always)
  private func handOver(
    _ envelope: Envelope, _ outcome: Outcome, _ changed: [StoreID], _ model: Model,
    to recording: Recording
  ) {
    // Without a current step, the recorder was added during this step and begins with the next one.
    guard let current = unsafe current else { return }
    unsafe self.current = nil
    switch current.fate {
    case .recorded:
      let context = DispatchedStep.Context(
        created: recording.created,
        took: current.began.map { (recording.age - $0).wholeMicroseconds },
        recordsSource: options.recordsSource)
      recording.writer.append(
        DispatchedStep(
          envelope, outcome, changed, in: model, action: unsafe notedAction.take(), context))
    case .paused: recording.skip(envelope, ChangedStates(changed, in: model), why: .paused)
    case .filtered: recording.skip(envelope, ChangedStates(changed, in: model), why: .filtered)
    }
  }
}

extension ActionOrigin {
  /// Creates the origin of an envelope's action.
  init(_ envelope: Envelope) {
    self.init(
      target: envelope.target?.rawValue, cause: envelope.cause, effect: envelope.effect,
      from: envelope.isFromObserver ? LogStep.observer : nil)
  }
}

extension Duration {
  /// The duration in whole microseconds, as in a step's line.
  var wholeMicroseconds: UInt64 { UInt64(max(0, self / .microseconds(1))) }
}

public import FluxCore
public import FluxLog
public import Foundation
public import Logging
import Synchronization

/// Records a dispatcher: every action, and the states that it led to, as one line of a log.
///
/// ```swift
/// let recorder = Recorder(to: url)
/// dispatcher.use(recorder)
/// ```
/// It is a middleware. It notes an action before any reducer runs, so that an action that crashes the app is
/// in the log, and hands the new states over by reference; a thread of the log's own encodes and writes
/// them.
///
/// An app never ends because of its log. A log that is already at the URL is kept under another name, as
/// `LogWriter.Options.existing` says. If the log cannot be begun, because its folder is missing or cannot be
/// written to, the app runs without one. If the disk fails later, recording stops with what was written before. Both are
/// logged once and kept in ``failure``.
///
/// A recorder records one dispatcher: one that is added a second time says so in its ``failure``, and records
/// nothing more.
@safe
public final class Recorder: Middleware, @unchecked Sendable {
  // Sendable: `opened` is guarded by `lock`; `current` and `notedAction` are only touched in the turn of the one dispatcher that the recorder was
  // added to, and `attachmentCount` under `lock`. `begun` is written once, before `phase` says so, and read once it
  // has, as `borrowed` is; everything else is constant or atomic. Safe: `borrowed` is held by `begun`, which nobody
  // takes away.

  /// The URL that was asked for.
  private let requested: URL
  private let options: Options
  private let failures: FirstFailure
  private let phase = Atomic(Phase.unattached)
  /// The log, once it is begun.
  @exclusivity(unchecked) private var begun: Recording?
  /// The same, for those who only borrow it: to count a reference of each step costs more than to look at the phase.
  @exclusivity(unchecked) private var borrowed: Unmanaged<Recording>?
  /// When the newest step began, as the bits of the seconds since the reference date.
  private let lastTime = Atomic<UInt64>(0)
  private let isPaused = Atomic(false)
  private let lock = Lock()
  private var attachmentCount = 0
  /// The log once it is begun, for those who may ask before that.
  private var opened: Recording?
  /// As the others here not checked for overlapping accesses when running: nothing is called while one lasts.
  @exclusivity(unchecked) private var current: CurrentStep?
  /// The action of that step, where it was noted.
  @exclusivity(unchecked) private var notedAction: PreparedAction?

  /// How far the recorder has come; it never goes back.
  private enum Phase: UInt8, AtomicRepresentable {
    case unattached, recording, closed
  }

  /// The step that is under way: numbers only, which nobody has to count references of.
  private struct CurrentStep {
    let fate: Fate
    let began: Duration?

    enum Fate { case recorded, paused, filtered }
  }

  /// Creates a recorder; the log is begun when it is added to a dispatcher.
  ///
  /// - Parameters:
  ///   - url: The file to write. If a log is there, `options.log.existing` decides; it is kept under a numbered
  ///     name by default.
  ///   - options: How to record.
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
  /// Until the recorder is added to a dispatcher, this is the URL given at its creation. Then it is the file that the
  /// log is really in: a numbered one if another recorder is writing a log at that URL, and a flight recorder's
  /// current segment.
  public var url: URL { lock.withLock { opened }?.url ?? requested }

  /// The first failure; `nil` while all is well.
  ///
  /// If the log could not be begun, this says why, and nothing is recorded. A state or an action that cannot be
  /// encoded leaves a gap, and recording goes on; all other failures end it.
  public var failure: LogError? { failures.error }

  // MARK: Controls

  /// Leaves out the steps from here on; their effects on the states are in the first step after ``resume()``.
  public func pause() { isPaused.store(true, ordering: .relaxed) }

  /// Writes steps again.
  public func resume() { isPaused.store(false, ordering: .relaxed) }

  /// The log, while it is neither to be begun nor closed.
  private var openRecording: Recording? {
    phase.load(ordering: .acquiring) == .recording ? unsafe begun : nil
  }

  /// Calls `body` with the log, while it is neither to be begun nor closed.
  @inline(__always)
  private func withOpenRecording(_ body: (Recording) -> Void) {
    guard phase.load(ordering: .acquiring) == .recording, let borrowed = unsafe borrowed else {
      return
    }
    // Held by `begun` for as long as the recorder lives.
    unsafe borrowed._withUnsafeGuaranteedRef(body)
  }

  /// Ends the phase of recording; returns the log, where that has been begun.
  private func endRecording() -> Recording? {
    let last = phase.exchange(.closed, ordering: .acquiringAndReleasing)
    return last == .recording ? unsafe begun : nil
  }

  /// Writes a note between two steps, with the time by the dispatcher's clock.
  ///
  /// - Parameter text: The note.
  public func mark(_ text: String) {
    guard let recording = openRecording else { return }
    let seconds = Double(bitPattern: lastTime.load(ordering: .relaxed))
    let last = recording.time(of: Date(timeIntervalSinceReferenceDate: seconds))
    recording.writer.mark(text, at: max(recording.now(), last))
  }

  /// Waits until everything so far is in the file.
  ///
  /// Does nothing if the log could not be begun: ``failure`` says so.
  ///
  /// - Throws: `LogError` if something failed after the log was begun, so that it is not complete.
  public func flush() throws(LogError) {
    try openRecording?.writer.flush()
    if let error = failures.recordingError { throw error }
  }

  /// Ends the log; actions that are dispatched afterwards are not recorded.
  ///
  /// Does nothing if the log could not be begun: ``failure`` says so.
  ///
  /// - Throws: `LogError` if something failed after the log was begun, so that it is not complete.
  public func close() throws(LogError) {
    try endRecording()?.writer.close()
    if let error = failures.recordingError { throw error }
  }

  // MARK: Middleware

  /// Begins the log: its header is on the disk before the first step.
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
    // Otherwise it was closed, or another dispatcher came, while there was no log to end.
    if !isBegun { end(begun) }
  }

  private func endAddedTwice() {
    let why = "it was added to a dispatcher a second time; make a recorder for each"
    failures.report(LogError(path: url.path, reason: .unusableOptions(why: why)))
    if let recording = endRecording() { end(recording) }
  }

  private func end(_ recording: Recording) {
    do throws(LogError) { try recording.writer.close() } catch { failures.report(error) }
  }

  private func begin(_ context: DispatcherContext) throws -> Recording {
    try Recording(
      url: requested, options.log, options.redaction, failures, created: context.time,
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

  /// Notes an action before any reducer runs.
  public func willDispatch(_ envelope: Envelope, _ model: Model) {
    withOpenRecording { note(envelope, in: $0) }
  }

  @inline(__always)
  private func note(_ envelope: Envelope, in recording: Recording) {
    // Times of a dispatcher never go back.
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
      fate: fate, began: options.notesDuration ? recording.age : nil)
  }

  private func fate(of envelope: Envelope) -> CurrentStep.Fate {
    if isPaused.load(ordering: .relaxed) { return .paused }
    guard let leavesOut = options.leavesOut else { return .recorded }
    return leavesOut(envelope) ? .filtered : .recorded
  }

  /// Hands over what became of the action.
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
    // Without a current step the recorder was added in the middle of this one: it begins with the next.
    guard let current = unsafe current else { return }
    unsafe self.current = nil
    switch current.fate {
    case .recorded:
      let context = DispatchedStep.Context(
        created: recording.created,
        took: current.began.map { (recording.age - $0).wholeMicroseconds },
        notesSource: options.notesSource)
      recording.writer.append(
        DispatchedStep(
          envelope, outcome, changed, in: model, action: unsafe notedAction.take(), context))
    case .paused: recording.skip(envelope, ChangedStates(changed, in: model), why: .paused)
    case .filtered: recording.skip(envelope, ChangedStates(changed, in: model), why: .filtered)
    }
  }
}

extension ActionOrigin {
  /// What an envelope says of where its action came from.
  init(_ envelope: Envelope) {
    self.init(
      target: envelope.target?.rawValue, cause: envelope.cause, effect: envelope.effect,
      from: envelope.isFromObserver ? LogStep.observer : nil)
  }
}

extension Duration {
  /// The duration as a step's line has it.
  var wholeMicroseconds: UInt64 { UInt64(max(0, self / .microseconds(1))) }
}

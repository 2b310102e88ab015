public import FluxCore
public import FluxLog
import FluxSystem
public import Foundation
public import Logging
import Synchronization

/// Records every action and the resulting states, as one line of a log.
///
/// Add it to a dispatcher:
/// ```swift
/// let recorder = Recorder(to: url)
/// dispatcher.use(recorder)
/// ```
/// An app of another architecture starts it with its states, and records each action:
/// ```swift
/// let recorder = Recorder(to: url)
/// recorder.start(states: ["counter": store.state])
/// // after each action:
/// recorder.record(action, states: ["counter": store.state])
/// ```
/// If the states or the actions are not `Encodable`, ``start(reflecting:seed:now:)`` reads them by reflection, and
/// ``watch(_:file:line:_:)`` records `@Observable` objects, which have no actions.
///
/// With a dispatcher, actions are logged before their reducers run, so the action that crashed the app is in the log.
/// Without a dispatcher, `begin(_:)` does this. The recorder takes the new states by reference, and the log's own
/// thread encodes and writes them.
///
/// The log never ends the app. If there is already a log at the URL, it is kept under another name;
/// see `LogWriter.Options.existing`. If the log cannot be created, because its folder is
/// missing or not writable, the app runs without a log. If the disk fails later, recording stops,
/// and the log keeps what was written so far. Either failure is logged once and stored in
/// ``failure``.
///
/// If an action or a state cannot be encoded, its step becomes a gap with the reason `dropped`, and so do the next ones
/// until the value can be encoded again. Recording continues with the next step that can be written, which contains the
/// whole states. The first such step is logged and stored in ``failure``, with the type of the action or the name of the
/// store, and the coding path. ``close()`` throws that failure.
///
/// The log's own thread also calls the logger and releases old states. Code of the app that runs there, such as a log
/// handler, never waits for that thread: ``flush()`` and ``close()`` return before the log has everything, and a dispatch is
/// queued while another thread has the turn.
///
/// A child that is forked without starting another program logs nothing, and its ``failure`` says so.
/// Create another dispatcher and recorder there: a fork during a step leaves the old dispatcher unusable.
///
/// A recorder is started once, by a dispatcher or by one of its `start` methods. If it is started again, it stops
/// recording and reports that in ``failure``.
@safe
public final class Recorder: Middleware, @unchecked Sendable {
  // Sendable: `lock` guards `shared`; everything else is constant.

  let destination: LogDestination
  let process = ProcessIdentity()
  let options: Options
  let failures: FirstFailure
  let reflected: ReflectedStates
  /// The intervals of steps and effects for a profiler; nil if nobody wants them.
  let intervals: StepIntervals?
  let lock = Lock()
  /// Called once the log is closed, before ``close()`` returns.
  private let closeHandlers = Monitor<[@Sendable () -> Void]>([])
  /// `true` if the recorder looks at each action before its reducers run.
  ///
  /// Others have nothing to do there, and taking the lock takes a tenth of a recorded step.
  let isLookingAhead = Atomic(false)
  /// No access is checked for overlaps at run time: nothing is called while the lock is held.
  @exclusivity(unchecked) var shared = Shared()

  /// The variables that the lock guards.
  struct Shared: ~Copyable {
    var phase = Phase.notStarted
    /// The log; it stays here after it is closed.
    var log: Recording?
    /// The step in flight, if the recorder has looked at it before its reducers.
    var step: Step?
    /// The action of that step, if it was logged before its reducers ran.
    ///
    /// Not a part of the step, which without references is copied faster: a recorded step would cost 8 % more.
    var note: NotedAction?
    var isPaused = false
    /// The steps that the app records itself; nil for those of a dispatcher.
    var appSteps: AppSteps?
    /// The watched objects; empty once the recorder is closed.
    var watches: [Watch] = []
    /// The dispatcher's model in the log's header.
    var beginning: (step: UInt64?, next: UInt64)?
    /// The time of the newest step.
    var lastTime = Date.distantPast

    var openLog: Recording? { phase == .recording ? log : nil }

    /// Ends the recording; returns the watches, which the caller releases without the lock.
    mutating func close() -> [Watch] {
      phase = .closed
      let closed = watches
      watches = []
      return closed
    }

    /// Begins a step; returns its log and its fate as far as it is known without its action.
    mutating func beginStep(at time: Date) -> (Recording, Step)? {
      // A dispatcher's times never decrease.
      lastTime = time
      step = nil
      guard let log = openLog else { return nil }
      let step = Step(fate: isPaused ? .paused : .recorded)
      self.step = step
      return (log, step)
    }

    /// Ends a step; begins it as well if the recorder has not seen it before its reducers.
    mutating func endStep(at time: Date) -> Step? {
      lastTime = time
      guard phase == .recording else { return nil }
      return step.take() ?? Step(fate: isPaused ? .paused : .recorded)
    }
  }

  enum Phase {
    case notStarted
    /// The log is being created.
    case beginning
    /// The log could not be created.
    case failed
    case recording
    /// The recorder was closed, or started a second time.
    case closed
  }

  /// The recorder's part of a step.
  struct Step {
    var fate: Fate
    /// The age of the recording before the reducers ran; nil if durations are not recorded.
    var began: Duration?

    enum Fate { case recorded, paused, filtered }
  }

  /// Creates a recorder, which begins its log when it is started.
  ///
  /// - Parameters:
  ///   - url: The file to write. If there is already a log, `options.log.existing` decides; by
  ///     default that log is kept under a numbered name.
  ///   - options: The options of the recorder.
  ///   - logger: Receives the failures.
  public convenience init(
    to url: URL, options: Options = Options(), logger: Logger = Logger(label: "flux.recorder")
  ) {
    self.init(.file(url), options, logger)
  }

  private init(_ destination: LogDestination, _ options: Options, _ logger: Logger) {
    self.destination = destination
    self.options = options
    intervals = StepIntervals(options)
    let failures = FirstFailure(logger)
    self.failures = failures
    reflected = ReflectedStates(limit: options.reflectionLimit) { value, limit in
      failures.report(
        LogError(path: destination.path, reason: .cutReflection(value: value, limit: limit)))
    }
  }

  /// Creates a recorder that keeps its log in memory, for tests and previews.
  ///
  /// ``timeline()`` returns the steps and states, and ``export(last:to:)`` writes them to a file. A crash
  /// loses everything.
  ///
  /// - Parameters:
  ///   - byteCount: The maximum size of the log; the oldest steps are dropped. A single step or the
  ///     states may need more.
  ///   - options: The options of the recorder. Those of files have no effect.
  ///   - logger: Receives the failures.
  public convenience init(
    inMemory byteCount: Int, options: Options = Options(),
    logger: Logger = Logger(label: "flux.recorder")
  ) {
    self.init(.memory(byteCount), options, logger)
  }

  /// Creates a recorder that records each launch of the app in a separate file.
  ///
  /// ```swift
  /// let recorder = Recorder(in: folder, name: "todo")
  /// ```
  /// The files begin with the name, the time and eight random digits:
  /// `todo-20261120T120000Z-1a2b3c4d`. The app and its extensions can record side by side. When a
  /// recorder begins, and whenever it begins another segment, it deletes the oldest logs, until all
  /// launches together are within `options.launchLimits`. It never deletes a file that is being
  /// recorded.
  ///
  /// ``logs`` lists the launches.
  ///
  /// - Parameters:
  ///   - folder: The folder of the logs, which is created if it is missing.
  ///   - name: The beginning of the file names. Recorders with another name ignore these files.
  ///   - options: The options of the recorder. `log.existing` has no effect.
  ///   - logger: Receives the failures.
  public convenience init(
    in folder: URL, name: String, options: Options = Options(),
    logger: Logger = Logger(label: "flux.recorder")
  ) {
    self.init(.launches(in: folder, name: name, options.launchLimits), options, logger)
  }

  /// The file that the recorder writes; `memory:` if there is none.
  ///
  /// Before the recorder is started, this is the URL that you passed to the initializer. Afterwards it is the log's
  /// actual file: a numbered file if another recorder is writing a log at the URL, the file of this launch in a
  /// folder, or the current segment of a flight recorder.
  public var url: URL { begun?.url ?? destination.url }

  /// The path of ``url`` for messages; `(in memory)` if there is no file.
  var path: String { begun?.writer.path ?? destination.path }

  /// The recording, open or closed; nil if it has not begun, or began before this process was forked.
  var begun: Recording? { process.isForked ? nil : lock.withLock { unsafe shared.log } }

  /// The launches with a log in the folder, newest first; empty for a recorder with a URL.
  ///
  /// If the folder cannot be read, the list is empty, and the reason is in ``warnings``.
  public var logs: [RecordedLaunch] {
    guard !process.isForked, let folder = destination.folder(options.log) else { return [] }
    let open = lock.withLock { unsafe shared.openLog }
    do throws(LogError) {
      return try RecordedLaunch.all(in: folder, recording: open?.launch)
    } catch {
      failures.report(LogError(unlisted: error))
      return []
    }
  }

  /// The first failure; nil if there is none.
  ///
  /// If the log could not be created, this is the reason, and nothing is recorded. If a state or an
  /// action cannot be encoded, the recorder leaves a gap and continues. The problems in ``warnings``
  /// do not end the recording either. All other failures do.
  public var failure: LogError? { forkFailure ?? failures.error }

  private var forkFailure: LogError? {
    process.isForked ? LogError(path: destination.path, reason: .forked) : nil
  }

  /// The problems that did not end the recording, in order.
  ///
  /// ``flush()`` and ``close()`` do not throw them. The first one is also the ``failure`` unless
  /// there is a worse one. That a redaction pointer matched no value is known when the log is closed. That a
  /// redacted value may be computed from the log is known when its step is written.
  public var warnings: [LogError] { process.isForked ? [] : failures.warnings }

  /// Returns `true` if the step of an envelope is in the log, unless recording fails.
  func writes(_ envelope: Envelope) -> Bool {
    let isWriting = lock.withLock { unsafe shared.openLog != nil && !shared.isPaused }
    return isWriting && options.shouldSkip?(envelope.action) != true
  }

  /// Returns the recording, open or closed; an error names the destination `url`, if there is one.
  func recording(exportedTo url: URL? = nil) throws(LogError) -> Recording {
    if let forkFailure { throw forkFailure }
    if let begun { return begun }
    throw failures.error ?? .nothingRecorded(url?.path ?? destination.path)
  }

  /// Calls `handler` once the log is closed; it may let the app's end wait for a while.
  func whenClosed(_ handler: @escaping @Sendable () -> Void) {
    closeHandlers.withLock { $0.append(handler) }
  }

  // MARK: Controls

  /// Leaves out all steps until ``resume()``.
  ///
  /// The first step after ``resume()`` contains their changes to the states.
  public func pause() { setPaused(true) }

  private func setPaused(_ isPaused: Bool) {
    if process.isForked { return }
    recordPendingChanges()
    lock.withLock { unsafe shared.isPaused = isPaused }
  }

  /// Resumes writing steps.
  public func resume() { setPaused(false) }

  /// Writes a mark between two steps, with the time of the log's clock.
  public func mark(_ text: String) {
    if process.isForked { return }
    recordPendingChanges()
    guard let log = lock.withLock({ unsafe shared.openLog }) else { return }
    log.writer.mark(text, at: now(in: log))
  }

  /// Returns the time of the log's clock, or the latest time if the clock was set back.
  func now(in log: Recording) -> LogTime {
    let now = log.now
    return log.time(
      of: lock.withLock {
        unsafe shared.lastTime = max(shared.lastTime, now)
        return unsafe shared.lastTime
      })
  }

  /// Waits until everything recorded so far is in the file.
  ///
  /// Does nothing if the log could not be created; see ``failure``.
  ///
  /// - Throws: `LogError` if something failed after the log was created, so the log is incomplete.
  public func flush() throws(LogError) {
    if let forkFailure { throw forkFailure }
    recordPendingChanges()
    do throws(LogError) {
      try lock.withLock { unsafe shared.openLog }?.writer.flush()
    } catch {
      // The writing thread reports it too, but perhaps later, and who catches it may look at `failure`.
      failures.report(error)
      throw error
    }
    if let error = failures.recordingError { throw error }
  }

  /// Closes the log; later actions are not recorded.
  ///
  /// If an inspector follows the log from another machine, waits up to two seconds until it has the rest, because the app may
  /// end now.
  ///
  /// Does nothing if the log could not be created; see ``failure``.
  ///
  /// - Throws: `LogError` if something failed after the log was created, so the log is incomplete.
  public func close() throws(LogError) {
    if let forkFailure { throw forkFailure }
    recordPendingChanges()
    if try end({ $0.openLog }) {
      for handler in closeHandlers.withLock({ $0 }) { handler() }
    }
    if let error = failures.recordingError { throw error }
  }

  /// Ends the recording, and closes the log that `find` returns; returns `true` if there is one.
  ///
  /// With `isComplete: false`, the log says that recording failed.
  @discardableResult
  func end(
    isComplete: Bool = true, _ find: (borrowing Shared) -> Recording?
  ) throws(LogError) -> Bool {
    let (log, watches) = lock.withLock { unsafe (find(shared), shared.close()) }
    // Without the lock: an object that is released with a watch may call the recorder.
    withExtendedLifetime(watches) {}
    reflected.close()
    try log?.close(isComplete: isComplete)
    return log != nil
  }
}

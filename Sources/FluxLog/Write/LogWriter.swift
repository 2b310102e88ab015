import FluxJSON
import FluxSystem
import Foundation

/// Writes a log while an app runs.
///
/// The app hands steps over by value, and a thread of the writer encodes, compares and writes them.
/// A failing disk never ends the app: the writer reports it once and stops recording, and keeps
/// everything written before.
///
/// ```swift
/// let writer = try LogWriter(path: "todo.jsonl", header: header)
/// let action = writer.begin(step: 1, at: time, action: LogValue(json: ["type": "todo/add"]))
/// // … reducers run …
/// writer.append(StepRecord(number: 1, time: time, action: action, changes: changes))
/// try writer.close()
/// ```
///
/// Safe to use from any thread. Steps must come in the order of their numbers. In a child that is
/// forked without starting another program, a writer does nothing.
public final class LogWriter: Sendable {
  private let requestedPath: String
  private let process = ProcessIdentity()
  private let options: Options
  // Separate because every step needs it, and reading one option copies all of them.
  private let isSynced: Bool
  private let queue: WriteQueue
  private let ring: InFlightRing?
  let files: RecordedFiles

  /// Creates a log, writes its header, and starts the writing thread.
  ///
  /// - Parameters:
  ///   - path: The log's file. A flight recorder puts a number before the extension; so does a
  ///     writer that finds another one at work there (see ``Options/existing``).
  ///   - header: The first line.
  ///   - options: The durability, limits and hooks of the log.
  /// - Throws: ``LogError`` if the file cannot be created, if ``Options/existing`` forbids it, if the system refuses the
  ///   writing thread, or if readers would refuse the header: a value nests too deep, the first step has a number of 2^63
  ///   or more, or `created` is not within the years 0 to 9999. Without a thread, the log stays, and says that recording
  ///   failed.
  public convenience init(
    path: String, header: LogHeader, options: Options = Options()
  ) throws(LogError) {
    try header.checkFitsIntoLine(of: path)
    var header = header
    header.stores = header.stores.map(\.canonical)
    let sink = try SegmentedSink(path: path, header: header, options: options)
    try self.init(path, header, options, sink, sink.files, sink.ring)
  }

  /// Creates a log that is only in memory, where it keeps about the newest `byteLimit` bytes.
  ///
  /// - Throws: ``LogError`` if the system refuses the writing thread, or if readers would refuse the header.
  package convenience init(
    memory byteLimit: Int, header: LogHeader, options: Options = Options()
  ) throws(LogError) {
    try header.checkFitsIntoLine(of: RecordedFiles.memoryPath)
    var header = header
    header.stores = header.stores.map(\.canonical)
    let sink = MemorySink(header: header, byteLimit: byteLimit)
    try self.init(RecordedFiles.memoryPath, header, options, sink, sink.files, nil)
  }

  private init(
    _ path: String, _ header: LogHeader, _ options: Options, _ sink: some LineSink & Sendable,
    _ files: RecordedFiles, _ ring: InFlightRing?
  ) throws(LogError) {
    requestedPath = path
    self.options = options
    isSynced = options.durability == .synced
    self.files = files
    self.ring = ring
    let composer = LineComposer(
      header, writesWholeStates: options.states == .full, rewriter: options.rewriter,
      makeMemory: options.makeMemory)
    queue = WriteQueue(
      capacity: options.queueLimit(stateByteCount: composer.ledger.largestByteCount),
      actionCapacity: options.actionCapacity, overflow: options.overflow, rewriter: options.rewriter
    )
    let makeLoop = { @Sendable [queue, ring] in
      WritingLoop(
        queue: queue, ring: ring, options: options, composer: composer, sink: sink, files: files)
    }
    do throws(SystemError) {
      try startThread { [queue] in
        queue.begin()
        var loop = makeLoop()
        options.runWriting {
          LogEncoder.$ambientUserInfo.withValue(options.userInfo) { loop.run() }
        }
      }
    } catch {
      let error = LogError(
        path: sink.path, reason: .system(operation: "start a thread", code: error.code))
      var loop = makeLoop()
      loop.endUnstarted(error)
      throw error
    }
  }

  /// Releases the log: the thread still writes the steps that were handed over, but no end line.
  deinit {
    if process.isForked { return }
    queue.close(.abandon)
    ring?.stop()
  }

  /// The path of the log: the given path, a numbered one next to it, or a flight recorder's current
  /// segment.
  public var path: String { process.isForked ? requestedPath : files.path }

  /// The error that stopped recording; `nil` while there is none.
  public var failure: LogError? { forkFailure ?? queue.failure }

  private var forkFailure: LogError? {
    process.isForked ? LogError(path: requestedPath, reason: .forked) : nil
  }

  // MARK: Steps

  /// Logs an action before its reducers run.
  ///
  /// - Parameters:
  ///   - number: The number that the step will have.
  ///   - time: When the action was dispatched.
  ///   - action: An object with `type`, and usually `payload`.
  ///   - origin: The origin of the action, from which a repair can rebuild a step without a line.
  /// - Returns: The action for the step's record.
  public func begin(
    step number: UInt64, at time: LogTime, action: LogValue, origin: ActionOrigin = ActionOrigin()
  ) -> LogValue {
    guard let ring, !process.isForked else { return action }
    let action =
      options.rewriter.map { $0.changesValues ? action.rewritten(by: $0, .action) : action }
      ?? action
    let text = Result { () throws(EncodingFailure) in try action.action() }
    if case .success(let text) = text {
      ring.note(
        number: number, time: time, origin: origin.text, action: text,
        mayWait: !queue.isWritingThread)
    }
    return LogValue(noted: text)
  }

  /// Writes a step that committed or was rejected.
  ///
  /// Returns at once, unless the queue is full and ``Options/overflow`` says to wait, or the durability
  /// is ``Options/Durability/synced``. Does nothing after a failure or after `close`.
  public func append(_ record: consuming StepRecord) {
    append(QueuedStep(record))
  }

  /// Writes a step whose record the writing thread makes.
  package func append(_ step: consuming any StepSource) {
    if process.isForked { return }
    if let ring, !ring.commit(number: step.number) {
      let total = queue.pushDropped(step)
      if isSynced { queue.waitUntilWritten(total) }
      return
    }
    let total = queue.push(.step(consume step))
    if isSynced { queue.waitUntilWritten(total) }
  }

  /// `true` if actions are logged before their reducers run, and must be encoded by then.
  package var notesActions: Bool { ring != nil }

  /// Leaves a step out of the log: the recorder is paused, or filters the step.
  ///
  /// The writer still needs its changes, because the next step that is written has the whole
  /// model.
  ///
  /// - Parameters:
  ///   - number: The number of the step.
  ///   - changes: The stores that the step changed.
  ///   - why: The reason that the gap line gives.
  ///   - action: The action, so the rewriter can hide its values in the app's words in later lines.
  public func skip(
    step number: UInt64, changes: [StepRecord.Change], why: LogGap.Why, action: LogValue? = nil
  ) {
    if process.isForked { return }
    let gap = LogGap(from: number, through: number, why: why)
    var record = SkipRecord(gap: gap, changes: changes, action: action)
    // Not on the writing thread, because the next action may begin before, and hides copies of this one's values.
    if ring != nil, let rewriter = options.rewriter, rewriter.changesValues {
      record.showAction(to: rewriter)
    }
    queue.push(.skip(record))
  }

  /// Writes that the app was set to another model without a step, and waits until that is in the file.
  ///
  /// Returns at once if recording has failed.
  ///
  /// - Parameters:
  ///   - step: The step after which the app had that model; nil if it is no step's.
  ///   - number: The number of the next step.
  ///   - changes: The stores that changed.
  ///   - tellsStates: `false` to write no states if the step is not in the file.
  package func restore(
    after step: UInt64?, next number: UInt64, changes: [StepRecord.Change], tellsStates: Bool
  ) {
    if process.isForked { return }
    let record = RestoreRecord(
      step: step, next: number, changes: changes, tellsStates: tellsStates)
    queue.waitUntilWritten(queue.push(.restore(record)))
  }

  /// Writes a mark between two steps.
  public func mark(_ text: String, at time: LogTime) {
    if process.isForked { return }
    queue.push(.mark(LogMark(text: text, time: time)))
  }

  // MARK: Ends

  /// Waits until the file has all steps so far, and examines the file.
  ///
  /// - Throws: ``LogError`` if recording has failed.
  public func flush() throws(LogError) {
    if let forkFailure { throw forkFailure }
    queue.waitUntilWritten(queue.push(.examine))
    if let failure { throw failure }
  }

  /// Ends the log: writes the remaining steps and the end line.
  ///
  /// - Throws: ``LogError`` if recording has failed.
  public func close() throws(LogError) { try close(isComplete: true) }

  /// Ends the log in the same way; with `false`, its end line says that recording failed.
  package func close(isComplete: Bool) throws(LogError) {
    if let forkFailure { throw forkFailure }
    queue.close(isComplete ? .close : .closeIncomplete)
    ring?.stop()
    if let failure { throw failure }
  }
}

extension LogHeader.Store {
  /// The store with a canonical initial state.
  var canonical: LogHeader.Store {
    var store = self
    store.initial = initial?.canonical()
    return store
  }
}

extension LogHeader {
  /// The same for all segments of one recording, and for no other recording.
  var identity: UInt32 {
    let text = "\(log ?? "") \(created?.description ?? "") \(seed ?? 0)"
    return CRC32C.checksum(Array(text.utf8))
  }
}

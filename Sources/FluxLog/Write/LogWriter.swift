import FluxJSON
import Foundation

/// Writes a log while an app runs.
///
/// Steps are handed over by value and written by a thread of the writer's own: encoding,
/// comparing and writing cost the app nothing but the hand-over. A failing disk never takes the
/// app down: it is reported once, and recording stops with what was written before.
///
/// ```swift
/// let writer = try LogWriter(path: "todo.jsonl", header: header)
/// let action = writer.begin(step: 1, at: time, action: LogValue(json: ["type": "todo/add"]))
/// // … reducers run …
/// writer.append(StepRecord(number: 1, time: time, action: action, changes: changes))
/// try writer.close()
/// ```
///
/// Safe to use from any thread; steps have to come in the order of their numbers.
public final class LogWriter: Sendable {
  private let options: Options
  // Apart: every step asks, and to read one option copies all of them.
  private let isSynced: Bool
  private let queue: WriteQueue
  private let ring: InFlightRing?
  private let location: LogLocation

  /// Makes a log, writes its header, and starts the thread that writes.
  ///
  /// - Parameters:
  ///   - path: The log's file. A flight recorder puts a number before the extension; so does a writer
  ///     that finds another one at work there (see ``Options/existing``).
  ///   - header: The first line.
  ///   - options: How the log is written.
  /// - Throws: ``LogError`` if the file cannot be created, or ``Options/existing`` forbids it.
  public init(
    path: String, header: LogHeader, options: Options = Options()
  ) throws(LogError) {
    self.options = options
    isSynced = options.durability == .synced
    let header = header.canonical
    let sink = try SegmentedSink(path: path, header: header, options: options)
    if options.durability == .synced {
      try sink.file.synchronize()
      try sink.file.synchronizeName()
    }
    LogLocation.removeLeftovers(beside: sink.path)
    ring = Self.ring(beside: sink.path, header, options)
    location = LogLocation(path: sink.path, inFlight: ring?.place)
    let composer = LineComposer(
      header, writesWholeStates: options.states == .full, rewriter: options.rewriter)
    let capacity = QueueLimit(options).capacity(stateByteCount: composer.largestStateByteCount)
    queue = WriteQueue(
      capacity: capacity, drops: options.overflow == .drop, rewriter: options.rewriter)
    Thread { [queue, ring, location] in
      var loop = WritingLoop(
        queue: queue, ring: ring, options: options, location: location, composer: composer,
        sink: sink)
      loop.run()
      queue.finishClosing()
    }.start()
  }

  /// Lets go of the log; what was handed over is still written, but no end line.
  deinit {
    queue.close(.abandon)
    ring?.stop()
  }

  /// Without room for the ring the recording goes on without it: better than none.
  private static func ring(
    beside path: String, _ header: LogHeader, _ options: Options
  ) -> InFlightRing? {
    guard options.durability != .buffered else { return nil }
    do throws(LogError) {
      return try InFlightRing(
        path: LogLocation.inFlightPath(of: path), byteCount: options.inFlightByteCount,
        identity: header.identity, waits: options.overflow == .block)
    } catch {
      options.onFailure?(error)
      return nil
    }
  }

  /// The file that is written: the path given, a numbered one beside it, or a flight recorder's current segment.
  public var path: String { location.path }

  /// Why recording stopped; nil while all is well.
  public var failure: LogError? { queue.failure }

  // MARK: Steps

  /// Notes an action before its reducers run.
  ///
  /// - Parameters:
  ///   - number: The number that the step will have.
  ///   - time: When the action was dispatched.
  ///   - action: An object with `type`, and mostly `payload`.
  ///   - origin: Where the action came from, so that a step whose line is never written can be rebuilt.
  /// - Returns: The action for the record of the step.
  public func begin(
    step number: UInt64, at time: LogTime, action: LogValue, origin: ActionOrigin = ActionOrigin()
  ) -> PreparedAction {
    guard let ring else { return PreparedAction(.deferred(action)) }
    let action = options.rewriter.map { action.rewritten(by: $0, .action) } ?? action
    do throws(EncodingFailure) {
      let text = try action.action()
      ring.note(number: number, time: time, origin: origin.text, action: text)
      return PreparedAction(.encoded(text))
    } catch {
      return PreparedAction(.failed(error))
    }
  }

  /// Hands a step over once it committed or was rejected.
  ///
  /// Returns at once, unless the queue is full and may not drop steps, or each step is to be on
  /// the disk. After a failure, and after `close`, nothing happens.
  public func append(_ record: consuming StepRecord) {
    append(RecordedStep(record))
  }

  /// The same with a step whose record is made later.
  package func append(_ step: consuming any StepSource) {
    if let ring { ring.commit(number: step.number) }
    let total = queue.push(.step(step))
    if isSynced { queue.waitUntilWritten(total) }
  }

  /// Whether actions are noted before their reducers run, and so have to be encoded by then.
  package var notesActions: Bool { ring != nil }

  /// Says that a step is not to be written: the recorder is paused, or told to leave it out.
  ///
  /// Its changes have to be known all the same, since the next step that is written has the whole
  /// model.
  ///
  /// - Parameters:
  ///   - number: The number of the step.
  ///   - changes: The stores that the step changed.
  ///   - why: Why it is left out.
  ///   - action: Its action, of which the rewriter learns what to keep out of the app's words in later lines.
  public func skip(
    step number: UInt64, changes: [StepRecord.Change], why: LogGap.Why, action: LogValue? = nil
  ) {
    let gap = LogGap(from: number, through: number, why: why)
    queue.push(.skip(SkipRecord(gap: gap, changes: changes, action: action)))
  }

  /// Writes a note of the app between two steps.
  public func mark(_ text: String, at time: LogTime) {
    queue.push(.mark(LogMark(text: text, time: time)))
  }

  // MARK: Ends

  /// Waits until everything handed over so far is in the file.
  ///
  /// - Throws: ``LogError`` where recording has failed.
  public func flush() throws(LogError) {
    queue.flush()
    if let failure { throw failure }
  }

  /// Ends the log: writes what was handed over, and the end line.
  ///
  /// - Throws: ``LogError`` where recording has failed.
  public func close() throws(LogError) {
    queue.close(.close)
    ring?.stop()
    if let failure { throw failure }
  }
}

extension LogHeader {
  /// The header with its initial states as a log has them.
  fileprivate var canonical: LogHeader {
    var header = self
    header.stores = stores.map { store in
      var store = store
      store.initial = store.initial?.canonical()
      return store
    }
    return header
  }

  /// What all segments of one recording have in common, and no other recording.
  var identity: UInt32 {
    let text = "\(log ?? "") \(created?.description ?? "") \(seed ?? 0)"
    return CRC32C.checksum(Array(text.utf8))
  }
}

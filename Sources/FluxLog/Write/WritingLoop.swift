/// What the writing thread does: takes events from the queue, composes lines, appends them.
struct WritingLoop {
  private let queue: WriteQueue
  private let ring: InFlightRing?
  private let options: LogWriter.Options
  private let limit: QueueLimit
  /// How many events may wait at present.
  private var capacity: Int
  private let location: LogLocation
  private var composer: LineComposer
  private var sink: SegmentedSink
  private var lines = LineBuffer()
  /// Step lines that are in the file.
  private var writtenSteps: UInt64 = 0
  private var hasFailed = false
  /// Whether the step before could not be encoded either, which was reported then.
  private var isEncodingFailing = false

  /// Lines are appended in blocks of this size: one write of 256 KB takes hardly longer for each
  /// byte than a larger one, one of a line five times as long.
  private static let blockByteCount = 1 << 18
  /// Two milliseconds each.
  private static let napsBeforeSleep = 16

  init(
    queue: WriteQueue, ring: InFlightRing?, options: LogWriter.Options, location: LogLocation,
    composer: LineComposer, sink: SegmentedSink
  ) {
    self.queue = queue
    self.ring = ring
    self.options = options
    limit = QueueLimit(options)
    capacity = limit.capacity(stateByteCount: composer.largestStateByteCount)
    self.location = location
    self.composer = composer
    self.sink = sink
  }

  /// Runs until the queue is closed.
  mutating func run() {
    var idleRounds = 0
    var events: [WriteQueue.Event] = []
    while true {
      let batch = queue.next(isIdle: idleRounds > Self.napsBeforeSleep, &events)
      idleRounds = events.isEmpty ? idleRounds + 1 : 0
      write(&events)
      events.removeAll(keepingCapacity: true)
      composer.findLargestState()
      limitQueue()
      queue.finish(batch.total)
      guard let closing = batch.closing else { continue }
      end(closing)
      return
    }
  }

  /// Writes events, and lets each go once its line is made: its states may be all that holds megabytes.
  private mutating func write(_ events: inout [WriteQueue.Event]) {
    guard !hasFailed, !events.isEmpty else { return }
    do throws(LogError) {
      for place in events.indices {
        try compose(events[place])
        events[place] = .done
        limitQueue()
        if lines.bytes.count >= Self.blockByteCount { try appendLines() }
      }
      try appendLines()
      if options.durability == .synced { try sink.file.synchronize() }
      ring?.release(through: composer.nextNumber - 1)
    } catch {
      fail(error)
    }
  }

  /// Lets as many events wait as there is room for, with states as large as the largest.
  private mutating func limitQueue() {
    let capacity = limit.capacity(stateByteCount: composer.largestStateByteCount)
    guard capacity != self.capacity else { return }
    self.capacity = capacity
    queue.limit(to: capacity)
  }

  private mutating func compose(_ event: WriteQueue.Event) throws(LogError) {
    switch event {
    case .mark(let mark): composer.append(mark, to: &lines)
    case .skip(let skipped):
      try checkNumber(skipped.gap.from)
      composer.skip(skipped)
    case .step(let step):
      try checkNumber(step.number)
      let record = step.record()
      try rotateIfFull(before: record)
      do throws(EncodingFailure) {
        try composer.append(record, to: &lines)
        isEncodingFailing = false
      } catch {
        report(error, step: step.number)
      }
    case .done: break
    }
  }

  private mutating func checkNumber(_ number: UInt64) throws(LogError) {
    guard number == composer.nextNumber else {
      // The steps before it are sound.
      try appendLines()
      let reason = LogError.Reason.notConsecutive(found: number, expected: composer.nextNumber)
      throw LogError(path: sink.path, reason: reason)
    }
  }

  private mutating func report(_ failure: EncodingFailure, step: UInt64) {
    defer { isEncodingFailing = true }
    guard !isEncodingFailing else { return }
    let reason = LogError.Reason.cannotEncode(step: step, store: failure.store, why: failure.why)
    options.onFailure?(LogError(path: sink.path, reason: reason))
  }

  private mutating func appendLines() throws(LogError) {
    guard !lines.bytes.isEmpty else { return }
    try sink.append(lines.bytes)
    writtenSteps = composer.stepCount
    lines.removeAll()
  }

  private mutating func rotateIfFull(before record: borrowing StepRecord) throws(LogError) {
    let isFull = sink.isFull(
      stepCount: composer.stepCount, waitingByteCount: lines.bytes.count,
      isInChain: record.isInChain)
    guard isFull, composer.isBetweenFiles, composer.stepCount > 0 else { return }
    try appendLines()
    let stepCount = composer.stepCount
    let header: LogHeader
    do throws(EncodingFailure) {
      header = try composer.beginFile()
    } catch {
      // Between files every state of the ledger is one that was written.
      preconditionFailure("a state that was written could not be encoded: \(error)")
    }
    try sink.rotate(to: header, stepCount: stepCount, of: location)
    writtenSteps = 0
  }

  // MARK: Ends

  /// After a failure nothing more is recorded; where there is room, the log says so.
  private mutating func fail(_ error: LogError) {
    hasFailed = true
    queue.fail(error)
    ring?.stop()
    writtenSteps += sink.lastStepCount
    lines.removeAll()
    LogEnd(steps: writtenSteps, isComplete: false).write(to: &lines)
    // The disk that has just refused a block often has room for this line. If not, its absence
    // says the same.
    do throws(LogError) { try sink.append(lines.bytes) } catch {}
    options.onFailure?(error)
  }

  private mutating func end(_ closing: WriteQueue.Closing) {
    defer { sink.file.unlock() }
    guard !hasFailed, closing == .close else { return }
    do throws(LogError) {
      composer.end(isComplete: true, to: &lines)
      try appendLines()
      if options.durability != .buffered { try sink.file.synchronize() }
      location.removeInFlight()
    } catch {
      fail(error)
    }
  }
}

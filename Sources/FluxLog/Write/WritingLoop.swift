/// The destination of lines; ``SegmentedSink`` writes them to files.
protocol LineSink {
  var path: String { get }
  /// The number of steps that the last `append` wrote before it failed.
  var lastStepCount: UInt64 { get }
  /// Appends whole lines; after an error, the lines before it are there.
  mutating func append(_ lines: [UInt8]) throws(LogError)
  /// Waits until all lines are on the disk.
  func synchronize() throws(LogError)
  /// Fails if another program has removed or shortened the file.
  mutating func examine() throws(LogError)
  /// `true` if another segment should begin before the next step.
  func isFull(stepCount: UInt64, waitingByteCount: Int, isInChain: Bool) -> Bool
  /// Opens another segment; returns `false` if that is only possible later.
  mutating func openNext() throws(LogError) -> Bool
  /// Ends the segment and continues in the open one, which begins with `header`.
  mutating func rotate(to header: LogHeader, stepCount: UInt64) throws(LogError)
  /// Removes the actions in flight, all of which are in the log.
  func removeInFlight()
  func unlock()
}

/// The work of the writing thread: takes events from the queue, composes lines, appends them.
struct WritingLoop<Sink: LineSink> {
  private enum Health {
    case sound
    /// The last step could not be encoded, which was reported.
    case cannotEncode
    /// Nothing more is written.
    case failed
  }

  private let queue: WriteQueue
  private let ring: InFlightRing?
  private let options: LogWriter.Options
  private var capacity: Int
  private var composer: LineComposer
  private var sink: Sink
  private let files: RecordedFiles?
  private var chains = ChainLedger()
  private var lines = LineBuffer()
  /// The steps in `lines` that can end an excerpt, and the number of step lines of the file up to each.
  private var finished: [(step: UInt64, stepCount: UInt64)] = []
  /// The number of step lines in the file.
  private var writtenSteps: UInt64 = 0
  private var health = Health.sound
  /// The large steps of a batch that are written.
  private var spent: [WriteQueue.Spent] = []
  private var lastExamination = ContinuousClock.now
  private var mustExamine = false

  init(
    queue: WriteQueue, ring: InFlightRing?, options: LogWriter.Options, composer: LineComposer,
    sink: Sink, files: RecordedFiles? = nil
  ) {
    self.queue = queue
    self.ring = ring
    self.options = options
    self.composer = composer
    self.sink = sink
    self.files = files
    capacity = options.queueLimit(stateByteCount: composer.ledger.largestByteCount)
  }

  /// Runs until the queue is closed.
  mutating func run() {
    let napsBeforeSleep = 16
    var idleRounds = 0
    var events: [WriteQueue.Event] = []
    while true {
      let isIdle = idleRounds > napsBeforeSleep
      if isIdle { ring?.leaveUnwatched() }
      let batch = queue.next(
        isIdle: isIdle, &events,
        atMost: LogWriter.Options.batchLimit(stateByteCount: composer.ledger.largestByteCount))
      ring?.examine()
      idleRounds = events.isEmpty ? idleRounds + 1 : 0
      write(&events, of: batch)
      events.removeAll(keepingCapacity: true)
      if batch.closing != nil { return queue.end() }
    }
  }

  /// Ends a recording whose thread cannot start; nothing was recorded yet.
  mutating func endUnstarted(_ error: LogError) {
    stop(error)
    sink.removeInFlight()
    sink.unlock()
    queue.end()
  }

  /// Writes a batch, and the end of the log if it is the last one.
  mutating func write(_ events: inout [WriteQueue.Event], of batch: WriteQueue.Batch) {
    write(&events)
    composer.ledger.findLargest()
    limitQueue()
    queue.finish(batch.total, spent: spent + composer.ledger.takeSpent())
    spent = []
    if let closing = batch.closing { end(closing) }
  }

  /// Writes events, and releases each once its line is composed: its states can be megabytes.
  private mutating func write(_ events: inout [WriteQueue.Event]) {
    guard health != .failed, !events.isEmpty else { return }
    // One write of 256 KB takes hardly longer for each byte than a larger one; a write of one line
    // takes five times as long.
    let blockByteCount = 1 << 18
    // Each report takes the queue's lock, which the app's thread needs.
    let releasedAtOnce = 16
    var unreleasedCount = 0
    let isLarge = LogWriter.Options.isLarge(stateByteCount: composer.ledger.largestByteCount)
    do throws(LogError) {
      for index in events.indices {
        try compose(events[index])
        if isLarge, case .step(let step) = events[index] { spent.append(step) }
        events[index] = .done
        limitQueue()
        unreleasedCount += 1
        if isLarge || unreleasedCount == releasedAtOnce {
          queue.release(unreleasedCount)
          unreleasedCount = 0
        }
        if lines.bytes.count >= blockByteCount { try appendLines() }
      }
      try appendLines()
      try examineIfDue()
      if options.durability == .synced { try sink.synchronize() }
      ring?.release(through: composer.nextNumber - 1)
    } catch {
      fail(error)
    }
  }

  /// Examines the file for `flush()`, and twice a second while steps come in.
  private mutating func examineIfDue() throws(LogError) {
    let now = ContinuousClock.now
    guard mustExamine || lastExamination.duration(to: now) > .milliseconds(500) else { return }
    mustExamine = false
    lastExamination = now
    try sink.examine()
  }

  /// Adapts the queue to the largest state.
  private mutating func limitQueue() {
    let capacity = options.queueLimit(stateByteCount: composer.ledger.largestByteCount)
    guard capacity != self.capacity else { return }
    self.capacity = capacity
    queue.limit(to: capacity)
  }

  private mutating func compose(_ event: WriteQueue.Event) throws(LogError) {
    switch event {
    case .mark(let mark): composer.append(mark, to: &lines)
    case .skip(let skipped):
      try checkNumber(skipped.gap.from)
      chains.skip()
      composer.skip(skipped)
    case .step(let step):
      try checkNumber(step.number)
      let record = step.record()
      try rotateIfFull(before: record)
      var chains = chains
      chains.note(record)
      do throws(EncodingFailure) {
        try composer.append(consume record, to: &lines)
        self.chains = chains
        if chains.lastFinished == step.number {
          finished.append((step.number, composer.stepCount))
        }
        health = .sound
      } catch {
        // The step becomes part of a gap.
        self.chains.skip()
        report(error, step: step.number)
      }
    case .restore(let record):
      try checkNumber(record.next)
      // It dropped the follow-ups that had not run.
      chains.skip()
      do throws(EncodingFailure) {
        try composer.restore(record, to: &lines)
      } catch {
        report(error, step: record.next)
      }
    case .examine: mustExamine = true
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

  /// Reports the first of a series of steps that cannot be encoded.
  private mutating func report(_ failure: EncodingFailure, step: UInt64) {
    guard health == .sound else { return }
    health = .cannotEncode
    options.onFailure?(failure.ofStep(step, in: sink.path))
  }

  private mutating func appendLines() throws(LogError) {
    guard !lines.bytes.isEmpty else { return }
    try sink.append(lines.bytes)
    writtenSteps = composer.stepCount
    files?.finish(chains.lastFinished)
    finished.removeAll(keepingCapacity: true)
    lines.removeAll()
  }

  private mutating func rotateIfFull(before record: borrowing StepRecord) throws(LogError) {
    let isFull = sink.isFull(
      stepCount: composer.stepCount, waitingByteCount: lines.bytes.count,
      isInChain: record.isInChain)
    guard isFull, composer.isBetweenFiles, composer.stepCount > 0 else { return }
    try appendLines()
    guard try sink.openNext() else { return }
    let stepCount = composer.stepCount
    let header: LogHeader
    do throws(EncodingFailure) {
      header = try composer.beginFile()
    } catch {
      // Between files, the ledger has only states that were written.
      preconditionFailure("a state that was written could not be encoded: \(error)")
    }
    try sink.rotate(to: header, stepCount: stepCount)
    writtenSteps = 0
  }

  // MARK: Ends

  /// Stops recording, and reports it.
  private mutating func fail(_ error: LogError) {
    stop(error)
    options.onFailure?(error)
  }

  /// Stops recording; the log says so if there is room.
  private mutating func stop(_ error: LogError) {
    health = .failed
    queue.fail(error)
    ring?.stop()
    if case .lost = error.reason {
      // Nobody can read these actions, and an end line would be all of the file.
      return sink.removeInFlight()
    }
    writtenSteps += sink.lastStepCount
    // The lines before the one that failed are in the file.
    if let last = finished.last(where: { $0.stepCount <= writtenSteps }) {
      files?.finish(last.step)
    }
    lines.removeAll()
    LogEnd(steps: writtenSteps, isComplete: false).write(to: &lines)
    // A disk that has just refused a block often has room for this line. A log without an end line
    // says the same.
    do throws(LogError) { try sink.append(lines.bytes) } catch {}
  }

  private mutating func end(_ closing: WriteQueue.Closing) {
    defer { sink.unlock() }
    guard health != .failed, closing != .abandon else { return }
    do throws(LogError) {
      try sink.examine()
      composer.end(isComplete: closing == .close, isCut: chains.owes, to: &lines)
      try appendLines()
      if options.durability != .buffered { try sink.synchronize() }
      sink.removeInFlight()
    } catch {
      fail(error)
    }
  }
}

/// Knows the last step after which no follow-up is due.
///
/// A step of another thread may come between a step and its follow-ups.
struct ChainLedger: Equatable {
  /// The number of follow-ups that each step still owes.
  private var debts: [UInt64: Int] = [:]
  /// The last step after which no follow-up was due.
  private(set) var lastFinished: UInt64?

  /// `true` if follow-ups of written steps are due.
  var owes: Bool { !debts.isEmpty }

  /// Takes note of the next step that is written.
  mutating func note(_ step: borrowing StepRecord) {
    if let cause = step.cause, step.effect == nil, step.from == nil, let debt = debts[cause] {
      debts[cause] = debt > 1 ? debt - 1 : nil
    }
    if step.followUpCount > 0 { debts[step.number] = step.followUpCount }
    if debts.isEmpty { lastFinished = step.number }
  }

  /// Takes note that steps are left out, among which may be follow-ups, or that follow-ups will not run.
  mutating func skip() { debts = [:] }
}

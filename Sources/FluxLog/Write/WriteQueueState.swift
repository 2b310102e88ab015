/// The state machine of a ``WriteQueue``: who may add events, who waits, and when to wake whom.
///
/// Pure: takes no lock and wakes no thread. Each event returns the action that the queue performs
/// after it has released its lock. Noncopyable, because a copy would retain every waiting event.
struct WriteQueueState: ~Copyable {
  /// The life of the queue.
  ///
  /// Large payloads are indirect, because every step looks at the phase.
  enum Phase {
    case open
    /// Open, but steps found no room; the next event follows their record.
    indirect case dropping(SkipRecord)
    /// The app has closed the queue; the writing thread writes what is left.
    case draining(WriteQueue.Closing)
    /// Nothing can be written; the writing thread waits to be closed.
    indirect case failed(LogError, closing: WriteQueue.Closing?)
    /// The writing thread has ended.
    indirect case ended(LogError?)
  }

  /// The writing thread, as far as events have to wake it.
  enum Writer {
    /// It writes, or naps for two milliseconds.
    case awake
    /// It sleeps until it is called.
    case asleep
    /// It takes the events as soon as it can.
    case called
  }

  /// The answer to a thread that has an event.
  enum Admission: Equatable {
    case add
    case wait
    case drop
    /// The queue is closed or has failed.
    case refuse
  }

  /// The reason why a thread of the app waits.
  enum Wait {
    case room
    case written(UInt64)
  }

  /// The action to perform without the lock.
  enum Action: Equatable {
    case none
    /// Wake all threads that wait.
    case signal
  }

  private(set) var phase = Phase.open
  private(set) var writer = Writer.awake
  private(set) var events: [WriteQueue.Event] = []
  /// The number of events that were ever added.
  private(set) var total: UInt64 = 0
  /// The number of those that are in the file.
  private(set) var written: UInt64 = 0
  /// The number of threads of the app that wait.
  private(set) var waiterCount = 0
  private var capacity: Int
  private let overflow: LogWriter.Options.Overflow

  init(capacity: Int, overflow: LogWriter.Options.Overflow) {
    self.capacity = max(1, capacity)
    self.overflow = overflow
  }

  var failure: LogError? {
    switch phase {
    case .failed(let error, _): error
    case .ended(let error): error
    case .open, .dropping, .draining: nil
    }
  }

  private var isFull: Bool { events.count >= capacity }

  // MARK: The app's side

  /// `true` if an event can be added without a further look; almost always.
  @inline(__always)
  var isAccepting: Bool {
    guard case .open = phase else { return false }
    return !isFull
  }

  func admission(isStep: Bool) -> Admission {
    switch phase {
    case .draining, .failed, .ended: .refuse
    case .open, .dropping: !isFull ? .add : overflow == .block ? .wait : isStep ? .drop : .add
    }
  }

  /// Adds an admitted event.
  @inline(__always)
  mutating func add(_ event: consuming WriteQueue.Event) -> Action {
    if case .dropping(let skipped) = phase { addSkipped(skipped) }
    events.append(event)
    total += 1
    guard writer == .asleep || events.count == capacity / 2 else { return .none }
    writer = .called
    return .signal
  }

  @inline(never)
  private mutating func addSkipped(_ skipped: SkipRecord) {
    events.append(.skip(skipped))
    total += 1
    phase = .open
  }

  /// Adds a step to the dropped ones, of which each store's newest change counts.
  mutating func drop(_ record: StepRecord) {
    switch phase {
    case .open:
      let gap = LogGap(from: record.number, through: record.number, why: .dropped)
      phase = .dropping(SkipRecord(gap: gap, changes: record.changes))
    case .dropping(var skipped):
      skipped.gap.through = record.number
      for change in record.changes {
        if let place = skipped.changes.firstIndex(where: { $0.store == change.store }) {
          skipped.changes[place] = change
        } else {
          skipped.changes.append(change)
        }
      }
      phase = .dropping(skipped)
    case .draining, .failed, .ended: break
    }
  }

  /// Counts a thread that waits, and calls the writing thread.
  mutating func beginWait() -> Action {
    waiterCount += 1
    writer = .called
    return .signal
  }

  mutating func endWait() { waiterCount -= 1 }

  /// `true` if a thread need not wait any longer.
  func isOver(_ wait: Wait) -> Bool {
    switch (phase, wait) {
    case (.failed, _), (.ended, _), (.draining, .room): true
    case (_, .room): !isFull
    case (_, .written(let total)): written >= total
    }
  }

  /// Ends the intake; the first reason counts.
  mutating func close(_ closing: WriteQueue.Closing) -> Action {
    switch phase {
    case .dropping(let skipped):
      addSkipped(skipped)
      phase = .draining(closing)
    case .open: phase = .draining(closing)
    case .failed(let error, closing: nil): phase = .failed(error, closing: closing)
    case .draining, .failed, .ended: break
    }
    return .signal
  }

  var hasEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  // MARK: The writing side

  private var closing: WriteQueue.Closing? {
    switch phase {
    case .draining(let closing): closing
    case .failed(_, let closing): closing
    case .open, .dropping, .ended: nil
    }
  }

  /// Lets the writing thread sleep, unless there is something to do.
  mutating func fallAsleep() {
    if writer == .awake, events.isEmpty { writer = .asleep }
  }

  /// `true` if the writing thread should take a batch now; a nap ends without that.
  func isReady(isIdle: Bool) -> Bool {
    writer == .called || closing != nil || isIdle && !events.isEmpty
  }

  /// Hands over the events, in exchange for the memory of an empty array.
  mutating func take(_ events: inout [WriteQueue.Event]) -> (WriteQueue.Batch, Action) {
    swap(&self.events, &events)
    writer = .awake
    return (WriteQueue.Batch(total: total, closing: closing), signalToWaiters)
  }

  mutating func limit(to capacity: Int) -> Action {
    self.capacity = max(1, capacity)
    return signalToWaiters
  }

  /// Records that `total` events are in the file.
  mutating func finish(_ total: UInt64) -> Action {
    written = total
    return signalToWaiters
  }

  /// Stops everything; returns the waiting events, whose memory is better freed without the lock.
  mutating func fail(_ error: LogError) -> (Action, released: [WriteQueue.Event]) {
    switch phase {
    case .open, .dropping: phase = .failed(error, closing: nil)
    case .draining(let closing): phase = .failed(error, closing: closing)
    case .failed, .ended: return (.none, [])
    }
    defer { events = [] }
    return (.signal, events)
  }

  /// Takes note that the writing thread has ended.
  mutating func end() -> Action {
    phase = .ended(failure)
    return .signal
  }

  private var signalToWaiters: Action { waiterCount > 0 ? .signal : .none }
}

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
  private var waiting = WaitingEvents()
  /// The number of events that the writing thread has taken and not begun to write.
  private(set) var takenCount = 0
  /// The number of events that were ever added.
  private(set) var total: UInt64 = 0
  /// The number of those that are in the file.
  private(set) var written: UInt64 = 0
  /// The number of threads of the app that wait.
  private(set) var waiterCount = 0
  /// The values that the thread of the next step releases.
  private var spent: [WriteQueue.Spent] = []
  private var capacity: Int
  /// The number of events that may wait if they hold no states.
  private let actionCapacity: Int
  private let overflow: LogWriter.Options.Overflow
  /// `true` if steps that are left out one after the other become one event.
  private let mergesSkips: Bool

  init(
    capacity: Int, actionCapacity: Int = .max, overflow: LogWriter.Options.Overflow,
    mergesSkips: Bool = false
  ) {
    self.mergesSkips = mergesSkips
    self.capacity = max(1, capacity)
    self.actionCapacity = max(2, actionCapacity)
    self.overflow = overflow
  }

  /// The events that wait, in order.
  var events: [WriteQueue.Event] { waiting.all }

  var failure: LogError? {
    switch phase {
    case .failed(let error, _): error
    case .ended(let error): error
    case .open, .dropping, .draining: nil
    }
  }

  /// `true` if what waits is as much as may be held, also in the hands of the writing thread.
  ///
  /// Only states count if they can be left out.
  @inline(__always)
  private var isFull: Bool {
    guard overflow == .thin else { return waiting.count + takenCount >= capacity }
    return waiting.holderCount + takenCount >= capacity || waiting.count >= actionCapacity
  }

  // MARK: The app's side

  /// `true` if an event can be added without a further look; almost always.
  @inline(__always)
  var isAccepting: Bool {
    guard case .open = phase else { return false }
    return !isFull && spent.isEmpty
  }

  /// Returns what the thread of the next step releases.
  mutating func takeSpent() -> [WriteQueue.Spent] {
    defer { spent = [] }
    return spent
  }

  func admission(isStep: Bool) -> Admission {
    switch phase {
    case .draining, .failed, .ended: .refuse
    case .open, .dropping:
      switch overflow {
      case .thin: mergesSkips || waiting.holderCount < 2 * capacity ? .add : .wait
      case .block: isFull ? .wait : .add
      case .drop: isFull && isStep ? .drop : .add
      }
    }
  }

  /// Makes room for a step by leaving out older waiting states of its stores, the oldest first.
  ///
  /// A store's newest state always stays, so it may be more than fits if there are many stores. The app
  /// waits only if as many steps as fit hold older states that may not be left out.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - isKept: Returns `true` for a store whose states must all be written.
  ///   - released: Receives the states, to be released without the lock.
  /// - Returns: The decision about the step.
  mutating func thin(
    for step: some StepSource, isKept: (String) -> Bool, released: inout [any Sendable]
  ) -> Admission {
    switch phase {
    case .draining, .failed, .ended: return .refuse
    case .open: if waiting.count >= actionCapacity { return .drop }
    // Each gap costs a whole model, so there are few long ones rather than many short ones.
    case .dropping: if waiting.count > actionCapacity / 2 { return .drop }
    }
    guard step.heldStoreCount > 0, waiting.holderCount + takenCount >= capacity else {
      return .add
    }
    let needed = waiting.holderCount + takenCount - capacity + 1
    let pinned = waiting.thin(for: step, atLeast: needed, isKept: isKept, released: &released)
    return pinned < capacity ? .add : .wait
  }

  /// Adds an admitted event.
  @inline(__always)
  mutating func add(_ event: consuming WriteQueue.Event) -> Action {
    if case .dropping(let skipped) = phase { addSkipped(skipped) }
    if case .skip(let skipped) = event, mergesSkips, waiting.merge(skipped) { return .none }
    waiting.append(event, findsHolders: overflow == .thin)
    total += 1
    guard writer == .asleep || waiting.count == capacity / 2 else { return .none }
    writer = .called
    return .signal
  }

  @inline(never)
  private mutating func addSkipped(_ skipped: SkipRecord) {
    waiting.append(.skip(skipped), findsHolders: overflow == .thin)
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
      skipped.append(record.changes, through: record.number)
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
    case (_, .room): hasRoom
    case (_, .written(let total)): written >= total
    }
  }

  /// `true` if a thread that waits for room should wake.
  ///
  /// A 32nd of the queue is free: one step of large states, and 32 small steps. A thread that wakes takes as
  /// long as writing several small steps. It fills the room that it finds and sleeps again.
  private var hasRoom: Bool {
    let held = overflow == .thin ? waiting.holderCount : waiting.count
    return capacity - held - takenCount >= max(1, capacity / 32)
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
    if writer == .awake, waiting.isEmpty { writer = .asleep }
  }

  /// `true` if the writing thread should take a batch now; a nap ends without that.
  func isReady(isIdle: Bool) -> Bool {
    writer == .called || closing != nil || isIdle && !waiting.isEmpty
  }

  /// Hands over the oldest events, in exchange for the memory of an empty array.
  ///
  /// The queue closes with the last of them.
  mutating func take(
    _ events: inout [WriteQueue.Event], atMost limit: Int = .max
  ) -> (WriteQueue.Batch, Action) {
    waiting.take(&events, atMost: limit)
    takenCount = max(0, events.count - 1)
    writer = waiting.isEmpty ? .awake : .called
    let batch = WriteQueue.Batch(
      total: total - UInt64(waiting.count), closing: waiting.isEmpty ? closing : nil)
    return (batch, signalToWaiters)
  }

  /// Records that the writing thread has written some of the events that it took.
  mutating func release(_ count: Int = 1) -> Action {
    takenCount = max(0, takenCount - count)
    return hasRoom ? signalToWaiters : .none
  }

  mutating func limit(to capacity: Int) -> Action {
    self.capacity = max(1, capacity)
    return signalToWaiters
  }

  /// Records that `total` events are in the file.
  ///
  /// `spent` is what is not needed any more. Afterwards it is what the writing thread should release: all of it
  /// if no step waits, and otherwise what the app has not taken since the last call.
  mutating func finish(_ total: UInt64, spent: inout [WriteQueue.Spent]) -> Action {
    written = total
    takenCount = 0
    swap(&spent, &self.spent)
    if waiting.isEmpty { spent += takeSpent() }
    return signalToWaiters
  }

  /// Stops everything; returns the waiting events, whose memory is better freed without the lock.
  mutating func fail(_ error: LogError) -> (Action, released: [WriteQueue.Event]) {
    switch phase {
    case .open, .dropping: phase = .failed(error, closing: nil)
    case .draining(let closing): phase = .failed(error, closing: closing)
    case .failed, .ended: return (.none, [])
    }
    takenCount = 0
    return (.signal, waiting.removeAll())
  }

  /// Takes note that the writing thread has ended.
  mutating func end() -> Action {
    phase = .ended(failure)
    return .signal
  }

  private var signalToWaiters: Action { waiterCount > 0 ? .signal : .none }
}

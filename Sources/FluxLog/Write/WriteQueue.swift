import FluxSystem

/// What waits to be written, between the threads of the app and the one that writes.
///
/// The writing thread naps for two milliseconds at a time while steps come in, so that handing
/// one over is a lock and no system call; it sleeps when nothing has come for a while, and is
/// then woken by the next step.
final class WriteQueue: Sendable {
  enum Event: Sendable {
    case step(any StepSource)
    /// Indirect, as the next one, so that an event is a few words.
    indirect case skip(SkipRecord)
    indirect case mark(LogMark)
    /// One of the others, once its line is made.
    case done
  }

  /// What the writing thread finds when it looks.
  struct Batch: Sendable {
    /// How many events have been handed over, those of this batch included.
    var total: UInt64 = 0
    var closing: Closing?
  }

  /// Why the writing thread should come to an end.
  enum Closing: Sendable {
    /// With an end line.
    case close
    /// Without: the app let go of the writer.
    case abandon
  }

  private let state: Monitor<State>
  private let drops: Bool
  /// What is to see the steps that are dropped, too.
  private let rewriter: ValueRewriter?

  /// Makes an empty queue.
  ///
  /// - Parameters:
  ///   - capacity: How many events may wait, at first.
  ///   - drops: Whether steps that have no room are dropped, instead of waiting for it.
  ///   - rewriter: What is to see the steps that are dropped, too.
  init(capacity: Int, drops: Bool, rewriter: ValueRewriter? = nil) {
    state = Monitor(State(capacity: max(1, capacity)))
    self.drops = drops
    self.rewriter = rewriter
  }

  var failure: LogError? { state.withLock { state in state.failure } }

  // MARK: The app's side

  /// Hands an event over; returns how many there are, itself included.
  @discardableResult
  func push(_ event: consuming Event) -> UInt64 {
    // No closure, which would count references of the event.
    let state = unsafe self.state.lock()
    return unsafe state.pointee.isAccepting
      ? addAndUnlock(event, state) : pushSlowPath(event, state)
  }

  @inline(__always)
  private func addAndUnlock(
    _ event: consuming Event, _ state: UnsafeMutablePointer<State>
  ) -> UInt64 {
    unsafe state.pointee.events.append(event)
    unsafe state.pointee.total += 1
    let total = unsafe state.pointee.total
    let wakes = unsafe state.pointee.mustWake
    if wakes { unsafe state.pointee.flushRequested = true }
    self.state.unlock()
    if wakes { self.state.signal() }
    return total
  }

  /// Where an event cannot simply be added.
  @inline(never)
  private func pushSlowPath(
    _ event: consuming Event, _ state: UnsafeMutablePointer<State>
  ) -> UInt64 {
    while unsafe state.pointee.isOpen, unsafe state.pointee.isFull {
      if drops {
        guard case .step(let step) = event else { break }
        self.state.unlock()
        return drop(step)
      }
      self.state.unlock()
      wait { !$0.isFull || $0.closing != nil }
      _ = unsafe self.state.lock()
    }
    guard unsafe state.pointee.isOpen else {
      defer { self.state.unlock() }
      return unsafe state.pointee.total
    }
    unsafe state.pointee.addDropped()
    return unsafe addAndUnlock(event, state)
  }

  /// Drops a step; what must be kept out of later lines is known before the next one comes.
  private func drop(_ step: any StepSource) -> UInt64 {
    let record = step.record()
    if let rewriter { record.show(to: rewriter) }
    return state.withLock { state in
      if state.isOpen { state.drop(record) }
      return state.total
    }
  }

  /// Waits until so many events are in the file.
  func waitUntilWritten(_ total: UInt64) {
    state.withLock { $0.flushRequested = true }
    state.signal()
    wait { $0.written >= total }
  }

  /// Waits until all events so far are in the file.
  func flush() { waitUntilWritten(state.withLock { $0.total }) }

  private func wait(until isReady: (borrowing State) -> Bool) {
    state.withLock { state in
      state.waiting += 1
      state.flushRequested = true
    }
    state.signal()
    state.waitUntil({ isReady($0) || $0.isDone || $0.failure != nil }) { $0.waiting -= 1 }
  }

  /// Ends the writing thread; returns once it has ended, or at once where it is abandoned.
  func close(_ closing: Closing) {
    state.withLock { state in
      state.addDropped()
      if state.closing == nil { state.closing = closing }
      state.isOpen = false
    }
    state.signal()
    guard closing == .close else { return }
    state.waitUntil({ $0.isDone }) { _ in }
  }

  // MARK: The writing side

  /// Waits for events; with none, as long as the thread should nap or sleep.
  ///
  /// - Parameters:
  ///   - isIdle: Whether it should sleep.
  ///   - events: Empty before; afterwards what there is. The memory changes hands, so that none has to be made.
  /// - Returns: How things stand.
  func next(isIdle: Bool, _ events: inout [Event]) -> Batch {
    let (batch, wakes) = waitForBatch(isIdle: isIdle, &events)
    // There is room now.
    if wakes { state.signal() }
    return batch
  }

  private func waitForBatch(isIdle: Bool, _ events: inout [Event]) -> (Batch, wakes: Bool) {
    let isReady: (borrowing State) -> Bool = { $0.flushRequested || $0.closing != nil }
    if isIdle {
      state.withLock { $0.isAsleep = $0.events.isEmpty }
      return state.waitUntil({ isReady($0) || !$0.events.isEmpty }) { $0.take(&events) }
    }
    return state.waitUntil(milliseconds: 2, isReady) { $0.take(&events) }
  }

  /// Says how many events may wait from now on.
  func limit(to capacity: Int) {
    let wakes = state.withLock { state in
      state.capacity = max(1, capacity)
      return state.waiting > 0
    }
    if wakes { state.signal() }
  }

  /// Tells that so many events are in the file.
  func finish(_ total: UInt64) {
    let wakes = state.withLock { state in
      state.written = total
      return state.waiting > 0
    }
    if wakes { state.signal() }
  }

  /// Tells that nothing can be written any more.
  func fail(_ error: LogError) {
    state.withLock { state in
      if state.failure == nil { state.failure = error }
      state.isOpen = false
      state.events = []
      state.dropped = nil
    }
    state.signal()
  }

  /// Tells that the thread has ended.
  func finishClosing() {
    state.withLock { $0.isDone = true }
    state.signal()
  }
}

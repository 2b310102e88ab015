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

  fileprivate struct State {
    var events: [Event] = []
    /// Steps that had no room, with the newest states.
    var dropped: SkipRecord?
    var total: UInt64 = 0
    var written: UInt64 = 0
    /// Whether what is handed over is still written; apart from the reasons, which cost more to look at.
    var isOpen = true
    var closing: Closing?
    var isDone = false
    var isAsleep = false
    var isHurried = false
    /// Threads of the app that wait, for room or for their steps to be written.
    var waiting = 0
    var failure: LogError?
  }

  private let state = Monitor(State())
  private let capacity: Int
  private let drops: Bool

  init(capacity: Int, drops: Bool) {
    self.capacity = max(1, capacity)
    self.drops = drops
  }

  var failure: LogError? { state.withLock { state in state.failure } }

  // MARK: The app's side

  /// Hands an event over; returns how many there are, itself included.
  @discardableResult
  func push(_ event: consuming Event) -> UInt64 {
    // Taken out where it is added, so that no reference to the step has to be counted.
    var event: Event? = event
    while true {
      // One lock for each step, unless the queue is full.
      let added: (total: UInt64, wakes: Bool)? = state.withLock { state in
        guard state.isOpen else { return (state.total, false) }
        if !drops, state.events.count >= capacity { return nil }
        if let event = event.take() { add(event, &state) }
        return (state.total, mustWake(&state))
      }
      guard let added else {
        waitForRoom()
        continue
      }
      if added.wakes { state.signal() }
      return added.total
    }
  }

  private func waitForRoom() {
    let capacity = capacity
    wait { $0.events.count < capacity || $0.closing != nil }
  }

  @inline(__always)
  private func add(_ event: consuming Event, _ state: inout State) {
    guard drops else {
      state.events.append(event)
      state.total += 1
      return
    }
    addOrDrop(event, &state)
  }

  private func addOrDrop(_ event: Event, _ state: inout State) {
    if state.events.count >= capacity, case .step(let step) = event {
      state.drop(step.record())
      return
    }
    if let dropped = state.dropped {
      state.events.append(.skip(dropped))
      state.dropped = nil
      state.total += 1
    }
    state.events.append(event)
    state.total += 1
  }

  /// Whether the writing thread has to be woken.
  private func mustWake(_ state: inout State) -> Bool {
    guard state.isAsleep || state.events.count == capacity / 2 else { return false }
    state.isHurried = true
    return true
  }

  /// Waits until so many events are in the file.
  func waitUntilWritten(_ total: UInt64) {
    state.withLock { $0.isHurried = true }
    state.signal()
    wait { $0.written >= total }
  }

  /// Waits until all events so far are in the file.
  func flush() { waitUntilWritten(state.withLock { $0.total }) }

  private func wait(until isReady: (State) -> Bool) {
    state.withLock { state in
      state.waiting += 1
      state.isHurried = true
    }
    state.signal()
    state.waitUntil({ isReady($0) || $0.isDone || $0.failure != nil }) { $0.waiting -= 1 }
  }

  /// Ends the writing thread; returns once it has ended, or at once where it is abandoned.
  func close(_ closing: Closing) {
    state.withLock { state in
      if let dropped = state.dropped {
        state.events.append(.skip(dropped))
        state.dropped = nil
      }
      if state.closing == nil { state.closing = closing }
      state.isOpen = false
    }
    state.signal()
    guard closing == .close else { return }
    state.waitUntil(\.isDone) { _ in }
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
    let isReady: (State) -> Bool = { $0.isHurried || $0.closing != nil }
    if isIdle {
      state.withLock { $0.isAsleep = $0.events.isEmpty }
      return state.waitUntil({ isReady($0) || !$0.events.isEmpty }) { $0.take(&events) }
    }
    return state.waitUntil(milliseconds: 2, isReady) { $0.take(&events) }
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

extension WriteQueue.State {
  fileprivate mutating func take(
    _ events: inout [WriteQueue.Event]
  ) -> (WriteQueue.Batch, wakes: Bool) {
    swap(&self.events, &events)
    isAsleep = false
    isHurried = false
    return (WriteQueue.Batch(total: total, closing: closing), waiting > 0)
  }

  /// Adds a step to those that are dropped; of each store the newest change counts.
  fileprivate mutating func drop(_ record: StepRecord) {
    guard var skipped = dropped else {
      dropped = SkipRecord(
        gap: LogGap(from: record.number, through: record.number, why: .dropped),
        changes: record.changes)
      return
    }
    skipped.gap.through = record.number
    for change in record.changes {
      if let place = skipped.changes.firstIndex(where: { $0.store == change.store }) {
        skipped.changes[place] = change
      } else {
        skipped.changes.append(change)
      }
    }
    dropped = skipped
  }
}

extension WriteQueue {
  /// What waits, and who for what; nothing that can be copied by mistake, with the references of all events.
  struct State: ~Copyable {
    var events: [Event] = []
    /// How many events may wait.
    var capacity: Int
    /// Steps that had no room, with the newest states.
    var dropped: SkipRecord?
    var total: UInt64 = 0
    var written: UInt64 = 0
    /// Whether what is handed over is still written; apart from the reasons, which cost more to look at.
    var isOpen = true
    var closing: Closing?
    var isDone = false
    var isAsleep = false
    var flushRequested = false
    /// Threads of the app that wait, for room or for their steps to be written.
    var waiting = 0
    var failure: LogError?

    init(capacity: Int) { self.capacity = capacity }

    var isFull: Bool { events.count >= capacity }

    /// Whether an event can be added just so.
    var isAccepting: Bool { isOpen && !isFull && dropped == nil }

    /// Whether the writing thread has to be woken for the newest event.
    var mustWake: Bool { isAsleep || events.count == capacity / 2 }
  }
}

extension WriteQueue.State {
  mutating func take(
    _ events: inout [WriteQueue.Event]
  ) -> (WriteQueue.Batch, wakes: Bool) {
    swap(&self.events, &events)
    isAsleep = false
    flushRequested = false
    return (WriteQueue.Batch(total: total, closing: closing), waiting > 0)
  }

  /// Adds what says which steps were dropped, where some were.
  mutating func addDropped() {
    guard let dropped else { return }
    self.dropped = nil
    events.append(.skip(dropped))
    total += 1
  }

  /// Adds a step to those that are dropped; of each store the newest change counts.
  mutating func drop(_ record: StepRecord) {
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

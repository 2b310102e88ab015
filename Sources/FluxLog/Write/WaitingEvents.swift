/// The events that wait in a ``WriteQueueState``, oldest first, and those of them that hold states.
struct WaitingEvents: ~Copyable {
  /// Events before `first` were taken.
  private var storage: [WriteQueue.Event] = []
  private var first = 0
  /// The number of events that were taken so far.
  private var takenCount: UInt64 = 0
  /// The numbers of the waiting steps that hold states, from `firstHolder` on.
  private var holderNumbers: [UInt64] = []
  private var firstHolder = 0
  /// Steps with lower numbers keep their states.
  ///
  /// The first step after a gap writes the whole model, so every state before the gap must be known by
  /// then, and its own must be.
  private var firstThinned: UInt64 = 0
  /// `true` if the next accepted step is the first one after a gap.
  private var keepsNext = false

  var count: Int { storage.count - first }
  var isEmpty: Bool { storage.count == first }
  /// The number of steps that hold states.
  var holderCount: Int { holderNumbers.count - firstHolder }
  /// The events in order.
  var all: [WriteQueue.Event] { Array(storage[first...]) }

  /// Adds an event; `findsHolders` if its states may be left out later.
  @inline(__always)
  mutating func append(_ event: consuming WriteQueue.Event, findsHolders: Bool) {
    if findsHolders { note(event) }
    storage.append(event)
  }

  private mutating func note(_ event: WriteQueue.Event) {
    let number = takenCount + UInt64(count)
    switch event {
    case .step(let step):
      if step.heldStoreCount > 0 { holderNumbers.append(number) }
      guard keepsNext, !step.isRejected else { return }
      keepsNext = false
      firstThinned = number + 1
    case .skip(let skipped):
      if !skipped.changes.isEmpty { holderNumbers.append(number) }
      keepsNext = true
      firstThinned = number
    case .restore:
      // Its line may refer to the model of any step before it, and the next step continues from that model.
      keepsNext = true
      firstThinned = number + 1
    case .mark, .examine, .done: break
    }
  }

  /// Adds skipped steps to the last event, if that is about the steps before them for the same reason.
  mutating func merge(_ skipped: SkipRecord) -> Bool {
    guard !isEmpty, case .skip(var last) = storage[storage.count - 1],
      last.gap.why == skipped.gap.why, last.gap.through + 1 == skipped.gap.from
    else { return false }
    last.append(skipped.changes, through: skipped.gap.through)
    storage[storage.count - 1] = .skip(last)
    return true
  }

  /// Moves the oldest events to an empty array, whose memory is used again.
  mutating func take(_ events: inout [WriteQueue.Event], atMost limit: Int) {
    let taken = min(limit, count)
    if first == 0, taken == count {
      swap(&storage, &events)
    } else {
      events.reserveCapacity(taken)
      for index in first..<first + taken {
        // Moved, because a copy would be counted by both threads at the same time.
        events.append(.done)
        swap(&events[events.count - 1], &storage[index])
      }
      first += taken
      compact()
    }
    takenCount += UInt64(taken)
    while firstHolder < holderNumbers.count, holderNumbers[firstHolder] < takenCount {
      firstHolder += 1
    }
    if firstHolder == holderNumbers.count || firstHolder > 1024 {
      holderNumbers.removeFirst(firstHolder)
      firstHolder = 0
    }
  }

  private mutating func compact() {
    guard first == storage.count || first > 1024 && first > storage.count / 2 else { return }
    storage.removeFirst(first)
    first = 0
  }

  /// Removes all events; their memory is better freed without a lock.
  mutating func removeAll() -> [WriteQueue.Event] {
    var events: [WriteQueue.Event] = []
    take(&events, atMost: count)
    self = WaitingEvents()
    return events
  }

  // MARK: Thinning

  /// Leaves out states of a newer step's stores, the oldest first, until that many steps hold none.
  ///
  /// - Returns: The number of steps whose states may not be left out; 0 if enough others were.
  mutating func thin(
    for newer: some StepSource, atLeast count: Int, isKept: (String) -> Bool,
    released: inout [any Sendable]
  ) -> Int {
    let stores = (0..<newer.heldStoreCount).map { newer.heldStore(at: $0) }
    let (kept, dispensable) = (stores.filter(isKept), stores.filter { !isKept($0) })
    var rest = count
    var pinned = 0
    var index = firstHolder
    while rest > 0, index < holderNumbers.count {
      let number = holderNumbers[index]
      guard number >= firstThinned, case .step(let step) = storage[first + Int(number - takenCount)]
      else {
        pinned += 1
        index += 1
        continue
      }
      for store in dispensable {
        if let state = step.leaveOut(store) { released.append(state) }
      }
      guard step.heldStoreCount == 0 else {
        if kept.contains(where: step.holds) { pinned += 1 }
        index += 1
        continue
      }
      rest -= 1
      if index == firstHolder {
        firstHolder += 1
        index += 1
      } else {
        holderNumbers.remove(at: index)
      }
    }
    return rest > 0 ? pinned : 0
  }
}

extension StepSource {
  fileprivate func holds(_ store: String) -> Bool {
    (0..<heldStoreCount).contains { heldStore(at: $0).hasSameBytes(as: store) }
  }
}
